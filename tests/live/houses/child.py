"""A house in a process of its own with the real connectors, to be killed or paused."""

import asyncio
import os
import signal
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

from bot.log import configure
from bot.main import Means, house, live
from bot.worker.context import Pace
from policies.rules import Rules
from tests.journeys.props import settings

LEASE = 3.0
PACE = Pace(gate=0.2, look_up=0.5, look_ups=5, lease=timedelta(seconds=LEASE), attempts=500)


def main(told: dict[str, Any]) -> None:
    """Live until killed or told to stop. `told`: url, slack, rules, secrets and log."""
    log = Path(told["log"]).open("a", encoding="utf-8")  # noqa: SIM115 - until the process ends
    os.dup2(log.fileno(), 2)
    sys.stderr = log
    configure("json")
    asyncio.run(_live(told))


async def _live(told: dict[str, Any]) -> None:
    stopping = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopping.set)
    pace = {"follow_seconds": 0.5, "watch_seconds": 0.5}
    given = settings(told["url"], told["slack"], environment=told["secrets"], **pace)
    rules = Rules.model_validate(told["rules"])
    async with house(given, rules, Means(pace=PACE, posts=0, updates=0)) as built:
        await live(built, stopping)

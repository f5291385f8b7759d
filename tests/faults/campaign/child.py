"""A house in a process of its own, to be killed, paused or cut off.

Forked from a server that has loaded everything, so that a start takes a moment and not a second.
"""

import asyncio
import itertools
import os
import signal
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import event

from bot.clock import SystemClock
from bot.log import configure
from bot.main import House, Means, house, live
from bot.worker.context import Pace
from connectors.catalogue import Catalogue
from tests.bot.fakes import Runs
from tests.faults.campaign import crew
from tests.faults.campaign.outside import Far, FarActuator, FarOrchestrator
from tests.journeys.props import settings

LEASE = 3.0


def main(told: dict[str, Any]) -> None:
    """Live until killed or told to stop."""
    log = Path(told["log"]).open("a", encoding="utf-8")  # noqa: SIM115 - until the process ends
    os.dup2(log.fileno(), 2)
    sys.stderr = log
    configure("json")
    asyncio.run(_live(told))


async def _live(told: dict[str, Any]) -> None:
    stopping = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopping.set)
    given = settings(told["url"], told["slack"], **told["mode"])
    async with house(given, crew.rules(told["jobs"]), _means(told)) as built:
        if told["statements"]:
            die_before(built, told["statements"])
        await live(built, stopping)


def _means(told: dict[str, Any]) -> Means:
    clock, far = SystemClock(), Far(told["outside"], told["who"])

    def build(*_: object, acting: bool, **_more: object) -> Catalogue:
        actuator = FarActuator("dagster", Runs(), clock.now(), far)
        readers = {"dagster": FarOrchestrator("dagster")}
        return Catalogue(readers=readers, actuators={"dagster": actuator}, no_actuator={})

    pace = Pace(gate=0.2, look_up=0.3, look_ups=3, lease=timedelta(seconds=LEASE), attempts=500)
    return Means(build=build, clock=clock, pace=pace, posts=0, updates=0)


def die_before(built: House, number: int) -> None:
    """SIGKILL before the `number`-th statement that changes the database, or the commit after it."""
    seen = itertools.count(1)

    def count(connection: Any, *_: Any) -> None:
        writes = connection.get_execution_options().get("writes")
        if writes and next(seen) >= number:
            os.kill(os.getpid(), signal.SIGKILL)

    engine = built.store.database.engine.sync_engine
    for step in ("before_cursor_execute", "commit"):
        event.listen(engine, step, count)

"""The composition root: the only place that names the concrete store, connectors and Slack.

It builds, starts, and on SIGTERM or Ctrl-C drains: nothing new is taken, what is in hand is finished.
"""

import asyncio
import signal

import structlog

from bot.main.building import house
from bot.main.house import House
from bot.main.living import live, settle
from bot.main.means import Means
from bot.settings import Settings
from policies.rules import Rules

log = structlog.get_logger("dw")

__all__ = ["House", "Means", "house", "live", "run", "settle"]


async def run(settings: Settings, rules: Rules) -> int:
    """Run until told to stop. Raises what a person must mend before it can start."""
    async with house(settings, rules) as built:
        stopping = asyncio.Event()
        for name in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(name, stopping.set)
        settle()
        await live(built, stopping)
    log.info("stopped")
    return 0

"""A house in a process of its own, to be killed: it hangs in the call that starts the rollups.

`python -m tests.journeys.house_process '{"url": …, "slack": …, "ahead": …, "reached": …}'`
The file `reached` gets the run's key once the call was made.
"""

import asyncio
import json
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from bot.main import house, live
from policies.plan import Step
from policies.run import Run
from tests.bot.fakes import FakeActuator, Runs
from tests.journeys.clock import RunningClock
from tests.journeys.props import means, rules, settings
from tests.journeys.stack import Stack


class Hanging(FakeActuator):
    """Its call never returns."""

    reached = Path()

    async def _act(self, step: Step, params: BaseModel, *, key: str) -> Run:
        self.reached.write_text(key)
        await asyncio.Event().wait()
        raise AssertionError(key)


async def main(told: dict[str, Any]) -> None:
    """Live until killed. The backfill is there already, and the numbers are right."""

    def hanging(connection: str, runs: Runs, now: datetime) -> Hanging:
        actuator = Hanging(connection, runs, now)
        actuator.reached = Path(told["reached"])
        return actuator

    clock = RunningClock(told["ahead"])
    stack = Stack(clock, actuator_of=hanging)
    stack.backfill()
    given = settings(told["url"], told["slack"])
    async with house(given, rules(), means(clock, stack)) as built:
        await live(built, asyncio.Event())


if __name__ == "__main__":
    asyncio.run(main(json.loads(sys.argv[1])))

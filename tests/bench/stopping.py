"""`/dw stop` → in force: its ack goes out when it is stored, and every start looks for it just before its call."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from slack_bolt.async_app import AsyncApp

from bot.clock import SystemClock
from bot.commands import LiftStop
from bot.sandbox.demo import seed
from bot.sandbox.workspace import Workspace
from policies.people import Person
from tests.bench.figures import Figure, milliseconds, p99
from tests.bench.stage import a_workspace, bare, lived_in, timed
from tests.journeys.alerts import freshness_missed

STOPS = 40


def nothing(app: AsyncApp) -> None:
    """The command that does nothing but acknowledge."""

    async def acked(ack: Any) -> None:
        await ack()

    app.command("/bare")(acked)


async def measure(url: str, database: str, *, busy: bool = False) -> Figure:
    """The slow end of many stops, each lifted again; `busy`: while alerts pour in, as on a bad night."""
    ours, theirs = [], []
    async with (
        a_workspace() as workspace,
        bare(workspace, nothing),
        lived_in(workspace, url) as us,
        pouring(workspace, busy=busy),
    ):
        dee = workspace.people["dee"]
        for _ in range(STOPS):
            theirs.append(await timed(partial(dee.command, seed.ALERTS, "/bare")))
            ours.append(await timed(partial(dee.command, seed.ALERTS, "/dw stop a drill")))
            assert await us.built.desk.stopped() is not None
            lift = LiftStop(person="U0DEE", at=SystemClock().now())
            assert await us.built.desk.lift(lift, _dee()) is None
            await asyncio.sleep(0.05)
    return Figure(
        name=f"stop → in force, p99 of {STOPS}, {database}{', while alerts pour in' if busy else ''}",
        unit="ms",
        ours=milliseconds(p99(ours)),
        baseline=milliseconds(p99(theirs)),
        beside="a Bolt command that only acknowledges",
        goal="–",
        met=True,
    )


@asynccontextmanager
async def pouring(workspace: Workspace, *, busy: bool) -> AsyncIterator[None]:
    """Twenty alerts a second meanwhile, each about another table."""

    async def pour() -> None:
        for number in itertools.count():
            freshness_missed(workspace, f"fct_poured_{number}")
            await asyncio.sleep(0.05)

    async with asyncio.TaskGroup() as meanwhile:
        poured = meanwhile.create_task(pour()) if busy else None
        yield
        if poured is not None:
            poured.cancel()


def _dee() -> Person:
    return Person(id="U0DEE", name="Dee", email="dee@example.com")

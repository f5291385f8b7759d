"""What the tests of levels do: an admin sets one, receipts of earlier nights, and the night until its run."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.commands import Received, SetLevel
from bot.store import receipts
from policies.autonomy.levels import Level
from policies.incident import RequestState, StepPhase
from policies.receipt import seal
from tests.bot.worker.world import World, a_world, sqlite_url
from tests.clock import FakeClock
from tests.policies.receipts import a_body

BUDGET = {"runs_a_day": 3, "reach": 9}
STEP = "run_growth_rollups_job"


@asynccontextmanager
async def a_trusting_world(folder: Path, clock: FakeClock, **domain: Any) -> AsyncIterator[World]:
    """A domain with a budget, where one clean receipt is a record, and Dee is the only admin."""
    known = {"budget": BUDGET, "record": {"receipts": 1}}
    async with a_world(sqlite_url(folder), clock, **{**known, **domain}) as world:
        world.context.rules.admins.append("U0DEE")
        yield world


async def set_level(
    world: World, level: Level = "L3", change_class: str = "run_job", person: str = "U0DEE"
) -> None:
    """Somebody confirms it in Slack."""
    world.answered += 1
    command = SetLevel(
        key=f"level-{world.answered}",
        domain="growth",
        change_class=change_class,
        level=level,
        person=person,
        reason="ten clean runs",
        at=world.clock.now(),
        respond_to="http://127.0.0.1/response",
    )
    item = Received(key=command.key, command=command, raw="{}", at=world.clock.now())
    await world.desk.receive(item)
    await world.later(seconds=1)


async def past(world: World, *, passed: bool = True, count: int = 1) -> None:
    """Receipts of earlier incidents, in the chain."""
    for _ in range(count):
        number, previous = await world.store.head()
        body = a_body(f"DW-9{number}", passed=passed, closed_at=world.clock.now())
        async with world.store.database.write() as connection:
            await receipts.append(connection, seal(number + 1, f"DW-9{number}", previous, body))


async def asked(world: World) -> None:
    await world.alert()
    await world.later(seconds=1)


async def request_of(world: World, step_id: str = STEP) -> RequestState:
    found = (await world.incident()).request_of(step_id)
    assert found is not None
    return found


async def ana_approves(world: World) -> None:
    """Her own part, which is asked for first."""
    state = next(iter((await world.incident()).requests.values()))
    await world.approve(request_id=state.request.id, digest=state.request.digest)


async def ana_does_her_part(world: World) -> None:
    """She approves it, and launches the backfill."""
    await ana_approves(world)
    await world.backfill()
    await world.later(seconds=10)


async def run_ends(world: World) -> None:
    world.runs.end("run-1")
    for _ in range(3):
        await world.later(seconds=10)


async def phase(world: World, step_id: str = STEP) -> StepPhase:
    return (await world.incident()).steps[step_id].phase

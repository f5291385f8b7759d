"""A decision is taken back: until something has begun, by its maker only, and whoever is first wins."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bot.commands import Received, Revoke
from bot.ports import Change
from bot.store.store import SqlStore
from bot.worker.kinds import KINDS
from bot.worker.loop import Worker
from policies import events as e
from policies.incident import Incident, RequestState, StepPhase
from policies.receipt.doing import decisions
from tests.bot.worker.test_deciding import asked, events
from tests.bot.worker.world import World, a_world, sqlite_url
from tests.clock import FakeClock

OWNERS = {"raw_sessions": "ana@example.com", "agg_*": "dee@example.com"}


@pytest.fixture
async def apart(tmp_path: Path, clock: FakeClock) -> AsyncIterator[World]:
    """A world in which the rollups are Dee's, so that the bot's step has a request of its own."""
    async with a_world(sqlite_url(tmp_path), clock, owners=OWNERS) as made:
        yield made


class Interrupted(SqlStore):
    """Something happens once, between the look at a step and the commit of its start."""

    happens: list[Callable[[], Awaitable[None]]]

    async def commit(self, change: Change) -> Incident | None:
        if any(isinstance(event, e.ActionStarted) for event in change.events) and self.happens:
            await self.happens.pop()()
        return await super().commit(change)


async def take_back(world: World, person: str, request: str = "DW-1-R1") -> None:
    world.answered += 1
    command = Revoke(
        key=f"back-{world.answered}",
        incident_id="DW-1",
        request_id=request,
        person=person,
        at=world.clock.now(),
        respond_to="http://127.0.0.1/response",
    )
    item = Received(key=command.key, command=command, raw="{}", at=world.clock.now())
    await world.desk.receive(item)


async def both_approved(world: World) -> RequestState:
    """Ana and Dee say yes to their parts; Dee's request."""
    await asked(world)
    for name, state in (await world.incident()).requests.items():
        person = "U0ANA" if state.request.owner == "ana@example.com" else "U0DEE"
        await world.approve(person, request_id=name, digest=state.request.digest)
    requests = (await world.incident()).requests.values()
    return next(s for s in requests if s.request.owner == "dee@example.com")


async def phases(world: World, state: RequestState) -> set[StepPhase]:
    incident = await world.incident()
    return {incident.steps[step].phase for step in state.request.step_ids}


async def test_a_yes_is_taken_back_and_it_waits_for_a_decision_again_with_all_its_time(
    world: World,
) -> None:
    await asked(world)
    await world.later(minutes=2)
    await world.approve()
    await world.later(minutes=1)
    await take_back(world, "U0ANA")
    await world.later(seconds=1)
    state = await world.request()
    assert state.open
    assert state.decisions == ()
    assert [d.person for d in state.revoked] == ["U0ANA"]
    assert await phases(world, state) == {StepPhase.ASKED}
    assert "taken back" in world.slack.whispers[-1]
    await world.later(minutes=4)
    assert (await world.request()).request.hop == 0, "the old deadline does not count any more"
    await world.later(minutes=1)
    assert (await world.request()).request.hop == 1


async def test_what_is_taken_back_can_be_decided_again(world: World) -> None:
    await asked(world)
    await world.approve()
    await take_back(world, "U0ANA")
    await world.later(seconds=1)
    await world.approve()
    assert (await world.request()).outcome == "approved"
    assert len(await events(world, e.ApprovalGranted)) == 2


async def test_the_record_tells_what_was_taken_back_and_when(world: World) -> None:
    await asked(world)
    await world.approve()
    await take_back(world, "U0ANA")
    await world.later(seconds=1)
    await world.approve()
    first, second = decisions(await world.store.entries("DW-1"))
    assert first["taken_back_at"] is not None
    assert second["taken_back_at"] is None


async def test_nobody_takes_back_what_somebody_else_decided(world: World) -> None:
    await asked(world)
    await world.approve()
    await take_back(world, "U0DEE")
    await world.later(seconds=1)
    assert (await world.request()).outcome == "approved"
    assert "none here is yours" in world.slack.whispers[-1]


async def test_what_has_begun_is_not_taken_back_and_it_says_what(world: World) -> None:
    await asked(world)
    await world.approve()
    await world.backfill()
    await take_back(world, "U0ANA")
    await world.later(seconds=1)
    assert (await world.request()).outcome == "approved"
    assert "can't be taken back" in world.slack.whispers[-1]
    assert "has begun already" in world.slack.whispers[-1]


async def test_a_take_back_that_comes_first_starts_nothing(apart: World) -> None:
    dees = await both_approved(apart)
    apart.runs.started.clear()
    await take_back(apart, "U0DEE", dees.request.id)
    await apart.backfill()
    for _ in range(6):
        await apart.later(seconds=10)
    assert apart.runs.started == []
    assert await phases(apart, dees) == {StepPhase.ASKED}


async def test_a_start_that_comes_first_stands(apart: World) -> None:
    dees = await both_approved(apart)
    await apart.backfill()
    for _ in range(6):
        await apart.later(seconds=10)
    assert len(apart.runs.started) == 1
    await take_back(apart, "U0DEE", dees.request.id)
    await apart.later(seconds=1)
    assert await phases(apart, dees) == {StepPhase.STARTED}
    assert "has begun already" in apart.slack.whispers[-1]


async def test_a_take_back_between_the_last_look_and_the_start_wins(apart: World) -> None:
    dees = await both_approved(apart)
    others = Worker(apart.context, KINDS, asyncio.Event())

    async def taken_back() -> None:
        await take_back(apart, "U0DEE", dees.request.id)
        await others.once()

    store = Interrupted(apart.store.database)
    store.happens = [taken_back]
    apart.worker = Worker(replace(apart.context, store=store), KINDS, asyncio.Event())
    await apart.backfill()
    for _ in range(6):
        await apart.later(seconds=10)
    assert store.happens == []
    assert apart.runs.started == []
    assert await phases(apart, dees) == {StepPhase.ASKED}
    assert await events(apart, e.ActionStarted) == []


async def test_a_stop_does_not_keep_anybody_from_taking_back(world: World) -> None:
    await asked(world)
    await world.approve()
    await world.stop()
    await take_back(world, "U0ANA")
    await world.later(seconds=1)
    assert (await world.request()).open

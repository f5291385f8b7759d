"""Stop means stop: at the steps, at the last look before a call, at a repeat, and when nobody can tell."""

import asyncio
from dataclasses import replace
from typing import Any

from bot.ports import Due, Stop, StoreUnavailable
from bot.store.store import SqlStore
from bot.worker.context import Context
from bot.worker.kinds import KINDS
from bot.worker.loop import Worker
from connectors.errors import TooSlow
from policies import events as e
from policies.incident import StepPhase, StepState
from tests.bot.worker.world import World


async def ready(world: World) -> None:
    """Approved; the rollups wait for the backfill."""
    await world.alert()
    await world.later(seconds=1)
    await world.approve()


async def settle(world: World) -> None:
    for _ in range(12):
        await world.later(seconds=10)


async def rollups(world: World) -> StepState:
    incident = await world.incident()
    step = next(step for step in incident.plan.steps if step.doer == "bot")  # type: ignore[union-attr]
    return incident.steps[step.id]


class Blind(SqlStore):
    """A database that can do all but tell whether there is a stop."""

    blind = False

    async def stopped(self, *scopes: str) -> Stop | None:
        if self.blind:
            raise StoreUnavailable("can't be read")
        return await super().stopped(*scopes)


def blind(world: World) -> Blind:
    """From now on the worker works over a store that can go blind."""
    store = Blind(world.store.database)
    world.context = replace(world.context, store=store)
    world.worker = Worker(world.context, KINDS, asyncio.Event())
    return store


class Lifting(SqlStore):
    """A database in which the stop is lifted just after somebody has looked."""

    async def stopped(self, *scopes: str) -> Stop | None:
        found = await super().stopped(*scopes)
        if found is not None:
            await self.lift(found.scope, "U0DEE", found.at)
        return found


def before(world: World, kind: str, happens: Any) -> None:
    """Let something happen once, just before the next work of this kind."""
    waiting = [happens]

    async def work(context: Context, due: Due) -> None:
        if waiting:
            await waiting.pop()()
        await KINDS[kind](context, due)

    world.worker = Worker(world.context, {**KINDS, kind: work}, asyncio.Event())


async def started(world: World) -> list[e.Event]:
    entries = await world.store.entries("DW-1")
    return [entry.event for entry in entries if isinstance(entry.event, e.ActionStarted)]


async def test_an_approved_step_is_held_before_its_gate_and_says_by_what(world: World) -> None:
    await ready(world)
    await world.stop()
    await world.backfill()
    await settle(world)
    state = await rollups(world)
    assert state.phase is StepPhase.APPROVED
    assert "drill" in (state.held or "")


async def test_a_stop_that_comes_at_the_last_moment_still_holds_it(world: World) -> None:
    await ready(world)
    before(world, "act", world.stop)
    await world.backfill()
    await settle(world)
    assert await started(world) == []
    assert world.runs.started == []


async def test_a_start_that_never_arrived_is_not_sent_again_while_stopped(world: World) -> None:
    await ready(world)
    world.actuator.before = [TooSlow()]  # type: ignore[list-item]
    await world.backfill()
    await world.later(seconds=1)
    assert len(await started(world)) == 1
    await world.stop()
    await settle(world)
    assert world.runs.started == []


async def test_a_lift_in_the_middle_of_a_look_does_not_start_what_was_held(world: World) -> None:
    await ready(world)
    await world.stop()
    await world.backfill()
    await settle(world)
    world.context = replace(world.context, store=Lifting(world.store.database))
    world.worker = Worker(world.context, KINDS, asyncio.Event())
    await settle(world)
    assert world.runs.started == []
    assert [state.open for state in (await world.incident()).requests.values()] == [False, True]


async def test_nothing_is_decided_while_nobody_can_tell_whether_it_is_stopped(
    world: World,
) -> None:
    store = blind(world)
    await world.alert()
    await world.later(seconds=1)
    store.blind = True
    await world.approve()
    assert (await world.request()).open
    store.blind = False
    await world.later(minutes=2)
    assert (await world.request()).outcome == "approved"


async def test_nothing_starts_while_nobody_can_tell_whether_it_is_stopped(world: World) -> None:
    store = blind(world)
    await ready(world)
    store.blind = True
    await world.backfill()
    await settle(world)
    assert (await rollups(world)).phase is StepPhase.APPROVED
    assert world.runs.started == []


async def test_a_step_that_is_ready_does_not_start_while_nobody_can_tell(world: World) -> None:
    store = blind(world)
    await ready(world)

    async def goes_blind() -> None:
        store.blind = True

    before(world, "act", goes_blind)
    await world.backfill()
    await settle(world)
    assert (await rollups(world)).phase is StepPhase.READY
    assert world.runs.started == []


async def test_while_stopped_nobody_is_asked_and_after_the_lift_they_are(world: World) -> None:
    await world.stop()
    await world.alert()
    await world.later(seconds=30)
    incident = await world.incident()
    assert incident.plan is not None
    assert incident.requests == {}
    await world.store.lift("*", "U0DEE", world.clock.now())
    await world.later(seconds=10)
    assert (await world.request()).asked == (("U0ANA", 0),)


async def test_time_that_a_stop_took_is_given_back(world: World) -> None:
    await world.alert()
    await world.later(seconds=1)
    await world.stop()
    await world.later(minutes=30)
    assert (await world.request()).open
    await world.store.lift("*", "U0DEE", world.clock.now())
    await settle(world)
    first, second = (await world.incident()).requests.values()
    assert first.outcome == "void"
    assert second.open
    assert second.request.hop == 0


async def test_a_stop_of_another_domain_or_connection_halts_nothing_here(world: World) -> None:
    for scope in ("domain:billing", "connection:warehouse"):
        await world.store.stop(Stop(by="U0DEE", at=world.clock.now(), reason="", scope=scope))
    await ready(world)
    await world.backfill()
    await settle(world)
    assert len(world.runs.started) == 1


async def test_a_stop_of_the_connection_holds_the_step_that_would_use_it(world: World) -> None:
    await ready(world)
    stop = Stop(by="U0DEE", at=world.clock.now(), reason="upgrade", scope="connection:dagster")
    await world.store.stop(stop)
    await world.backfill()
    await settle(world)
    assert world.runs.started == []
    held = [state.held for state in (await world.incident()).steps.values() if state.held]
    assert all("connection dagster" in why and "upgrade" in why for why in held)


async def test_a_stop_refreshes_every_open_card_and_looks_at_its_steps(world: World) -> None:
    await ready(world)
    world.slack.shown.clear()
    await world.stop()
    (row,) = await world.store.claim(world.clock.now(), limit=1, lease=world.context.pace.lease)
    await KINDS[row.kind](world.context, row)
    due = await world.store.claim(world.clock.now(), limit=50, lease=world.context.pace.lease)
    keys = {one.key for one in due}
    assert keys >= {"show:DW-1:card", "show:DW-1:dm:DW-1-R1:U0ANA", "steps:DW-1"}

"""One run, whatever breaks between the yes and the answer."""

from dataclasses import replace

import pytest

from bot.commands import LiftStop
from bot.worker.acting import external_key
from connectors.errors import Broken, Rejected, TooSlow, Unreachable
from policies import events as e
from policies.incident import Phase, StepPhase
from policies.lineage import Asset
from tests.bot.worker.world import World
from tests.building import a_person


async def ready(world: World) -> None:
    """Approved, backfilled, and the rollups about to start."""
    await world.alert()
    await world.later(seconds=1)
    await world.approve()


async def rollups(world: World) -> StepPhase:
    incident = await world.incident()
    step = next(step for step in incident.plan.steps if step.doer == "bot")  # type: ignore[union-attr]
    return incident.steps[step.id].phase


async def dies(world: World) -> None:
    """The backfill ends, the rollups start, and in the call the process is gone."""

    async def on() -> None:
        await world.backfill()
        await settle(world)

    with pytest.raises(KeyboardInterrupt):
        await on()


async def settle(world: World) -> None:
    for _ in range(12):
        await world.later(seconds=10)


@pytest.mark.parametrize("fault", [TooSlow(), Broken()])
async def test_a_start_that_was_accepted_but_never_answered_is_adopted(
    world: World, fault: Exception
) -> None:
    await ready(world)
    world.actuator.after = [fault]  # type: ignore[list-item]
    await world.backfill()
    await settle(world)
    assert len(world.runs.started) == 1
    assert await rollups(world) is StepPhase.STARTED


@pytest.mark.parametrize("fault", [TooSlow(), Broken(), Unreachable()])
async def test_a_start_that_never_arrived_is_sent_once_more_after_looking(
    world: World, fault: Exception
) -> None:
    await ready(world)
    world.actuator.before = [fault]  # type: ignore[list-item]
    await world.backfill()
    await settle(world)
    assert len(world.runs.started) == 1


async def test_a_start_that_stays_unknown_is_not_repeated_for_ever(world: World) -> None:
    await ready(world)
    world.actuator.before = [TooSlow() for _ in range(9)]
    await world.backfill()
    await settle(world)
    assert await rollups(world) is StepPhase.UNCERTAIN
    assert (await world.incident()).phase is Phase.HANDED_OVER
    assert len(world.actuator.before) == 7


async def test_an_orchestrator_that_is_down_for_an_hour_gets_one_run_afterwards(
    world: World,
) -> None:
    await ready(world)
    world.actuator.before = [Unreachable() for _ in range(40)]
    await world.backfill()
    await settle(world)
    world.actuator.before = []
    await world.later(hours=1)
    await settle(world)
    assert len(world.runs.started) == 1


async def test_a_refusal_by_the_system_is_a_failed_step_and_a_person_is_told(world: World) -> None:
    await ready(world)
    world.actuator.before = [Rejected("config is missing `days`")]
    await world.backfill()
    await settle(world)
    incident = await world.incident()
    assert incident.phase is Phase.HANDED_OVER
    assert "config is missing" in (incident.closed_because or "")
    assert world.runs.started == []


async def test_a_crash_after_the_start_was_stored_leaves_one_run(world: World) -> None:
    """The process dies in the call: what is stored is `ActionStarted`, and the run may be there or not."""
    await ready(world)
    world.actuator.after = [KeyboardInterrupt()]  # type: ignore[list-item]
    await dies(world)
    world.clock.advance(minutes=2)
    await settle(world)
    assert len(world.runs.started) == 1
    assert await rollups(world) is StepPhase.STARTED


async def test_a_crash_before_the_call_still_gets_the_run(world: World) -> None:
    await ready(world)
    world.actuator.before = [KeyboardInterrupt()]  # type: ignore[list-item]
    await dies(world)
    world.clock.advance(minutes=2)
    await settle(world)
    assert len(world.runs.started) == 1


async def test_a_start_that_was_lost_until_its_yes_ended_goes_to_a_person(world: World) -> None:
    await ready(world)
    world.actuator.before = [KeyboardInterrupt()]  # type: ignore[list-item]
    await dies(world)
    world.clock.advance(hours=13)
    await settle(world)
    assert world.runs.started == []
    incident = await world.incident()
    assert incident.phase is Phase.HANDED_OVER
    assert "approval ended" in (incident.closed_because or "")


async def test_without_an_actuator_nothing_is_started_and_it_is_said(world: World) -> None:
    await ready(world)
    world.context.systems.actuators.clear()  # type: ignore[attr-defined]
    await world.backfill()
    await settle(world)
    incident = await world.incident()
    assert incident.phase is Phase.HANDED_OVER
    assert "no actuator" in (incident.closed_because or "")


async def test_code_that_changed_after_the_yes_voids_it_and_asks_again(world: World) -> None:
    await ready(world)
    world.systems["dagster"].version = "v2"  # type: ignore[attr-defined]
    await world.backfill()
    await settle(world)
    incident = await world.incident()
    assert world.runs.started == []
    assert len(incident.requests) == 2
    first, second = incident.requests.values()
    assert first.request.digest != second.request.digest
    assert second.open


async def test_a_reach_that_grew_after_the_yes_voids_it(world: World) -> None:
    await ready(world)
    graph = world.systems["dagster"].graph  # type: ignore[attr-defined]
    assets = {**graph.assets, "stripe_push": Asset(key="stripe_push", said_by="dagster")}
    edges = graph.edges | {("agg_weekly_engagement", "stripe_push")}
    world.systems["dagster"].graph = replace(graph, assets=assets, edges=edges)  # type: ignore[attr-defined]
    await world.backfill()
    await settle(world)
    assert world.runs.started == []
    voided = [
        x.event for x in await world.store.entries("DW-1") if isinstance(x.event, e.RequestVoided)
    ]
    assert ["stripe_push" in event.why for event in voided] == [True]


async def test_a_stop_holds_an_approved_step_and_the_lift_asks_again(world: World) -> None:
    await ready(world)
    await world.stop()
    await world.backfill()
    await settle(world)
    assert world.runs.started == []
    world.context.rules.admins.append("U0DEE")
    await world.desk.lift(LiftStop(person="U0DEE", at=world.clock.now()), a_person("U0DEE"))
    await settle(world)
    assert world.runs.started == []
    assert len((await world.incident()).requests) == 2
    await world.approve()
    await settle(world)
    assert len(world.runs.started) == 1


async def test_an_approval_that_lapsed_is_asked_again(world: World) -> None:
    await ready(world)
    world.clock.advance(hours=13)
    await world.backfill()
    await settle(world)
    assert world.runs.started == []
    assert len((await world.incident()).requests) == 2


async def test_the_external_key_is_the_same_after_any_crash_and_another_for_another_yes(
    world: World,
) -> None:
    await ready(world)
    incident = await world.incident()
    step = next(step for step in incident.plan.steps if step.doer == "bot")  # type: ignore[union-attr]
    key = external_key(incident, step)
    assert key == external_key(await world.incident(), step)
    assert key.startswith("DW-1:")


async def test_the_key_that_was_sent_is_still_the_steps_own_when_its_run_has_ended(
    world: World,
) -> None:
    await ready(world)
    await world.backfill()
    await world.later(seconds=10)
    world.runs.end("run-1")
    await settle(world)
    incident = await world.incident()
    step = next(step for step in incident.plan.steps if step.doer == "bot")  # type: ignore[union-attr]
    assert world.runs.started == [external_key(incident, step)]


async def test_a_run_that_the_system_shows_late_is_adopted_and_not_started_again(
    world: World,
) -> None:
    await ready(world)
    world.actuator.after, world.actuator.hidden = [TooSlow()], True  # type: ignore[list-item]
    await world.backfill()
    await world.later(seconds=6)
    await world.later(seconds=6)
    world.actuator.hidden = False
    await settle(world)
    assert len(world.runs.started) == 1
    assert await rollups(world) is StepPhase.STARTED


async def test_what_reaches_less_than_was_shown_still_starts_and_it_is_said(world: World) -> None:
    system = world.systems["dagster"]
    usual = system.graph  # type: ignore[attr-defined]
    wider = frozenset({*usual.edges, ("raw_sessions", "fct_extra")})
    assets = {**usual.assets, "fct_extra": Asset(key="fct_extra")}
    system.graph = replace(usual, edges=wider, assets=assets)  # type: ignore[attr-defined]
    await ready(world)
    system.graph = usual  # type: ignore[attr-defined]
    await world.backfill()
    await settle(world)
    entries = await world.store.entries("DW-1")
    (begun,) = [x.event for x in entries if isinstance(x.event, e.ActionStarted)]
    assert begun.less == ("fct_extra",)
    assert len(world.runs.started) == 1

"""L3 goes on alone, once, in the name of who delegated it; whatever speaks against it, somebody is asked."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.commands import LiftStop
from bot.worker import delegating
from policies import events as e
from policies.autonomy.budget import Budget, RecordRule
from policies.autonomy.record import record
from policies.incident import Phase, StepPhase
from policies.receipt import verify
from tests.bot.worker.levels import (
    a_trusting_world,
    ana_approves,
    ana_does_her_part,
    asked,
    past,
    phase,
    request_of,
    run_ends,
    set_level,
)
from tests.bot.worker.world import World, systems_with
from tests.building import a_person, a_plan, a_step
from tests.clock import FakeClock


@pytest.fixture
async def trusting(tmp_path: Path, clock: FakeClock) -> AsyncIterator[World]:
    async with a_trusting_world(tmp_path, clock) as made:
        yield made


async def test_at_l3_with_a_clean_record_the_bots_step_runs_once_in_the_name_of_the_admin(
    trusting: World,
) -> None:
    await past(trusting)
    await set_level(trusting)
    await asked(trusting)
    state = await request_of(trusting)
    (decision,) = state.decisions
    assert (state.outcome, decision.person, decision.where) == ("approved", "U0DEE", "delegation")
    assert decision.grant.because == "delegated run_job in growth on 2026-09-29, level L3"
    assert state.asked == ()
    await ana_does_her_part(trusting)
    assert len(trusting.runs.started) == 1
    await run_ends(trusting)
    incident = await trusting.incident()
    assert incident.phase is Phase.RESOLVED, incident
    assert len(trusting.runs.started) == 1
    receipts = await trusting.store.receipts()
    assert verify(receipts) is None
    rights = [one["right"] for one in receipts[-1].body["decisions"]]
    assert "delegated run_job in growth on 2026-09-29, level L3" in rights
    assert receipts[-1].body["runs"][1]["approved_by"] == ["U0DEE"]
    counted = record([receipts[-1].body], "growth", "run_job", trusting.clock.now(), RecordRule())
    assert counted.clean == 1


async def test_a_persons_own_step_is_asked_for_at_every_level(trusting: World) -> None:
    await past(trusting)
    await set_level(trusting, "L3", "*")
    await asked(trusting)
    first, second = (await trusting.incident()).requests.values()
    assert first.open
    assert first.request.step_ids != second.request.step_ids
    assert first.asked == (("U0ANA", 0),)


async def test_on_airflow_3_its_owner_presses_run_at_l4_too(trusting: World) -> None:
    """The step is a person's there, whatever its class is trusted with."""
    await set_level(trusting, "L4", "rerun_dag")
    await asked(trusting)
    known = replace(await trusting.incident(), requests={}, steps={})
    assert known.plan is not None
    start = a_step(change_class="rerun_dag", action="trigger_dag", doer="person")
    plan = replace(a_plan(start), checks=known.plan.checks)
    outcome = await delegating.put(trusting.context, known, plan)
    assert [type(fact) for fact in outcome.facts] == [e.ApprovalRequested]
    bots = replace(plan, steps=(replace(start, doer="bot"),))
    alone = await delegating.put(trusting.context, known, bots)
    assert e.ApprovalGranted in [type(fact) for fact in alone.facts], "a step of the bot goes on"


async def test_without_a_clean_record_the_owner_is_asked_and_told_why(trusting: World) -> None:
    await set_level(trusting)
    await asked(trusting)
    (state,) = (await trusting.incident()).requests.values()
    assert state.open
    assert "no clean record yet: 0 of 1 clean receipts" in state.request.asked_because
    await ana_does_her_part(trusting)
    assert len(trusting.runs.started) == 1
    assert (await request_of(trusting)).decisions[0].person == "U0ANA"


async def test_at_l4_no_record_is_needed_but_the_budget_holds(trusting: World) -> None:
    await set_level(trusting, "L4")
    await asked(trusting)
    assert (await request_of(trusting)).outcome == "approved"


@pytest.mark.parametrize(
    ("budget", "why"),
    [
        ({"runs_a_day": 0, "reach": 9}, "the budget of 0 runs a day is spent"),
        ({"runs_a_day": 3, "reach": 1}, "the budget covers 1"),
        (None, "no budget"),
    ],
)
async def test_outside_the_budget_the_owner_is_asked(
    tmp_path: Path, clock: FakeClock, budget: object, why: str
) -> None:
    async with a_trusting_world(tmp_path, clock, budget=budget) as world:
        await past(world)
        await set_level(world)
        await asked(world)
        assert why in (await request_of(world)).request.asked_because


@pytest.mark.parametrize(
    ("cost", "why"),
    [
        (None, "dw.yml does not say what a run of growth_rollups_job costs"),
        (6, "it costs 6, and 0 of the day's 5 are spent"),
        (5, ""),
    ],
)
async def test_what_costs_more_than_the_day_allows_is_asked_for(
    tmp_path: Path, clock: FakeClock, cost: float | None, why: str
) -> None:
    budget = {"runs_a_day": 3, "reach": 9, "cost_a_day": 5}
    async with a_trusting_world(tmp_path, clock, budget=budget) as world:
        jobs = world.context.rules.connections["dagster"].jobs
        jobs["growth_rollups_job"] = jobs["growth_rollups_job"].model_copy(update={"cost": cost})
        await past(world)
        await set_level(world)
        await asked(world)
        assert (await request_of(world)).request.asked_because == why
        await ana_does_her_part(world)
        day = f"{world.clock.now():%Y-%m-%d}"
        assert await world.store.paid("growth", day) == (0 if why else 5)


async def test_a_budget_spent_while_the_step_waited_asks_before_it_starts(
    trusting: World,
) -> None:
    await past(trusting)
    await set_level(trusting)
    await asked(trusting)
    domain = trusting.context.rules.domains["growth"]
    poor = domain.model_copy(update={"budget": Budget(runs_a_day=0, reach=9)})
    trusting.context.rules.domains["growth"] = poor
    await ana_does_her_part(trusting)
    assert trusting.runs.started == []
    state = await request_of(trusting)
    assert state.open
    assert "budget of 0 runs" in state.request.asked_because


async def test_each_run_takes_one_of_the_days_budget(trusting: World) -> None:
    await past(trusting)
    await set_level(trusting)
    await asked(trusting)
    await ana_does_her_part(trusting)
    day = f"{trusting.clock.now():%Y-%m-%d}"
    assert await trusting.store.spent("growth", day) == 1


async def test_a_level_lowered_while_the_step_waited_asks_before_it_starts(
    trusting: World,
) -> None:
    await past(trusting)
    await set_level(trusting)
    await asked(trusting)
    await set_level(trusting, "L2")
    await ana_does_her_part(trusting)
    assert trusting.runs.started == []
    assert (await request_of(trusting)).open


async def test_an_admin_who_left_takes_the_delegation_along(trusting: World) -> None:
    await past(trusting)
    await set_level(trusting)
    trusting.people.people["U0DEE"] = a_person("U0DEE", deactivated=True)
    await asked(trusting)
    assert "no admin any more" in (await request_of(trusting)).request.asked_because


async def test_checks_that_fail_take_the_class_to_l2_and_the_next_one_is_asked_for(
    trusting: World,
) -> None:
    await past(trusting)
    await set_level(trusting)
    await asked(trusting)
    await ana_does_her_part(trusting)
    trusting.systems["warehouse"].values["rows_of_day"] = {"rows": 25000, "last": None}
    await run_ends(trusting)
    incident = await trusting.incident()
    assert incident.phase is Phase.HANDED_OVER
    events = [x.event for x in await trusting.store.entries("DW-1")]
    (lowered,) = [event for event in events if isinstance(event, e.LevelLowered)]
    assert (lowered.was, lowered.level) == ("L3", "L2")
    last = (await trusting.store.levels())[-1]
    assert (last.by, last.level, last.receipt) == (("dw",), "L2", incident.receipt)
    channel, was, told = trusting.slack.levels[-1]
    assert (channel, was, told) == ("#data-alerts", "L3", last), "and its channel is told"
    same_trouble = systems_with(trusting.runs)
    for name, reader in trusting.systems.items():
        reader.values = same_trouble[name].values
    await trusting.alert("Ev2")
    await trusting.later(seconds=1)
    (state,) = (await trusting.incident("DW-2")).requests.values()
    assert state.open


async def test_checks_that_fail_at_l2_have_nothing_to_lower(world: World) -> None:
    await asked(world)
    await ana_does_her_part(world)
    world.systems["warehouse"].values["rows_of_day"] = {"rows": 25000, "last": None}
    await run_ends(world)
    assert (await world.incident()).phase is Phase.HANDED_OVER
    assert await world.store.levels() == []


async def test_a_stop_stops_and_after_the_lift_a_person_looks_first(trusting: World) -> None:
    await past(trusting)
    await set_level(trusting)
    await asked(trusting)
    await ana_approves(trusting)
    await trusting.stop()
    await trusting.backfill()
    await trusting.later(seconds=10)
    assert trusting.runs.started == []
    await trusting.desk.lift(LiftStop(person="U0DEE", at=trusting.clock.now()), a_person("U0DEE"))
    for _ in range(6):
        await trusting.later(seconds=10)
    assert trusting.runs.started == []
    asked_again = list((await trusting.incident()).requests.values())[-1]
    assert asked_again.open
    assert "a person looks first" in asked_again.request.asked_because


async def test_the_second_admin_completes_what_the_first_wished(trusting: World) -> None:
    trusting.context.rules.admins.append("U0BO")
    await past(trusting)
    await set_level(trusting)
    assert "nothing is raised yet" in trusting.slack.whispers[-1]
    assert trusting.slack.levels[-1][2].receipt is None, "the channel is told of the wish too"
    await set_level(trusting)
    assert "nothing is raised yet" in trusting.slack.whispers[-1]
    await set_level(trusting, person="U0BO")
    assert "was L2 and is L3 now" in trusting.slack.whispers[-1]
    await asked(trusting)
    assert {d.person for d in (await request_of(trusting)).decisions} == {"U0DEE", "U0BO"}
    assert await phase(trusting) is StepPhase.APPROVED


@pytest.mark.parametrize("person", ["U0ANA", "U0DWBOT", "U0GONE", ""])
async def test_a_level_set_by_anybody_else_is_refused_and_told(
    trusting: World, person: str
) -> None:
    await set_level(trusting, person=person)
    assert await trusting.store.levels() == []
    assert (await trusting.store.head())[0] == 0
    assert "only an admin" in trusting.slack.whispers[-1]


async def test_a_row_in_the_table_without_its_receipt_gives_no_right(trusting: World) -> None:
    await past(trusting, count=2)
    await set_level(trusting, "L2", "*")
    await set_level(trusting)
    forged = (await trusting.store.levels())[-1]
    async with trusting.store.database.write() as connection:
        await connection.exec_driver_sql("UPDATE level SET receipt = 1")
    assert forged.receipt != 1
    await asked(trusting)
    assert "no receipt proves" in (await request_of(trusting)).request.asked_because

"""On Airflow 3 nothing is started by the bot: the owner's own run is found, taken, and followed."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.commands import Polled, Received
from bot.desk import Desk
from bot.worker.context import Systems
from bot.worker.kinds import KINDS
from bot.worker.loop import Worker
from bot.worker.polling import first_looks
from connectors.errors import Throttled
from policies import events as e
from policies.incident import Phase, StepPhase
from policies.run import Run, RunState
from tests.bot.fakes import FakeOrchestrator
from tests.bot.worker.world import World
from tests.policies import friday

STEP = f"run_{friday.DAG}"


@pytest.fixture
async def billing(world: World) -> World:
    """The same small world with an Airflow 3 in it."""
    told = {name: dict(value) for (_, name), value in friday.answers().items()}  # type: ignore[arg-type]
    airflow = FakeOrchestrator("airflow", world.runs, told)  # type: ignore[arg-type]
    rules = friday.rules(version=3)
    systems = Systems(readers={"airflow": airflow}, orchestrators={"airflow": airflow})
    world.context = replace(world.context, rules=rules, systems=systems)
    world.worker = Worker(world.context, KINDS, asyncio.Event())
    world.desk = Desk(world.store, rules, world.clock, asyncio.Event())
    world.systems = {"airflow": airflow}
    return world


async def ready(world: World) -> None:
    """The alert came, the plan was drafted, the owner said yes."""
    command = Polled(alert=friday.an_alert())
    item = Received(key="Ev1", command=command, raw="", at=world.clock.now())
    await world.desk.receive(item)
    await world.work()
    await world.later(seconds=1)
    await world.approve()
    assert await phase(world) is StepPhase.READY


async def phase(world: World) -> StepPhase:
    return (await world.incident()).steps[STEP].phase


def a_run(name: str, **changes: object) -> Run:
    known = {
        "connection": "airflow",
        "id": f"{friday.DAG}/{name}",
        "job": friday.DAG,
        "state": RunState.RUNNING,
        "tags": {"run_type": "manual"},
        "conf": {"usage_date": "2026-10-01"},
    }
    return Run(**{**known, **changes})  # type: ignore[arg-type]


async def triggers(world: World, name: str = "manual__1", **changes: object) -> Run:
    at = world.clock.advance(seconds=5)
    run = world.runs.add(a_run(name, **{"created_at": at, **changes}))
    await world.later(seconds=15)
    return run


async def journal(world: World) -> list[e.Event]:
    return [entry.event for entry in await world.store.entries("DW-1")]


async def test_the_owners_run_is_recognised_followed_and_the_incident_goes_on(
    billing: World,
) -> None:
    await ready(billing)
    run = await triggers(billing)
    assert await phase(billing) is StepPhase.STARTED
    [found] = [x for x in await journal(billing) if isinstance(x, e.RunRecognised)]
    assert found.run.id == run.id
    assert "usage_date=2026-10-01" in found.because
    billing.runs.end(run.id)
    await billing.later(seconds=10)
    assert await phase(billing) is StepPhase.DONE
    assert (await billing.incident()).phase in (Phase.VERIFYING, Phase.RESOLVED, Phase.HANDED_OVER)
    assert billing.runs.started == []


async def test_a_run_started_before_the_step_was_ready_ran_on_bad_data_and_is_not_taken(
    billing: World,
) -> None:
    early = billing.clock.now()
    await ready(billing)
    await triggers(billing, created_at=early)
    assert await phase(billing) is StepPhase.READY


async def test_of_two_that_fit_none_is_taken_and_it_is_asked_once(billing: World) -> None:
    await ready(billing)
    at = billing.clock.now() + timedelta(seconds=1)
    for name in ("manual__1", "manual__2"):
        billing.runs.add(a_run(name, created_at=at))
    for _ in range(3):
        await billing.later(seconds=15)
    held = [x for x in await journal(billing) if isinstance(x, e.StepHeld)]
    assert len(held) == 1
    assert "manual__1" in held[0].why
    assert "manual__2" in held[0].why
    assert await phase(billing) is StepPhase.READY
    billing.runs.end(f"{friday.DAG}/manual__2", RunState.FAILED)
    await billing.later(seconds=15)
    assert await phase(billing) is StepPhase.STARTED


async def test_a_run_of_the_owner_that_fails_is_theirs_to_start_again(billing: World) -> None:
    await ready(billing)
    run = await triggers(billing)
    billing.runs.end(run.id, RunState.FAILED)
    await billing.later(seconds=10)
    assert await phase(billing) is StepPhase.READY
    again = await triggers(billing, "manual__2")
    assert (await billing.incident()).steps[STEP].run == again


async def test_a_run_that_failed_is_polled_once_and_once_more_when_it_was_cleared_and_failed_again(
    billing: World,
) -> None:
    rules = billing.context.rules.model_copy(update={"poll_every": timedelta(seconds=30)})
    billing.context = replace(billing.context, rules=rules)
    billing.worker = Worker(billing.context, KINDS, asyncio.Event())
    ended = billing.clock.now() + timedelta(seconds=10)
    failed = Run(
        connection="airflow",
        id=friday.RUN,
        job=friday.DAG,
        state=RunState.FAILED,
        partition=friday.DAY,
        tags={"run_type": "scheduled", "logical_date": friday.LOGICAL},
        created_at=ended,
        started_at=ended,
        ended_at=ended,
    )
    billing.runs.add(failed)
    await billing.store.add(first_looks(["airflow"], billing.clock.now()), keep=True)
    for _ in range(3):
        await billing.later(seconds=31)
    assert len((await billing.incident()).alerts) == 1
    later = ended + timedelta(seconds=95)
    billing.runs.add(replace(failed, created_at=later, ended_at=later))
    await billing.later(seconds=31)
    incident = await billing.incident()
    assert len(incident.alerts) == 2
    assert incident.alerts[0].extra["logical_date"] == friday.LOGICAL


async def test_while_a_task_waits_for_its_retry_nothing_is_diagnosed_or_asked(
    billing: World,
) -> None:
    told = billing.systems["airflow"].values
    failed = told["run_failure"]
    told["run_failure"] = Throttled("run x has not ended: stg_usage_events will be tried again")
    item = Received(
        key="Ev1", command=Polled(alert=friday.an_alert()), raw="", at=billing.clock.now()
    )
    await billing.desk.receive(item)
    for _ in range(3):
        await billing.later(seconds=10)
    waiting = await billing.incident()
    assert (waiting.phase, waiting.diagnosis, waiting.requests) == (Phase.OPEN, None, {})
    told["run_failure"] = failed
    for _ in range(3):
        await billing.later(seconds=20)
    assert len((await billing.incident()).requests) == 1

"""What every actuator must do, whatever it changes. A new actuator is one more row in `CASES`."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from connectors.base import Actuator
from connectors.errors import NotFound, Rejected
from policies.approval import Approved, ForgedApproval, NotApproved
from policies.plan import Step
from tests.building import NOW, a_plan, a_step, approved
from tests.connectors.airflow.fake_airflow import DAG, Queueing
from tests.connectors.dagster.fake_dagster import Launching
from tests.connectors.dbt_cloud.account import Account
from tests.connectors.prefect.fake_prefect import CREATE, Creating

KEY = "DW-7:rollups:0123456789ab"


@dataclass(frozen=True, kw_only=True)
class Case:
    """One kind of actuator with a step it can do; `asked` and `started` count calls on the wire."""

    actuator: Actuator
    step: Step
    unnamed: Step
    asked: Callable[[], int]
    started: Callable[[], int]


def dagster() -> Case:
    fake = Launching().fake()
    return Case(
        actuator=fake.actuator(),
        step=a_step(params={"job": "growth_rollups_job"}),
        unnamed=a_step(params={"job": "drop_everything_job"}),
        asked=lambda: len(fake.asked),
        started=lambda: fake.count("DwLaunch"),
    )


def prefect() -> Case:
    fake = Creating().fake()
    step = a_step(action="run_deployment", params={"job": "growth-rollups/prod"})
    return Case(
        actuator=fake.actuator(),
        step=step,
        unnamed=replace(step, params={"job": "growth-rollups/drop-everything"}),
        asked=lambda: len(fake.asked),
        started=lambda: len(fake.bodies(CREATE)),
    )


def airflow() -> Case:
    fake = Queueing().fake()
    return Case(
        actuator=fake.actuator(),
        step=a_step(action="run_dag", params={"job": DAG}),
        unnamed=a_step(action="run_dag", params={"job": "drop_everything"}),
        asked=lambda: len(fake.asked),
        started=lambda: fake.count("POST"),
    )


def dbt_cloud() -> Case:
    account = Account()
    step = a_step(action="run_dbt_job", params={"job": "Daily build"})
    return Case(
        actuator=account.actuator(),
        step=step,
        unnamed=replace(step, params={"job": "Drop everything"}),
        asked=lambda: len(account.asked),
        started=lambda: account.count("/run/"),
    )


CASES: list[Callable[[], Case]] = [dagster, prefect, airflow, dbt_cloud]


@pytest.fixture(params=CASES, ids=lambda case: case.__name__)
def case(request: pytest.FixtureRequest) -> Case:
    return request.param()


async def refuse(case: Case, step: Step, yes: Approved, now: object = NOW) -> None:
    with pytest.raises(NotApproved):
        await case.actuator.act(step, yes, key=KEY, now=now)  # type: ignore[arg-type]
    assert case.asked() == 0


async def test_an_approved_step_is_started_once(case: Case) -> None:
    run = await case.actuator.act(case.step, approved(a_plan(case.step)), key=KEY, now=NOW)
    assert run.id
    assert run.connection == case.actuator.connection
    assert case.started() == 1


async def test_a_step_that_was_not_approved_never_reaches_the_wire(case: Case) -> None:
    await refuse(case, case.step, approved(a_plan(replace(case.step, id="another"))))


async def test_one_changed_parameter_is_another_step(case: Case) -> None:
    changed = replace(case.step, params={**case.step.params, "partition": "2026-09-28"})
    await refuse(case, changed, approved(a_plan(case.step)))


async def test_an_approval_that_ran_out_is_none(case: Case) -> None:
    await refuse(case, case.step, approved(a_plan(case.step)), NOW + timedelta(days=2))


async def test_an_approval_can_not_be_made_by_hand(case: Case) -> None:
    with pytest.raises(ForgedApproval):
        Approved(object(), request_id="r", digest="d", steps=(case.step,), because=(), until=NOW)


async def test_an_action_it_does_not_know_never_reaches_the_wire(case: Case) -> None:
    odd = replace(case.step, action="delete_everything")
    with pytest.raises(NotFound, match="no action 'delete_everything'"):
        await case.actuator.act(odd, approved(a_plan(odd)), key=KEY, now=NOW)
    assert case.asked() == 0


async def test_parameters_it_does_not_take_never_reach_the_wire(case: Case) -> None:
    odd = replace(case.step, params={**case.step.params, "colour": "red"})
    with pytest.raises(Rejected, match=r"parameters \(colour: .*Nothing was started"):
        await case.actuator.act(odd, approved(a_plan(odd)), key=KEY, now=NOW)
    assert case.asked() == 0


async def test_what_dw_yml_does_not_name_never_reaches_the_wire(case: Case) -> None:
    yes = approved(a_plan(case.unnamed))
    with pytest.raises(Rejected, match="Nothing was started"):
        await case.actuator.act(case.unnamed, yes, key=KEY, now=NOW)
    assert case.asked() == 0


async def test_the_same_key_twice_is_one_run(case: Case) -> None:
    yes = approved(a_plan(case.step))
    first = await case.actuator.act(case.step, yes, key=KEY, now=NOW)
    second = await case.actuator.act(case.step, yes, key=KEY, now=NOW)
    assert (first.id, case.started()) == (second.id, 1)


async def test_the_same_key_many_times_at_once_is_one_run(case: Case) -> None:
    yes = approved(a_plan(case.step))
    every = await asyncio.gather(
        *(case.actuator.act(case.step, yes, key=KEY, now=NOW) for _ in range(5))
    )
    assert ({run.id for run in every}, case.started()) == ({every[0].id}, 1)


async def test_another_key_is_another_run(case: Case) -> None:
    yes = approved(a_plan(case.step))
    first = await case.actuator.act(case.step, yes, key=KEY, now=NOW)
    second = await case.actuator.act(case.step, yes, key=f"{KEY}-2", now=NOW)
    assert first.id != second.id


async def test_what_was_never_started_is_not_found(case: Case) -> None:
    assert await case.actuator.find(KEY, case.step) is None

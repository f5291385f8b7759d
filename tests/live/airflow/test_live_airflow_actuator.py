"""Queueing runs on a real Airflow 2.11, with a role that may do that for three DAGs and nothing more."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from connectors.airflow import AirflowActuator, AirflowReader
from connectors.airflow.actuator import RunDag, run_id_of, wanted_body
from connectors.errors import Forbidden, NotFound, Rejected, TooSlow
from connectors.http import Patience
from policies.approval import NotApproved
from policies.evidence import Probe
from policies.run import RunState
from tests.building import NOW, a_plan, approved
from tests.live.airflow.proxy import before
from tests.live.airflow.server import Airflow
from tests.live.airflow.world import (
    LONG_AGO,
    World,
    a_run_of,
    act,
    acting,
    by_owner,
    reading,
    to_the_end,
)

pytestmark = [pytest.mark.live, pytest.mark.timeout(300)]  # the first one waits for both servers
BILLING = "usage_billing_daily"
MENDED = {"duplicates": False}


@pytest.fixture
def two(world: World) -> Airflow:
    return world.servers[2]


@pytest.fixture
async def reader(two: Airflow) -> AsyncIterator[AirflowReader]:
    reader = reading(two)
    yield reader
    await reader.close()


@pytest.fixture
async def actuator(two: Airflow) -> AsyncIterator[AirflowActuator]:
    actuator = acting(two.url)
    yield actuator
    await actuator.close()


async def runs_of(reader: AirflowReader, dag: str) -> list[str]:
    return [run.id for run in await reader.runs_since(LONG_AGO, job=dag)]


async def test_the_approved_run_happens_for_the_day_of_the_failed_one(
    world: World, reader: AirflowReader, actuator: AirflowActuator
) -> None:
    failed = world.ended[2][BILLING]
    day = {"interval": failed.interval, "logical_date": failed.tags["logical_date"]}
    step = a_run_of(BILLING, config=MENDED, partition=failed.partition, **day)
    run = await to_the_end(reader, await act(actuator, step, "DW-1:run_billing:1"))
    assert (run.state, run.interval, run.partition) == (
        RunState.SUCCEEDED,
        failed.interval,
        failed.partition,
    )
    params = {"run_id": run.id, "task": "stg_usage_events", "lines": 200}
    probe = Probe(connection="airflow", name="task_log", params=params)
    log: Any = (await reader.read(probe, evidence_id="E1", now=NOW)).value
    assert f"ds={failed.partition} " in "\n".join(log["tail"])


async def test_the_same_wish_at_the_same_moment_is_one_run(
    reader: AirflowReader, actuator: AirflowActuator
) -> None:
    key, earlier = "DW-2:run_quick:1", await runs_of(reader, "quick")
    every = await asyncio.gather(*(act(actuator, a_run_of("quick"), key) for _ in range(3)))
    assert {run.id for run in every} == {f"quick/{run_id_of(key)}"}
    assert len(await runs_of(reader, "quick")) <= len(earlier) + 1


async def test_the_approved_run_happens_once_though_the_answer_was_lost(
    two: Airflow, actuator: AirflowActuator
) -> None:
    key, step = "DW-3:run_quick:1", a_run_of("quick")
    async with before(two.url, lose_starts=True) as proxy:
        hasty = acting(proxy.url, patience=Patience(whole=8))
        with pytest.raises(TooSlow, match="outcome is unknown"):
            await act(hasty, step, key)
        found = await hasty.find(key, step)
        assert found is not None
        again = await act(hasty, step, key)
        await hasty.close()
    assert again.id == found.id
    assert again.tags["dw/adopted"] == "yes"
    assert len(proxy.starts()) == 1


async def test_a_409_for_our_own_id_is_adopted(two: Airflow) -> None:
    """Between looking and queueing somebody else of ours has queued it."""
    key = "DW-4:run_quick:1"

    def meanwhile() -> None:
        by_owner(two, "quick", dag_run_id=run_id_of(key))

    async with before(two.url, meanwhile=meanwhile) as proxy:
        late = acting(proxy.url)
        run = await act(late, a_run_of("quick"), key)
        await late.close()
    assert run.id == f"quick/{run_id_of(key)}"
    assert run.tags["dw/adopted"] == "yes"


async def test_a_409_for_the_logical_date_of_another_run_is_told_apart(
    two: Airflow, world: World
) -> None:
    failed, key = world.ended[2][BILLING], "DW-5:run_billing:1"
    day = {"interval": failed.interval, "logical_date": failed.tags["logical_date"]}
    step = a_run_of(BILLING, config=MENDED, **day)
    wanted = wanted_body(RunDag.model_validate(dict(step.params)), key)["logical_date"]

    def meanwhile() -> None:
        by_owner(two, BILLING, logical_date=wanted, conf=MENDED)

    async with before(two.url, meanwhile=meanwhile) as proxy:
        late = acting(proxy.url)
        with pytest.raises(Rejected, match="holds the logical date"):
            await act(late, step, key)
        assert await late.find(key, step) is None
        await late.close()


async def test_a_paused_dag_is_not_queued(reader: AirflowReader, actuator: AirflowActuator) -> None:
    earlier = await runs_of(reader, "paused_export")
    with pytest.raises(Rejected, match=r"it is paused.* Nothing was started"):
        await act(actuator, a_run_of("paused_export"), "DW-6:x:1")
    assert await runs_of(reader, "paused_export") == earlier


@pytest.mark.parametrize(
    ("user", "dag", "words"),
    [
        ("viewer", "quick", "may read quick but not run it"),
        ("queuer", "masked_failure", "may read masked_failure but not run it"),
    ],
)
async def test_a_credential_that_may_only_read_is_a_clear_refusal(
    two: Airflow, reader: AirflowReader, user: str, dag: str, words: str
) -> None:
    earlier, weak = await runs_of(reader, dag), acting(two.url, user)
    with pytest.raises(Forbidden, match=rf"{words}.* Nothing was started"):
        await act(weak, a_run_of(dag), f"DW-7:{user}:1")
    assert await runs_of(reader, dag) == earlier
    await weak.close()


async def test_a_configuration_that_does_not_fit_starts_nothing(
    reader: AirflowReader, actuator: AirflowActuator
) -> None:
    earlier = await runs_of(reader, BILLING)
    with pytest.raises(Rejected, match=r"usage_date.* Nothing was started"):
        await act(actuator, a_run_of(BILLING, config={"usage_date": "no day"}), "DW-8:x:1")
    assert await runs_of(reader, BILLING) == earlier


async def test_a_dag_that_is_not_there(actuator: AirflowActuator) -> None:
    with pytest.raises(NotFound):
        await act(actuator, a_run_of("gone"), "DW-9:x:1")


async def test_a_step_without_a_yes_starts_nothing(
    reader: AirflowReader, actuator: AirflowActuator
) -> None:
    earlier = await runs_of(reader, "quick")
    yes = approved(a_plan(a_run_of("paused_export")))
    with pytest.raises(NotApproved):
        await actuator.act(a_run_of("quick"), yes, key="DW-10:x:1", now=NOW)
    assert await runs_of(reader, "quick") == earlier

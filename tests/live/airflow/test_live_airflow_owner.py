"""On a real Airflow 3.3 the owner starts the drafted run in Airflow's own way, and it is recognised."""

import json
import shlex
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest

from connectors.airflow import AirflowReader
from connectors.errors import Forbidden
from policies.evidence import Probe
from policies.plan import Step
from policies.recognition import Recognised, Several, recognise_run
from policies.run import RunState
from tests.building import NOW, a_step
from tests.live.airflow.proxy import before
from tests.live.airflow.server import Airflow
from tests.live.airflow.world import (
    World,
    a_run_of,
    act,
    acting,
    asked,
    by_owner,
    reading,
    to_the_end,
)

pytestmark = [pytest.mark.live, pytest.mark.timeout(300)]  # the first one waits for both servers
BILLING = "usage_billing_daily"
CONF = {"duplicates": False, "usage_date": "2026-10-01"}


@pytest.fixture
def three(world: World) -> Airflow:
    return world.servers[3]


@pytest.fixture
async def reader(three: Airflow) -> AsyncIterator[AirflowReader]:
    reader = reading(three)
    yield reader
    await reader.close()


async def can_run(reader: AirflowReader, **params: Any) -> Any:
    probe = Probe(connection="airflow", name="can_run", params={"job": BILLING, **params})
    return (await reader.read(probe, evidence_id="E1", now=NOW)).value


def drafted(told: Any, conf: Any, **params: Any) -> Step:
    known = {"job": BILLING, "config": conf, "defaults": told["defaults"], **params}
    return a_step(doer="person", action="trigger_dag", params=known, command=told["command"])


async def test_the_owners_run_is_recognised_by_dag_conf_and_time_and_followed(
    three: Airflow, reader: AirflowReader
) -> None:
    step = drafted(await can_run(reader, config=CONF), CONF)
    by_owner(three, BILLING, conf=CONF)  # before its turn: does not count
    since = datetime.now(UTC)  # noqa: TID251 - the server runs by this clock
    by_owner(three, BILLING, conf={"duplicates": False})
    mine = by_owner(three, BILLING, conf=CONF)
    found = recognise_run(step, await reader.runs_since(since, job=BILLING), since)
    assert isinstance(found, Recognised)
    assert found.run.id == mine
    assert "with duplicates=False, usage_date=2026-10-01" in found.because
    assert (await to_the_end(reader, found.run)).state is RunState.SUCCEEDED


async def test_when_two_fit_none_is_taken(three: Airflow, reader: AirflowReader) -> None:
    conf = {**CONF, "usage_date": "2026-10-02"}
    step = drafted(await can_run(reader, config=conf), conf)
    since = datetime.now(UTC)  # noqa: TID251 - the server runs by this clock
    both = {by_owner(three, BILLING, conf=conf) for _ in range(2)}
    found = recognise_run(step, await reader.runs_since(since, job=BILLING), since)
    assert isinstance(found, Several)
    assert {run.id for run in found.runs} == both


async def test_the_drafted_command_starts_the_run_of_the_failed_interval(
    three: Airflow, world: World, reader: AirflowReader
) -> None:
    failed = world.ended[3][BILLING]
    day = {"interval": failed.interval, "logical_date": failed.tags["logical_date"]}
    conf = {"duplicates": False}
    told = await can_run(reader, config=conf, **day)
    since = datetime.now(UTC)  # noqa: TID251 - the server runs by this clock
    typed = shlex.split(told["command"])
    assert typed[3] == f"{three.api}/dags/{BILLING}/dagRuns"
    asked(three, "POST", f"dags/{BILLING}/dagRuns", json.loads(typed[-1]))
    step = drafted(told, conf, **day, partition=failed.partition)
    found = recognise_run(step, await reader.runs_since(since, job=BILLING), since)
    assert isinstance(found, Recognised)
    run = await to_the_end(reader, found.run)
    assert (run.state, run.interval) == (RunState.SUCCEEDED, failed.interval)


async def test_the_run_itself_cleared_by_its_owner_is_recognised(
    three: Airflow, reader: AirflowReader
) -> None:
    ended = await to_the_end(reader, await reader.run(by_owner(three, "quick")))
    step = a_step(
        doer="person",
        action="trigger_dag",
        params={"job": "quick", "config": {}, "replaces": ended.id},
    )
    since = datetime.now(UTC)  # noqa: TID251 - the server runs by this clock
    _, _, run_id = ended.id.partition("/")
    clear = {"dry_run": False, "only_failed": False}
    asked(three, "POST", f"dags/quick/dagRuns/{run_id}/clear", clear)
    found = recognise_run(step, await reader.runs_since(since, job="quick"), since)
    assert isinstance(found, Recognised)
    assert found.because.startswith("the failed run itself was cleared")


async def test_airflow_3_sees_no_write_whatever_is_asked(three: Airflow, world: World) -> None:
    earlier = asked(three, "GET", "dags/quick/dagRuns")["total_entries"]
    async with before(three.url) as proxy:
        reader = reading(three, proxy.url)
        await reader.ping()
        for run in world.ended[3].values():
            probe = Probe(connection="airflow", name="run_failure", params={"run_id": run.id})
            await reader.read(probe, evidence_id="E1", now=NOW)
        actuator = acting(proxy.url, "admin")
        with pytest.raises(Forbidden, match=r"Airflow 3\.3\.2 by now.* Nothing was started"):
            await act(actuator, a_run_of("quick"), "DW-1:x:1")
        await reader.close()
        await actuator.close()
    assert {line for line in proxy.seen if not line.startswith("GET ")} == {"POST /auth/token"}
    assert asked(three, "GET", "dags/quick/dagRuns")["total_entries"] == earlier

"""The run that a DAG's schedule promises: to come, missing, queued for ever, or not expected at all."""

from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from policies.evidence import Probe
from tests.connectors.airflow.fake_airflow import DAG, FakeAirflow, Major, response

NOW = datetime(2026, 11, 30, 21, tzinfo=UTC)
BOTH: tuple[Major, ...] = (2, 3)
RUNS = f"dags/{DAG}/dagRuns"
NEXT = {
    2: {"next_dagrun_create_after": "2026-11-30T20:00:00+00:00", "next_dagrun": "2026-11-29T00:00:00+00:00"},
    3: {"next_dagrun_run_after": "2026-11-30T20:00:00Z", "next_dagrun_logical_date": "2026-11-29T00:00:00Z"},
}  # fmt: skip


def health(_: httpx.Request) -> httpx.Response:
    sign = {"status": "unhealthy", "latest_scheduler_heartbeat": "2026-11-30T03:10:00Z"}
    return httpx.Response(200, json={"scheduler": sign})


def airflow(major: Major, newest: list[dict[str, Any]], **dag: Any) -> FakeAirflow:
    answer = response(f"v{major - 1}_dag", **{**NEXT[major], **dag})
    return (
        FakeAirflow(major)
        .gets(f"dags/{DAG}", lambda _: answer)
        .gets(RUNS, lambda _: httpx.Response(200, json={"dag_runs": newest, "total_entries": 1}))
        .gets({2: "health", 3: "monitor/health"}[major], health)
    )


def a_run(state: str) -> dict[str, Any]:
    ids = {"dag_id": DAG, "dag_run_id": "scheduled__1", "state": state}
    return {**ids, "queued_at": "2026-11-30T19:00:00Z", "start_date": None}


async def ask(fake: FakeAirflow) -> Any:
    probe = Probe(connection="airflow", name="expected", params={"job": DAG, "at": NOW.isoformat()})
    return (await fake.reader().read(probe, evidence_id="E1", now=NOW)).value


@pytest.mark.parametrize("major", BOTH)
async def test_one_whose_hour_has_passed_is_due_and_the_scheduler_is_told_of(major: Major) -> None:
    fake = airflow(major, [])
    said = await ask(fake)
    assert (said["due_at"], said["held"]) == ("2026-11-30T20:00:00Z", None)
    assert said["partition"] == "2026-11-29"
    assert (
        said["says"] == "Airflow calls its scheduler unhealthy, last sign at 2026-11-30 03:10 UTC"
    )


@pytest.mark.parametrize("major", BOTH)
async def test_one_that_is_queued_for_ever_has_not_begun(major: Major) -> None:
    said = await ask(airflow(major, [a_run("queued")]))
    assert said["due_at"] == "2026-11-30T19:00:00Z"
    assert said["says"].startswith("run scheduled__1 is queued; Airflow calls its scheduler")


@pytest.mark.parametrize("major", BOTH)
async def test_a_paused_dag_is_said_to_be_paused(major: Major) -> None:
    said = await ask(airflow(major, [], is_paused=True))
    assert (said["held"], said["says"]) == ("it is paused", "")


@pytest.mark.parametrize("major", BOTH)
async def test_a_healthy_dag_costs_two_requests_besides_the_version(major: Major) -> None:
    to_come = dict.fromkeys(NEXT[major], "2026-12-01T00:00:00Z")
    fake = airflow(major, [a_run("success")], **to_come)
    reader = fake.reader()
    probe = Probe(connection="airflow", name="expected", params={"job": DAG, "at": NOW.isoformat()})
    await reader.read(probe, evidence_id="E1", now=NOW)
    before = len(fake.asked)
    said = (await reader.read(probe, evidence_id="E1", now=NOW)).value
    assert said["says"] == ""
    assert len(fake.asked) - before == 2


@pytest.mark.parametrize("major", BOTH)
async def test_a_dag_that_is_gone_from_the_code_says_why_it_did_not_come(major: Major) -> None:
    gone = {2: {"is_active": False}, 3: {"is_stale": True}}[major]
    said = await ask(airflow(major, [], **gone))
    assert "gone from the code" in said["says"]


@pytest.mark.parametrize("major", BOTH)
@pytest.mark.parametrize("newest", ["running", "queued"])
async def test_one_that_waits_for_its_own_earlier_runs_is_not_missing(
    major: Major, newest: str
) -> None:
    said = await ask(airflow(major, [a_run(newest)], max_active_runs=1))
    assert (
        said["held"] == "1 of its runs are running, as many as may at once; the next waits for them"
    )
    fewer = await ask(airflow(major, [a_run(newest)], max_active_runs=2))
    assert fewer["held"] is None


@pytest.mark.parametrize("major", BOTH)
async def test_one_that_was_just_deployed_and_has_never_run_is_due_at_its_first_hour(
    major: Major,
) -> None:
    to_come = dict.fromkeys(NEXT[major], "2026-12-01T00:00:00Z")
    said = await ask(airflow(major, [], **to_come))
    assert (said["due_at"], said["began_at"], said["says"]) == ("2026-12-01T00:00:00Z", None, "")

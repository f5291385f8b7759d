"""The run that a deployment's schedule promises: to come, late, or not expected while it is paused."""

from typing import Any

from policies.evidence import Probe
from tests.building import NOW
from tests.connectors.prefect.fake_prefect import NAMED, FakePrefect, a_run, moment, recorded

JOB = "growth-rollups/prod"
WAITS = {"state_type": "SCHEDULED", "auto_scheduled": True, "end_time": None, "start_time": None}


async def ask(*runs: dict[str, Any], **deployment: Any) -> tuple[Any, FakePrefect]:
    def listed(body: dict[str, Any]) -> list[dict[str, Any]]:
        wanted = body["flow_runs"]["state"]["type"]["any_"]
        return [run for run in runs if run["state_type"] in wanted]

    known = {**recorded("deployment")["body"], **deployment}
    fake = FakePrefect({"/flow_runs/filter": listed, NAMED: lambda _: known})
    probe = Probe(connection="prefect", name="expected", params={"job": JOB})
    return (await fake.reader().read(probe, evidence_id="E1", now=NOW)).value, fake


async def test_a_late_run_is_the_oldest_that_has_not_begun() -> None:
    late = a_run(60, **WAITS, state_name="Late")
    said, fake = await ask(late, a_run(90, **WAITS, state_name="Scheduled"))
    assert said["due_at"] == "2026-09-29T00:01:00+00:00"
    assert said["says"].startswith("Prefect calls it Late")
    assert fake.bodies("/flow_runs/filter")[0]["sort"] == "EXPECTED_START_TIME_ASC"


async def test_one_that_nobody_calls_late_is_due_all_the_same() -> None:
    said, _ = await ask(a_run(60, **WAITS, state_name="Scheduled"))
    assert said["due_at"] == "2026-09-29T00:01:00+00:00"


async def test_one_that_waits_to_be_tried_again_has_begun() -> None:
    retried = {**WAITS, "start_time": moment(61)}
    said, _ = await ask(a_run(60, **retried, state_name="AwaitingRetry"))
    assert said["due_at"] is None


async def test_a_paused_deployment_expects_no_run() -> None:
    said, _ = await ask(paused=True)
    assert (said["due_at"], said["held"]) == (None, "it is paused")


async def test_when_the_newest_run_began_is_told() -> None:
    began = a_run(70, state_type="RUNNING", start_time=moment(71))
    said, _ = await ask(began)
    assert said["began_at"] == "2026-09-29T00:01:11+00:00"

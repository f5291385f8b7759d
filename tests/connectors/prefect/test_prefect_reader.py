"""What the Prefect reader makes of what a real Prefect answered."""

from datetime import UTC, datetime

import httpx
import pytest

from connectors.errors import Broken, Forbidden, Malformed, NotFound, TooSlow
from connectors.http import WriteByReader
from policies.run import RunState
from tests.connectors.prefect.fake_prefect import (
    DEPLOYMENT,
    FAILED_RUN,
    NAMED,
    Answer,
    FakePrefect,
    a_run,
    ask,
    failing,
    moment,
    recorded,
)

SINCE = datetime(2026, 9, 29, tzinfo=UTC)
RUN = f"/flow_runs/{FAILED_RUN}"
RUNS = "/flow_runs/filter"


async def test_a_failed_run_tells_its_task_and_what_it_raised() -> None:
    said = await ask(failing(), "run_failure", run_id=FAILED_RUN)
    assert said["steps_failed"] == [
        {
            "step": "load",
            "error": "ValueError: duplicate key value violates unique constraint: event_id=42",
        }
    ]
    assert (said["job"], said["status"]) == ("growth-rollups/prod", "FAILED")
    assert said["code_version"] == "0b3970a6daf6c01d5d32d75f2bfda167"
    assert said["assets_planned"] == ["agg_weekly_engagement"]
    assert said["assets_materialized"] == []
    assert said["url"] == f"http://prefect.example.com/runs/flow-run/{FAILED_RUN}"


async def test_the_version_of_a_run_is_what_its_deployment_calls_it_not_the_hash_of_its_file() -> (
    None
):
    run = recorded("run_failed")["body"] | {"deployment_version": "release-7"}
    said = await ask(failing(run=lambda _: run), "run_failure", run_id=FAILED_RUN)
    assert said["code_version"] == "release-7"


async def test_a_flow_that_fails_with_no_failed_task_is_the_step_that_failed() -> None:
    said = await ask(failing(tasks=lambda _: []), "run_failure", run_id=FAILED_RUN)
    assert [step["step"] for step in said["steps_failed"]] == ["growth-rollups"]


async def test_a_failed_task_that_the_flow_caught_is_not_blamed_first() -> None:
    caught = {**recorded("task_runs")["body"][0], "state": None}
    said = await ask(failing(tasks=lambda _: [caught]), "run_failure", run_id=FAILED_RUN)
    assert [step["step"] for step in said["steps_failed"]] == ["growth-rollups", "load"]


async def test_a_parameter_that_looks_like_a_secret_is_withheld() -> None:
    run = {**recorded("run_failed")["body"], "parameters": {"api_key": "planted"}}
    said = await ask(failing(run=lambda _: run), "run_failure", run_id=FAILED_RUN)
    assert (said["conf"], said["conf_withheld"]) == (None, True)
    assert (await failing(run=lambda _: run).reader().run(FAILED_RUN)).conf is None


async def test_the_log_is_told_oldest_first_and_bounded() -> None:
    fake = failing()
    said = await ask(fake, "task_log", run_id=FAILED_RUN, lines=4)
    assert len(said["tail"]) == 4
    assert said["tail"][-1][9:].startswith("Task run failed with exception: ValueError")
    [asked] = fake.bodies("/logs/filter")
    assert (asked["limit"], asked["logs"]["level"]) == (4, {"ge_": 40})


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("SCHEDULED", RunState.QUEUED),
        ("PENDING", RunState.QUEUED),
        ("RUNNING", RunState.RUNNING),
        ("PAUSED", RunState.RUNNING),
        ("CANCELLING", RunState.RUNNING),
        ("COMPLETED", RunState.SUCCEEDED),
        ("FAILED", RunState.FAILED),
        ("CRASHED", RunState.FAILED),
        ("CANCELLED", RunState.CANCELLED),
        ("SOMETHING_NEW", RunState.RUNNING),
    ],
)
async def test_a_state_is_judged_by_its_type_whatever_its_name(
    state: str, expected: RunState
) -> None:
    run = a_run(1, state_type=state, state_name="Completed by hand")
    fake = FakePrefect({f"/flow_runs/{run['id']}": lambda _: run})
    assert (await fake.reader().run(run["id"])).state is expected


async def test_what_a_run_says_is_told_without_secrets_in_lists_as_well() -> None:
    said = {"type": "FAILED", "message": "Flow run encountered an exception: password=planted"}
    fake = FakePrefect({RUNS: lambda _: [a_run(1, state=said)]})
    [run] = await fake.reader().failed_between(SINCE)
    assert "password" in run.says
    assert "planted" not in run.says


async def test_a_run_that_waits_for_a_free_slot_says_what_prefect_calls_that() -> None:
    waits = a_run(1, state_type="SCHEDULED", state_name="AwaitingConcurrencySlot")
    fake = FakePrefect({f"/flow_runs/{waits['id']}": lambda _: waits})
    run = await fake.reader().run(waits["id"])
    assert run.says.startswith("waits, and Prefect calls it AwaitingConcurrencySlot")


async def test_a_late_run_says_since_when_and_that_nobody_serves_it() -> None:
    [late] = recorded("runs_late")["body"]
    unserved = {**recorded("deployment")["body"], "status": "NOT_READY", "last_polled": None}
    fake = FakePrefect(
        {
            f"/flow_runs/{late['id']}": lambda _: late,
            f"/deployments/{late['deployment_id']}": lambda _: unserved,
        }
    )
    run = await fake.reader().run(late["id"])
    assert run.state is RunState.QUEUED
    assert run.says.startswith("late: it waits since 19:59 UTC and nobody has taken it up; nobody")


async def test_failed_runs_are_asked_for_by_type_in_pages_that_begin_where_the_last_one_ended() -> (
    None
):
    pages: list[Answer] = [
        lambda _: [a_run(number) for number in range(400, 200, -1)],
        lambda _: [a_run(number) for number in range(201, 1, -1)],
        lambda _: [a_run(2), a_run(1)],
    ]
    fake = FakePrefect({RUNS: pages})
    runs = await fake.reader().runs_since(SINCE, failed_only=True)
    assert [run.id[:8] for run in runs] == [f"{number:08x}" for number in range(1, 401)]
    first, second, third = fake.bodies(RUNS)
    assert first["flow_runs"]["state"] == {"type": {"any_": ["FAILED", "CRASHED"]}}
    assert (first["limit"], first["flow_runs"]["end_time"]) == (200, {"after_": SINCE.isoformat()})
    assert second["flow_runs"]["end_time"]["before_"] == moment(201).replace(".000000Z", "+00:00")
    assert third["offset"] == 0


async def test_a_page_of_one_moment_is_read_on_in() -> None:
    same: list[Answer] = [
        lambda _: [a_run(number, end_time=moment(7)) for number in range(200)],
        lambda _: [a_run(number, end_time=moment(7)) for number in range(200)],
        lambda _: [a_run(200, end_time=moment(7))],
    ]
    fake = FakePrefect({RUNS: same})
    assert len(await fake.reader().runs_since(SINCE, failed_only=True)) == 201
    assert [body["offset"] for body in fake.bodies(RUNS)] == [0, 0, 200]


async def test_what_the_scheduler_wrote_down_for_later_has_not_begun() -> None:
    waits = {"state_type": "SCHEDULED", "state_name": "Scheduled", "auto_scheduled": True}
    found = [
        a_run(1, **waits),
        a_run(2, **waits | {"state_name": "Late"}),
        a_run(3, **waits | {"auto_scheduled": False}),
        a_run(4),
    ]
    runs = await FakePrefect({RUNS: lambda _: found}).reader().runs_since(SINCE)
    assert [int(run.id[:8], 16) for run in runs] == [2, 3, 4]


async def test_runs_of_one_deployment_are_asked_for_by_name() -> None:
    fake = FakePrefect({RUNS: lambda _: []})
    await fake.reader().runs_since(SINCE, job="growth-rollups/prod")
    [body] = fake.bodies(RUNS)
    assert body["flows"] == {"name": {"any_": ["growth-rollups"]}}
    assert body["deployments"] == {"name": {"any_": ["prod"]}}


async def test_names_are_asked_for_once() -> None:
    fake = FakePrefect({RUNS: lambda _: [a_run(1), a_run(2)]})
    reader = fake.reader()
    for _ in range(2):
        assert {run.job for run in await reader.runs_since(SINCE)} == {"growth-rollups/prod"}
    assert len(fake.bodies("/deployments/filter")) == 1


@pytest.mark.parametrize("run_id", ["zzz", "../admin/version", "7263e593"])
async def test_what_is_no_id_is_not_even_asked_for(run_id: str) -> None:
    fake = FakePrefect({})
    with pytest.raises(NotFound, match="no id of a flow run"):
        await fake.reader().run(run_id)
    assert fake.asked == []


async def test_a_fault_of_the_server_is_tried_again_when_reading() -> None:
    run = a_run(1)
    fake = FakePrefect({f"/flow_runs/{run['id']}": [503, httpx.ReadError("x"), lambda _: run]})
    assert (await fake.reader().run(run["id"])).id == run["id"]


async def test_a_server_that_stays_broken_is_given_up_on() -> None:
    fake = FakePrefect({RUN: 500})
    with pytest.raises(Broken):
        await fake.reader().run(FAILED_RUN)
    assert len(fake.asked) == 3


async def test_a_server_that_lists_without_end_is_given_up_on() -> None:
    endless = FakePrefect({RUNS: lambda _: [a_run(1)] * 200})
    with pytest.raises(TooSlow, match="ask for a shorter time"):
        await endless.reader().runs_since(SINCE)


async def test_the_login_is_shown_and_never_told() -> None:
    fake = FakePrefect({"/admin/version": "auth_missing"})
    with pytest.raises(Forbidden, match="refused the login") as caught:
        await fake.reader().ping()
    assert fake.headers[0]["authorization"] == "Basic ZHc6cGxhbnRlZC1zZWNyZXQ="
    assert "planted" not in str(caught.value)


async def test_a_key_of_prefect_cloud_is_a_bearer() -> None:
    fake = FakePrefect({"/flow_runs/count": "count"})  # the cloud tells no version
    assert (await fake.reader("pnu_planted").ping()).version == "Prefect Cloud"
    assert fake.headers[0]["authorization"] == "Bearer pnu_planted"


async def test_a_reader_can_not_create_a_run() -> None:
    fake = FakePrefect({})
    with pytest.raises(WriteByReader):
        await fake.api().create_run(DEPLOYMENT, {"idempotency_key": "k"})
    assert fake.asked == []


async def test_an_answer_that_does_not_fit_names_its_fields() -> None:
    with pytest.raises(Malformed, match="flow_id"):
        await FakePrefect({RUN: lambda _: {"id": "1", "name": "x"}}).reader().run(FAILED_RUN)


async def test_the_version_of_the_code_is_that_of_the_deployment() -> None:
    version = await FakePrefect({NAMED: "deployment"}).reader().code_version("growth-rollups/prod")
    assert version == "0b3970a6daf6c01d5d32d75f2bfda167"

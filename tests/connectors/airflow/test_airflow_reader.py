"""What is read of runs, tasks and logs, of both versions, from answers that real servers gave."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from connectors.errors import NotFound, Rejected, Throttled, TooSlow
from policies.evidence import Probe
from policies.run import RunState
from tests.connectors.airflow.fake_airflow import DAG, RUN, FakeAirflow, Major, response

NOW = datetime(2026, 11, 30, 21, tzinfo=UTC)
SINCE = NOW - timedelta(hours=2)
BOTH: tuple[Major, ...] = (2, 3)
RUNS = f"dags/{DAG}/dagRuns"
TASKS = f"{RUNS}/story-1/taskInstances"


async def ask(fake: FakeAirflow, name: str, **params: Any) -> Any:
    probe = Probe(connection="airflow", name=name, params=params)
    return (await fake.reader().read(probe, evidence_id="E1", now=NOW)).value


def failed(major: Major) -> FakeAirflow:
    return (
        FakeAirflow(major)
        .gets(f"{RUNS}/story-1", "run_failed")
        .gets(TASKS, "tasks")
        .gets(f"{TASKS}/stg_usage_events/logs/2", "log")
    )


@pytest.mark.parametrize("major", BOTH)
async def test_a_failed_run_is_read_with_the_task_and_what_it_raised(major: Major) -> None:
    value = await ask(failed(major), "run_failure", run_id=RUN)
    error = 'RuntimeError: column "org_id" of relation raw.usage_events does not exist'
    assert value["steps_failed"] == [{"step": "stg_usage_events", "error": error, "tries": 2}]
    assert sorted(value["steps_not_run"]) == ["fct_daily_usage", "push_usage_to_stripe"]
    assert value["conf"] == {"fail": True, "usage_date": "2026-11-29"}
    assert (value["job"], value["status"], value["error"]) == (DAG, "failed", None)
    assert (value["assets_planned"], value["assets_materialized"]) == (["fct_daily_usage"], [])
    assert value["code_version"] == {2: None, 3: "version 1"}[major]


async def test_a_run_id_may_be_bare_where_the_dag_is_told() -> None:
    value = await ask(failed(2), "run_failure", run_id="story-1", job=DAG)
    assert value["run_id"] == RUN


@pytest.mark.parametrize("major", BOTH)
async def test_a_green_run_with_a_failed_task_inside_says_so(major: Major) -> None:
    path = "dags/masked_failure/dagRuns/masked-1"
    fake = FakeAirflow(major).gets(path, "masked_run").gets(f"{path}/taskInstances", "masked_tasks")
    value = await ask(fake, "run_failure", run_id="masked_failure/masked-1")
    assert "ended green all the same" in value["error"]
    run = await fake.reader().run("masked_failure/masked-1")
    assert (run.state, run.says) == (
        RunState.SUCCEEDED,
        "the run is green although work failed in it",
    )


async def test_a_failed_run_with_no_failed_task_says_so() -> None:
    fake = failed(2).gets(TASKS, "skipped_tasks")
    value = await ask(fake, "run_failure", run_id=RUN)
    assert value["steps_failed"] == []
    assert "no task of it failed" in value["error"]


async def test_of_a_run_whose_task_will_be_tried_again_nothing_is_said_yet() -> None:
    fake = FakeAirflow(2).gets(f"{RUNS}/story-1", "retrying_run").gets(TASKS, "retrying_tasks")
    with pytest.raises(Throttled, match="not ended: stg_usage_events will be tried again"):
        await ask(fake, "run_failure", run_id=RUN)
    assert (await fake.reader().run(RUN)).state is RunState.RUNNING


@pytest.mark.parametrize("major", BOTH)
async def test_a_mapped_task_is_named_with_its_index_and_label(major: Major) -> None:
    path = "dags/region_loads/dagRuns/mapped-1"
    fake = (
        FakeAirflow(major)
        .gets(
            path,
            lambda _: response(
                f"v{major - 1}_run_failed", dag_run_id="mapped-1", dag_id="region_loads"
            ),
        )
        .gets(f"{path}/taskInstances", "mapped_tasks")
        .gets(f"{path}/taskInstances/load.load_region/logs/1", "log")
    )
    value = await ask(fake, "run_failure", run_id="region_loads/mapped-1")
    assert [step["step"] for step in value["steps_failed"]] == ["load.load_region[1] (eu)"]
    assert fake.asked[-1].url.params["map_index"] == "1"


@pytest.mark.parametrize("major", BOTH)
async def test_failed_runs_of_all_dags_are_one_request(major: Major) -> None:
    fake = FakeAirflow(major).gets("dags/~/dagRuns", "failed_runs")
    found = await fake.reader().runs_since(SINCE, failed_only=True)
    assert len(found) >= 3
    assert {run.state for run in found} == {RunState.FAILED}
    [asked] = [r for r in fake.asked if "dagRuns" in r.url.path]
    assert dict(asked.url.params) == {
        "state": "failed",
        "end_date_gte": "2026-11-30T19:00:00Z",
        "order_by": "end_date",
        "limit": "100",
        "offset": "0",
    }
    assert not [r for r in fake.asked if r.url.path.endswith("/dags")]


async def test_three_hundred_failures_are_four_requests_and_each_is_told_once() -> None:
    def page(request: httpx.Request) -> httpx.Response:
        offset = int(request.url.params["offset"])
        first = offset - 1 if offset else 0  # one run slips from page to page
        runs = [a_run(n) for n in range(first, min(first + 100, 300))]
        return httpx.Response(200, json={"dag_runs": runs, "total_entries": 300})

    fake = FakeAirflow(3).gets("dags/~/dagRuns", page)
    found = await fake.reader().runs_since(SINCE, failed_only=True)
    assert len({run.id for run in found}) == len(found) == 300
    assert fake.count("GET", "dagRuns") == 4


async def test_without_end_it_says_so_instead_of_leaving_runs_out() -> None:
    def page(request: httpx.Request) -> httpx.Response:
        first = int(request.url.params["offset"])
        runs = [a_run(n) for n in range(first, first + 100)]
        return httpx.Response(200, json={"dag_runs": runs})

    with pytest.raises(TooSlow, match="shorter time"):
        await (
            FakeAirflow(2).gets("dags/~/dagRuns", page).reader().runs_since(SINCE, failed_only=True)
        )


async def test_two_runs_of_two_dags_with_the_same_run_id_are_two_runs() -> None:
    def page(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"dag_runs": [a_run(1, dag_id=d) for d in ("a", "b")]})

    found = await FakeAirflow(2).gets("dags/~/dagRuns", page).reader().runs_since(SINCE)
    assert [run.id for run in found] == ["a/r1", "b/r1"]


async def test_a_queued_run_of_a_paused_dag_says_that_it_waits_for_ever() -> None:
    fake = (
        FakeAirflow(2)
        .gets("dags/paused_export/dagRuns/paused-1", "run_queued")
        .gets("dags/paused_export", "dag_paused")
    )
    run = await fake.reader().run("paused_export/paused-1")
    assert run.state is RunState.QUEUED
    assert "it is paused: a run would wait, without a word" in run.says


async def test_a_run_that_is_not_there() -> None:
    with pytest.raises(NotFound, match="not found"):
        await FakeAirflow(2).reader().run(f"{DAG}/nope")
    with pytest.raises(NotFound, match="named dag/run id"):
        await FakeAirflow(2).reader().run("nope")


@pytest.mark.parametrize(
    ("changes", "partition"),
    [
        ({}, "2026-11-29"),
        ({"partition_key": "eu"}, "eu"),
        ({"data_interval_end": "2026-11-29T01:00:00Z"}, "2026-11-29T00:00"),
        ({"data_interval_end": "2026-11-29T00:00:00Z"}, "2026-11-29"),
        ({"logical_date": None, "data_interval_start": None}, None),
        ({"logical_date": "2026-11-29T09:00:00Z"}, "2026-11-29"),
    ],
)
async def test_the_partition_of_a_run_is_what_its_tasks_call_ds(
    changes: dict[str, Any], partition: str | None
) -> None:
    told = {
        "logical_date": "2026-11-29T00:00:00Z",
        "data_interval_start": "2026-11-29T00:00:00Z",
        "data_interval_end": "2026-11-30T00:00:00Z",
    }
    fake = FakeAirflow(3).gets(
        f"{RUNS}/story-1", lambda _: response("v2_run_failed", **(told | changes))
    )
    assert (await fake.reader().run(RUN)).partition == partition


async def test_a_configuration_with_a_secret_in_it_is_withheld() -> None:
    conf = {"usage_date": "2026-11-29", "api_key": "planted"}
    fake = failed(3).gets(f"{RUNS}/story-1", lambda _: response("v2_run_failed", conf=conf))
    value = await ask(fake, "run_failure", run_id=RUN)
    assert (value["conf"], value["conf_withheld"]) == (None, True)


@pytest.mark.parametrize(
    ("told", "query"),
    [
        ({"logical_date": "2026-11-29T00:00:00Z"}, "execution_date"),
        ({"started_at": "2026-11-30T20:03:42Z"}, "start_date"),
        ({"ended_at": "2026-11-30T20:03:52Z"}, "end_date"),
    ],
)
async def test_a_run_is_found_by_what_an_alert_tells_of_it(
    told: dict[str, str], query: str
) -> None:
    fake = FakeAirflow(2).gets(RUNS, lambda _: httpx.Response(200, json={"dag_runs": [a_run(1)]}))
    assert await ask(fake, "find_run", job=DAG, **told) == {"run_id": "d/r1", "matches": 1}
    assert {f"{query}_gte", f"{query}_lte"} <= set(fake.asked[-1].url.params)


async def test_several_runs_that_fit_are_not_guessed_at() -> None:
    fake = FakeAirflow(2).gets(
        RUNS, lambda _: httpx.Response(200, json={"dag_runs": [a_run(1), a_run(2)]})
    )
    value = await ask(fake, "find_run", job=DAG, started_at="2026-11-30T20:03:42Z")
    assert value == {"run_id": None, "matches": 2}
    assert (await ask(fake, "find_run", job=DAG))["matches"] == 0


@pytest.mark.parametrize("major", BOTH)
async def test_when_an_asset_was_built_is_known_by_the_dag_that_builds_it(major: Major) -> None:
    good = a_run(1, dag_id=DAG, state="success", end_date="2026-11-30T20:00:00Z")
    fake = FakeAirflow(major).gets(RUNS, lambda _: httpx.Response(200, json={"dag_runs": [good]}))
    value = await ask(fake, "asset_states", assets=["fct_daily_usage", "nobodys"])
    assert list(value["assets"]) == ["fct_daily_usage"]
    made = await ask(fake, "materialization", asset="fct_daily_usage")
    assert (made["at"], made["run_id"]) == ("2026-11-30T20:00:00Z", f"{DAG}/r1")
    assert (await ask(fake, "materialization", asset="nobodys"))["at"] is None


@pytest.mark.parametrize("major", BOTH)
async def test_broken_files_are_told_with_their_last_line(major: Major) -> None:
    fake = FakeAirflow(major).gets("importErrors", "import_errors")
    [file] = (await ask(fake, "import_errors"))["files"]
    assert file["file"].endswith("broken_dag.py")
    assert file["error"].startswith("ModuleNotFoundError: No module named")


async def test_what_an_older_airflow_2_does_not_know_is_not_asked() -> None:
    fake = FakeAirflow(2).gets("version", lambda _: httpx.Response(200, json={"version": "2.4.3"}))
    fake.gets(RUNS, "failed_none")
    await fake.reader().runs_since(SINCE, job=DAG)
    assert set(fake.asked[-1].url.params) == {"start_date_gte", "order_by", "limit", "offset"}


async def test_a_refusal_is_told_in_airflows_own_words() -> None:
    fake = FakeAirflow(2).gets(RUNS, "conf_bad")
    with pytest.raises(Rejected, match="'many' is not of type 'integer'"):
        await fake.reader().runs_since(SINCE, job=DAG)


def a_run(number: int, **changes: object) -> dict[str, Any]:
    known = {"dag_id": "d", "dag_run_id": f"r{number}", "state": "failed"}
    return {**known, **changes}


@pytest.mark.parametrize("major", BOTH)
async def test_runs_of_a_backfill_have_that_in_common(major: Major) -> None:
    told = {2: {"dag_run_id": "backfill__2026-09-01T00:00:00+00:00"}, 3: {"run_type": "backfill"}}
    runs = [a_run(1), a_run(2) | told[major]]
    page = {"dag_runs": runs, "total_entries": 2}
    fake = FakeAirflow(major).gets("dags/~/dagRuns", lambda _: httpx.Response(200, json=page))
    one, other = await fake.reader().runs_since(SINCE, failed_only=True)
    assert (one.backfill, other.backfill) == (None, other.job)

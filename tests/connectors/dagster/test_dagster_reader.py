"""What the Dagster reader makes of real answers."""

from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from connectors.errors import Broken, Forbidden, Malformed, NotFound, Rejected
from policies.evidence import Evidence, Probe
from policies.run import RunState
from tests.connectors.dagster.fake_dagster import URL, FakeDagster

NOW = datetime(2026, 9, 29, 0, 44, tzinfo=UTC)
RUN_ID = "00000000-0000-0000-0000-000000000000"


async def ask(fake: FakeDagster, name: str, **params: Any) -> Evidence:
    probe = Probe(connection="dagster", name=name, params=params)
    return await fake.reader().read(probe, evidence_id="E1", now=NOW)


async def test_ping_tells_the_version_and_that_runs_may_be_started() -> None:
    health = await FakeDagster(DwVersion="version", DwPermissions="permissions").reader().ping()
    assert (health.version, health.says) == ("1.13.28", "runs may be started")


async def test_ping_tells_a_read_only_server() -> None:
    fake = FakeDagster(DwVersion="version", DwPermissions="permissions_read_only")
    assert "read-only" in (await fake.reader().ping()).says


async def test_ping_lives_with_a_server_that_does_not_tell_permissions() -> None:
    fake = FakeDagster(DwVersion="version", DwPermissions=400)
    assert "does not tell" in (await fake.reader().ping()).says


async def test_a_failed_check_is_told_with_what_it_held_back() -> None:
    fake = FakeDagster(
        DwFailedRun="failed_run_check", DwEvents="events_check", DwChecks="checks_check"
    )
    value: Any = (await ask(fake, "run_failure", run_id=RUN_ID)).value
    [failed] = value["steps_failed"]
    assert failed["step"] == "raw_sessions_raw_sessions_complete"
    assert failed["error"].startswith("DagsterAssetCheckFailedError: 1 blocking asset check")
    assert value["steps_not_run"] == ["stg_sessions", "fct_daily_active_users"]
    assert value["assets_materialized"] == ["raw_sessions"]
    assert value["partition"] == "2026-09-28"
    assert value["code_version"].startswith("snapshot ")


async def test_a_failed_check_that_only_warns_is_told_apart_from_one_that_blocks() -> None:
    fake = FakeDagster(
        DwFailedRun="failed_run_check", DwEvents="events_check", DwChecks="checks_check"
    )
    value: Any = (await ask(fake, "run_failure", run_id=RUN_ID)).value
    by_name = {check["check"]: check for check in value["checks"]}
    hard, soft = by_name["raw_sessions_complete"], by_name["raw_sessions_fresh"]
    assert (hard["passed"], hard["severity"], hard["blocking"]) == (False, "ERROR", True)
    assert (soft["passed"], soft["severity"], soft["blocking"]) == (False, "WARN", False)
    assert hard["metadata"] == {"rows": 23_100}


async def test_the_real_error_is_told_not_the_retry_around_it() -> None:
    fake = FakeDagster(DwFailedRun="failed_run_step", DwEvents="events_step")
    value: Any = (await ask(fake, "run_failure", run_id=RUN_ID)).value
    assert value["steps_failed"] == [
        {
            "step": "load",
            "error": "ValueError: no column event_id in the source (caused by KeyError: 'event_id')",
        }
    ]
    assert value["steps_not_run"] == ["report"]
    assert value["checks"] == []


async def test_evidence_says_where_it_came_from() -> None:
    fake = FakeDagster(DwFailedRun="failed_run_step", DwEvents="events_step")
    evidence = await ask(fake, "run_failure", run_id=RUN_ID)
    assert evidence.link == f"{URL}/runs/{RUN_ID}"
    assert evidence.query == f'query DwFailedRun {{"run_id": "{RUN_ID}"}}'
    assert (evidence.id, evidence.at) == ("E1", NOW)


async def test_the_latest_result_of_a_check_for_a_partition() -> None:
    fake = FakeDagster(DwCheckRuns="check_runs_one")
    value = (
        await ask(fake, "asset_check", asset="a/b", check="complete", partition="2026-09-28")
    ).value
    assert (value["passed"], value["severity"]) == (False, "ERROR")
    assert value["metadata"] == {"rows": 23_100}
    [asked] = fake.variables("DwCheckRuns")
    assert asked["key"] == {"path": ["a", "b"]}


async def test_a_check_that_never_ran_has_neither_passed_nor_failed() -> None:
    fake = FakeDagster(DwCheckRuns="check_runs_never")
    value = (await ask(fake, "asset_check", asset="a", check="complete")).value
    assert value["passed"] is None
    assert value["at"] is None


async def test_older_servers_tell_the_partition_of_a_check_by_its_run() -> None:
    fake = FakeDagster(DwCheckRuns=400, DwCheckRunsOld="check_runs_old", DwRunTags="run_tags")
    value: Any = (await ask(fake, "check_history", asset="a", check="complete", limit=5)).value
    told = {result["partition"]: result["passed"] for result in value["results"]}
    assert told == {"2026-09-27": True, "2026-09-28": False}


async def test_a_materialization_with_numbers_beyond_32_bits_and_times() -> None:
    value: Any = (
        await ask(FakeDagster(DwMaterialization="materialization"), "materialization", asset="a")
    ).value
    assert value["partition"] == "2026-09-28"
    assert value["metadata"] == {
        "rows": 23_100,
        "bytes": 5_000_000_000,
        "last_session_at": "2026-09-28T21:05:00+00:00",
        "source_replayed_to": "2026-09-28T21:05:00+00:00",
    }


async def test_event_times_are_strings_of_milliseconds() -> None:
    value = (
        await ask(FakeDagster(DwMaterialization="materialization"), "materialization", asset="a")
    ).value
    assert datetime.fromisoformat(str(value["at"])).year == 2026


async def test_what_was_never_written_has_no_state() -> None:
    fake = FakeDagster(DwAssetStates="asset_states", DwMaterialization="materialization_never")
    names = ["raw_sessions", "agg_weekly_engagement", "not_dagsters"]
    value: Any = (await ask(fake, "asset_states", assets=names)).value
    assert value["assets"]["raw_sessions"]["partition"] == "2026-09-27"
    assert value["assets"]["agg_weekly_engagement"]["partition"] is None
    assert value["assets"]["not_dagsters"] is None


async def test_lineage_holds_what_is_up_and_downstream_with_owners_and_jobs() -> None:
    lineage = await FakeDagster(DwLineage="lineage").reader().lineage("fct_daily_active_users")
    assert lineage.upstream("fct_daily_active_users") == ("stg_sessions", "raw_sessions")
    assert list(lineage.downstream("fct_daily_active_users")) == ["agg_weekly_engagement"]
    assert len(lineage.assets) == len(lineage.edges) + 1 == 4
    assert lineage.assets["fct_daily_active_users"].owner == "bo@example.com"
    assert lineage.assets["agg_weekly_engagement"].job == "growth_rollups_job"


async def test_a_person_owns_before_a_team_and_a_team_before_nobody() -> None:
    assets = (await FakeDagster(DwLineage="lineage").reader().lineage("raw_sessions")).assets
    assert assets["raw_sessions"].owner == "ana@example.com"
    assert assets["stg_sessions"].owner == "team:growth"
    assert assets["agg_weekly_engagement"].owner is None


async def test_an_asset_nobody_knows_is_not_an_asset_without_readers() -> None:
    with pytest.raises(NotFound, match="knows no asset nope"):
        await FakeDagster(DwLineage="lineage").reader().lineage("nope")


async def test_the_code_version_is_the_snapshot_where_nothing_better_is_told() -> None:
    fake = FakeDagster(DwWorkspace="workspace", DwJob="job")
    version = await fake.reader().code_version("growth_rollups_job")
    assert version is not None
    assert version.startswith("snapshot ")


async def test_a_queued_run_says_since_when_and_when_the_daemon_was_last_alive() -> None:
    run = await FakeDagster(DwRun="run_queued", DwDaemons="daemons_queued").reader().run("x")
    assert run.state is RunState.QUEUED
    assert run.says == "queued since 22:46 UTC; its daemon last gave a sign at 22:46:27 UTC"


async def test_a_queued_run_is_told_even_when_the_daemon_can_not_be_asked() -> None:
    run = await FakeDagster(DwRun="run_queued", DwDaemons=400).reader().run("x")
    assert "could not be read" in run.says


async def test_a_failed_run_in_the_words_of_the_house() -> None:
    run = await FakeDagster(DwRun="run_failed").reader().run("x")
    assert (run.state, run.says) == (RunState.FAILED, "step failure")
    assert run.assets == ("fct_daily_active_users", "raw_sessions", "stg_sessions")
    assert run.started_at is not None
    assert run.started_at.tzinfo is UTC


async def test_a_run_that_does_not_exist_is_not_found() -> None:
    with pytest.raises(NotFound, match="could not be found"):
        await FakeDagster(DwRun="run_unknown").reader().run(RUN_ID)


async def test_a_status_of_the_future_counts_as_running() -> None:
    def future(_: object) -> object:
        return {"runOrError": {"__typename": "Run", "runId": "x", "jobName": "j", "status": "ODD"}}

    assert (await FakeDagster(DwRun=future).reader().run("x")).state is RunState.RUNNING


async def test_an_answer_of_another_shape_is_refused_by_field_names_alone() -> None:
    def odd(_: object) -> object:
        return {"runOrError": {"__typename": "Run", "runId": {"secret": 1}, "status": "SUCCESS"}}

    with pytest.raises(Malformed, match="jobName, runId") as caught:
        await FakeDagster(DwRun=odd).reader().run("x")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (401, Forbidden, "refused the token"),
        (302, Forbidden, "login page"),
        (404, NotFound, "nothing at this address"),
        (503, Broken, "fault of its own"),
        (200, Malformed, "not JSON but text/plain"),
        ("runs_milliseconds", Broken, "year 58885 is out of range"),
        (httpx.ConnectError("refused"), Exception, "nothing was sent"),
    ],
)
async def test_each_way_to_fail_is_told_apart(
    answer: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        await FakeDagster(DwRun=answer).reader().run("x")


async def test_a_schema_that_lacks_our_field_says_so() -> None:
    fake = FakeDagster(DwRun=400)
    with pytest.raises(Rejected):
        await fake.reader().run("x")
    assert fake.count("DwRun") == 1

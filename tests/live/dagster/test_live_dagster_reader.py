"""The Dagster reader against a real Dagster with webserver and daemon."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from connectors.dagster import DagsterReader, history, queries
from connectors.errors import Broken, Forbidden, NotFound, TooSlow, Unreachable
from connectors.http import Patience
from policies.evidence import Probe
from policies.run import RunState
from tests.live import windows
from tests.live.dagster.proxy import TOKEN, before
from tests.live.dagster.world import World
from tests.postgres_server import free_port

pytestmark = pytest.mark.live
NOW = datetime(2026, 9, 29, 1, tzinfo=UTC)
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


async def ask(reader: DagsterReader, name: str, **params: Any) -> Any:
    probe = Probe(connection="dagster", name=name, params=params)
    return (await reader.read(probe, evidence_id="E1", now=NOW)).value


async def test_version_and_permission(reader: DagsterReader) -> None:
    health = await reader.ping()
    assert (health.version, health.says) == ("1.13.28", "runs may be started")


async def test_a_read_only_server_says_so(world: World) -> None:
    reader = DagsterReader("dagster", world.server.read_only)
    assert "read-only" in (await reader.ping()).says
    await reader.close()


async def test_failed_runs_since(reader: DagsterReader, world: World) -> None:
    found = await reader.runs_since(LONG_AGO, failed_only=True)
    failed = {world.check_failed.id, world.step_failed.id, world.billing_failed.id}
    assert failed <= {run.id for run in found}
    assert world.good.id not in {run.id for run in found}
    ends = [run.ended_at for run in found if run.ended_at]
    assert await reader.runs_since(max(ends) + timedelta(seconds=1), failed_only=True) == []


async def test_what_failed_in_a_part_of_the_time(reader: DagsterReader) -> None:
    await windows.check(reader)


async def test_page_after_page_gives_the_same_runs(reader: DagsterReader) -> None:
    wanted = history.since_filter(LONG_AGO, job=None, failed_only=False)
    whole = await history.all_runs(reader._graphql, wanted)
    single = await history.all_runs(reader._graphql, wanted, page_size=1)
    assert len(whole) >= 3
    assert [run.run_id for run in single] == [run.run_id for run in whole]


async def test_runs_of_a_partition(reader: DagsterReader, world: World) -> None:
    [run] = await reader.runs_since(LONG_AGO, job="sessions_job", partition="2026-09-28")
    assert run == world.check_failed
    assert await reader.runs_since(LONG_AGO, partition="2026-09-27") == []


async def test_a_run_whose_check_failed(reader: DagsterReader, world: World) -> None:
    assert world.check_failed.state is RunState.FAILED
    value = await ask(reader, "run_failure", run_id=world.check_failed.id)
    assert [step["step"] for step in value["steps_failed"]] == [
        "raw_sessions_raw_sessions_complete"
    ]
    assert value["steps_not_run"] == ["stg_sessions", "fct_daily_active_users"]
    assert value["assets_planned"] == ["fct_daily_active_users", "raw_sessions", "stg_sessions"]
    assert value["assets_materialized"] == ["raw_sessions"]
    told = {c["check"]: (c["passed"], c["severity"], c["blocking"]) for c in value["checks"]}
    assert told == {
        "raw_sessions_complete": (False, "ERROR", True),
        "raw_sessions_fresh": (False, "WARN", False),
    }


async def test_a_run_whose_step_failed_after_a_retry(reader: DagsterReader, world: World) -> None:
    value = await ask(reader, "run_failure", run_id=world.step_failed.id)
    [failed] = value["steps_failed"]
    assert failed["error"].startswith("ValueError: no column event_id in the source (caused by")
    assert value["steps_not_run"] == ["report"]


async def test_the_history_of_a_check(reader: DagsterReader, world: World) -> None:
    about = {"asset": "raw_sessions", "check": "raw_sessions_complete"}
    value = await ask(reader, "check_history", **about, limit=5)
    [result] = value["results"]
    assert (result["partition"], result["passed"]) == ("2026-09-28", False)
    assert result["metadata"] == {"rows": 23_100}
    latest = await ask(reader, "asset_check", **about, partition="2026-09-28")
    assert (latest["passed"], latest["run_id"]) == (False, world.check_failed.id)
    assert (await ask(reader, "asset_check", **about, partition="2026-09-27"))["passed"] is None


async def test_materializations(reader: DagsterReader, world: World) -> None:
    value = await ask(reader, "materialization", asset="raw_sessions", partition="2026-09-28")
    assert value["run_id"] == world.check_failed.id
    assert value["metadata"]["bytes"] == 5_000_000_000
    never = await ask(reader, "materialization", asset="stg_sessions", partition="2026-09-28")
    assert never["at"] is None
    names = ["raw_sessions", "stg_sessions", "nobody_knows"]
    states = (await ask(reader, "asset_states", assets=names))["assets"]
    assert [states[name] is None for name in names] == [False, True, True]


async def test_lineage_owners_and_jobs(reader: DagsterReader) -> None:
    lineage = await reader.lineage("raw_sessions")
    order = list(lineage.downstream("raw_sessions"))
    assert order == ["stg_sessions", "fct_daily_active_users", "agg_weekly_engagement"]
    assert lineage.assets["raw_sessions"].owner == "ana@example.com"
    assert lineage.assets["agg_weekly_engagement"].job == "growth_rollups_job"


async def test_the_code_version_of_a_job_is_the_one_its_runs_had(
    reader: DagsterReader, world: World
) -> None:
    last = await ask(reader, "last_success", job="growth_rollups_job")
    assert last["run_id"] == world.good.id
    assert last["code_version"] == await reader.code_version("growth_rollups_job")


async def test_the_beginning_of_a_run_id(reader: DagsterReader, world: World) -> None:
    found = await ask(reader, "find_run", short=world.good.id[:8])
    assert found == {"run_id": world.good.id, "matches": 1}


async def test_a_run_that_does_not_exist(reader: DagsterReader) -> None:
    with pytest.raises(NotFound):
        await reader.run("00000000-0000-0000-0000-000000000000")


async def test_what_the_server_can_not_do_is_told_in_its_words(reader: DagsterReader) -> None:
    odd = {"filter": {"updatedAfter": 1e15}, "cursor": None, "limit": 1}
    with pytest.raises(Broken, match="out of range"):
        await reader._graphql.read(queries.RUNS, **odd)


async def test_a_token_is_demanded_and_given(world: World) -> None:
    async with before(world.server.url) as url:
        reader = DagsterReader("dagster", url, TOKEN)
        assert (await reader.ping()).version
        await reader.close()


@pytest.mark.parametrize("token", [None, "user:wrong"])
async def test_a_bad_token_is_refused_and_not_repeated(world: World, token: str | None) -> None:
    async with before(world.server.url) as url:
        reader = DagsterReader("dagster", url, token)
        with pytest.raises(Forbidden, match="refused the token") as caught:
            await reader.ping()
        assert "wrong" not in str(caught.value).replace("missing, wrong or expired", "")
        await reader.close()


async def test_a_slow_server_is_not_waited_for_long(world: World) -> None:
    async with before(world.server.url, delay=3) as url:
        reader = DagsterReader("dagster", url, TOKEN, patience=Patience(whole=0.3))
        with pytest.raises(TooSlow):
            await reader.ping()
        await reader.close()


async def test_nobody_there() -> None:
    reader = DagsterReader("dagster", f"http://127.0.0.1:{free_port()}")
    with pytest.raises(Unreachable, match="nothing was sent"):
        await reader.ping()
    await reader.close()

"""What the dbt Cloud reader makes of what the stub of an account answers."""

from datetime import timedelta
from typing import Any

import httpx
import pytest

from connectors.dbt_cloud.address import Address
from connectors.errors import Broken, Forbidden, Malformed, NotFound, Rejected, Throttled
from connectors.http import WriteByReader
from policies.evidence import Json, Probe
from policies.run import RunState
from tests.building import NOW
from tests.connectors.dbt_cloud.account import HOURLY, ROOT, START, Account, envelope

RUNS = f"{ROOT}/runs/"


async def ask(account: Account, name: str, **params: Json) -> dict[str, Any]:
    probe = Probe(connection="dbt", name=name, params=params)
    return dict((await account.reader().read(probe, evidence_id="E1", now=NOW)).value)


def with_failure(**changes: Any) -> tuple[Account, str]:
    account = Account()
    return account, str(account.ran(20, **changes)["id"])


async def test_a_failed_run_tells_the_test_its_table_and_what_was_held_back() -> None:
    account, run = with_failure()
    said = await ask(account, "run_failure", run_id=run)
    [check] = said["checks"]
    assert (check["check"], check["asset"], check["severity"], check["blocking"]) == (
        "unique_stg_usage_events_event_id",
        "stg_usage_events",
        "ERROR",
        True,
    )
    assert said["steps_failed"] == []
    assert "fct_daily_usage" in said["steps_not_run"]
    assert "usage_events" in said["assets_materialized"]
    assert (said["job"], said["status"]) == ("Daily build", "failed")
    assert said["url"] == f"https://ab123.us1.dbt.com/deploy/1234/projects/5678/runs/{run}/"


async def test_the_file_of_the_step_that_failed_is_asked_for() -> None:
    account, run = with_failure()
    await ask(account, "run_failure", run_id=run)
    steps = [query.get("step") for _, path, query in account.asked if "run_results" in path]
    assert steps == ["4"]


async def test_files_that_come_after_the_end_are_waited_for() -> None:
    account, run = with_failure()
    account.not_yet = 2
    assert (await ask(account, "run_failure", run_id=run))["checks"] != []
    assert account.count("run_results.json") == 3


async def test_files_that_never_come_leave_the_words_of_the_log_without_secrets() -> None:
    account, run = with_failure()
    account.files = {}
    said = await ask(account, "run_failure", run_id=run)
    [step] = said["steps_failed"]
    assert step["step"] == "Invoke dbt with `dbt build`"
    assert step["error"].endswith("Database Error: gone")
    assert "planted" not in str(said)
    assert "no run_results.json" in said["artifacts"]


async def test_saved_files_that_are_not_there_are_not_waited_for() -> None:
    account, run = with_failure(artifacts_saved=True)
    account.files = {}
    await ask(account, "run_failure", run_id=run)
    assert account.count("run_results.json") == 1


async def test_a_manifest_that_can_not_be_had_leaves_the_test_without_its_table() -> None:
    account, run = with_failure()
    del account.files["manifest.json"]
    [check] = (await ask(account, "run_failure", run_id=run))["checks"]
    assert (check["check"], check["asset"]) == ("unique_stg_usage_events_event_id", None)


@pytest.mark.parametrize(
    ("status", "state"),
    [
        (1, RunState.QUEUED),
        (2, RunState.QUEUED),
        (3, RunState.RUNNING),
        (10, RunState.SUCCEEDED),
        (20, RunState.FAILED),
        (30, RunState.CANCELLED),
        (99, RunState.RUNNING),
    ],
)
async def test_a_status_is_its_number_whatever_its_words(status: int, state: RunState) -> None:
    account = Account()
    run = account.ran(status, status_humanized="Success")
    assert (await account.reader().run(str(run["id"]))).state is state


async def test_failed_runs_since_are_those_that_ended_since_on_all_pages() -> None:
    account = Account()
    for number in range(300):
        account.ran(20 if number % 2 else 10)
    runs = await account.reader().runs_since(START + timedelta(minutes=50), failed_only=True)
    assert len(runs) == 126
    assert [run.id for run in runs] == sorted(run.id for run in runs)
    assert {run.state for run in runs} == {RunState.FAILED}
    assert [query["offset"] for _, path, query in account.asked if path == RUNS] == ["0", "100"]


async def test_runs_of_one_job_are_asked_for_by_its_number() -> None:
    account = Account()
    account.ran(10, HOURLY)
    account.ran(10)
    [run] = await account.reader().runs_since(START, job="Daily build")
    assert run.job == "Daily build"
    assert await account.reader().runs_since(START, partition="2026-09-28") == []


async def test_the_last_good_run_tells_its_commit() -> None:
    account = Account()
    good = account.ran(10)
    account.ran(20)
    later = account.ran(10)
    assert (await ask(account, "last_success", job="Daily build"))["run_id"] == str(later["id"])
    before = (START + timedelta(minutes=2)).isoformat()
    said = await ask(account, "last_success", job="Daily build", before=before)
    assert (said["run_id"], said["code_version"]) == (str(good["id"]), good["git_sha"])


async def test_what_a_run_is_called_by_its_key_is_told_as_ours() -> None:
    account = Account()
    run = account.ran(3, trigger={"cause": "dw DW-7:daily:0123456789ab"})
    tags = (await account.reader().run(str(run["id"]))).tags
    assert tags == {"dw/step": "DW-7:daily:0123456789ab", "dw/incident": "DW-7"}


async def test_what_a_test_said_and_when_a_table_was_built_come_from_the_newest_runs() -> None:
    account = Account()
    run = str(account.ran(20)["id"])
    account.ran(30)
    name = "unique_stg_usage_events_event_id"
    check = await ask(account, "asset_check", asset="stg_usage_events", check=name)
    assert (check["passed"], check["run_id"]) == (False, run)
    history = await ask(account, "check_history", asset="stg_usage_events", check=name)
    assert [each["passed"] for each in history["results"]] == [False]
    built = await ask(account, "materialization", asset="stg_usage_events")
    assert built["run_id"] == run
    states = await ask(account, "asset_states", assets=["stg_usage_events", "fct_daily_usage"])
    assert states["assets"]["stg_usage_events"]["run_id"] == run
    assert states["assets"]["fct_daily_usage"] is None


async def test_what_no_run_ever_said_is_told_as_unknown() -> None:
    check = await ask(Account(), "asset_check", asset="x", check="y")
    assert (check["passed"], check["at"]) == (None, None)


@pytest.mark.parametrize(
    ("job", "may", "words"),
    [
        ("Daily build", True, None),
        ("Gone", False, "it knows no job 'Gone'"),
        ("Twin", False, "several jobs are called 'Twin' (13, 14)"),
        ("daily BUILD", False, "it knows no job"),
    ],
)
async def test_whether_a_job_may_be_run(job: str, *, may: bool, words: str | None) -> None:
    said = await ask(Account(), "can_run", job=job)
    assert said["may"] is may
    assert said["why"] is None if words is None else words in said["why"]


async def test_a_run_that_has_not_ended_is_told_before_another_is_offered() -> None:
    account = Account()
    account.ran(3)
    assert "has not ended" in (await ask(account, "can_run", job="Daily build"))["but"]


@pytest.mark.parametrize(
    ("trouble", "kind", "words"),
    [
        (401, Forbidden, "refused the token"),
        (403, Forbidden, "may not do this"),
        (404, NotFound, "the token may not see it"),
        (405, NotFound, "takes no such request"),
        (429, Throttled, "asks to wait"),
        (503, Broken, "fault of its own"),
        (httpx.ReadError("x"), Broken, "the connection broke"),
        (lambda: (200, envelope(None, 403)), Rejected, "it refused: Refused"),
        (lambda: (200, {"odd": 1}), Malformed, "no data"),
        (lambda: (200, envelope({"odd": 1})), Malformed, "not a list"),
    ],
)
async def test_each_way_to_say_no_is_told_apart(trouble: Any, kind: Any, words: str) -> None:
    account = Account()
    account.trouble[RUNS] = trouble
    with pytest.raises(kind, match=words):
        await account.reader().runs_since(START)


async def test_the_time_it_asks_to_wait_is_told() -> None:
    account = Account()
    account.trouble[RUNS] = 429
    with pytest.raises(Throttled) as caught:
        await account.reader().runs_since(START)
    assert caught.value.retry_after == 7


@pytest.mark.parametrize("run_id", ["../jobs/1", "zzz", ""])
async def test_what_is_no_number_is_not_even_asked_for(run_id: str) -> None:
    account = Account()
    with pytest.raises(NotFound, match="no number of a run"):
        await account.reader().run(run_id)
    assert account.asked == []


async def test_every_address_ends_with_a_slash_but_those_of_files() -> None:
    account, run = with_failure()
    await ask(account, "run_failure", run_id=run)
    await account.reader().ping()
    await ask(account, "can_run", job="Daily build")
    assert all(path.endswith("/") for _, path, _ in account.asked if "/artifacts/" not in path)


async def test_the_token_is_shown_and_never_told() -> None:
    account = Account()
    account.trouble[f"{ROOT}/"] = 401
    with pytest.raises(Forbidden) as caught:
        await account.reader().ping()
    assert account.headers[0]["authorization"] == "Bearer dbtc_planted"
    assert "planted" not in str(caught.value)


async def test_a_reader_can_not_trigger_a_run() -> None:
    account = Account()
    with pytest.raises(WriteByReader):
        await account.reader()._api.trigger(11, {"cause": "dw x"})
    assert account.asked == []


@pytest.mark.parametrize(
    "url",
    [
        "https://cloud.getdbt.com/#/accounts/1234/projects/5678/runs/1/",
        "https://cloud.getdbt.com/deploy/1234/projects/5678/jobs/9",
        "https://cloud.getdbt.com/api/v2/accounts/1234",
        "https://cloud.getdbt.com/accounts/1234/",
    ],
)
def test_the_account_is_taken_from_any_address_that_people_copy(url: str) -> None:
    assert Address.of(url, "dbt").api == "https://cloud.getdbt.com/api/v2/accounts/1234"


@pytest.mark.parametrize("url", ["https://cloud.getdbt.com", "cloud.getdbt.com/accounts/1", ""])
def test_an_address_without_an_account_says_how_to_write_one(url: str) -> None:
    with pytest.raises(NotFound, match="names no account; write it as"):
        Address.of(url, "dbt")

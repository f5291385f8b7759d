"""Which step ended a run, and what its file tells: some steps fail and the run goes on."""

import json
from typing import Any

import pytest

from connectors.errors import Malformed
from policies.evidence import Json, Probe
from tests.building import NOW
from tests.connectors.dbt_cloud.account import MANIFEST, RESULTS, Account

FRESHNESS = {
    "index": 3,
    "name": "Invoke dbt with `dbt source freshness`",
    "status": 20,
    "logs": "1 of 1 ERROR STALE freshness of raw.usage_events",
}
BUILD = {"index": 4, "name": "Invoke dbt with `dbt build`", "status": 20, "logs": "gone\n"}
STALE = {"status": "error", "max_loaded_at_time_ago_in_s": 108000.5, "criteria": {}}
BROKEN = {"status": "runtime error", "error": "no column password=planted"}
SOURCES = {
    "results": [
        {"unique_id": "source.growth.raw.usage_events", **STALE},
        {"unique_id": "source.growth.raw.plans", **STALE, "status": "warn"},
        {"unique_id": "source.growth.raw.users", **STALE, "status": "pass"},
        {"unique_id": "source.growth.raw.gone", **BROKEN},
    ]
}


async def failure(account: Account, status: int, *steps: dict[str, Any]) -> dict[str, Json]:
    run = account.ran(status, run_steps=[*steps])
    probe = Probe(connection="dbt", name="run_failure", params={"run_id": str(run["id"])})
    return dict((await account.reader().read(probe, evidence_id="E1", now=NOW)).value)


def an_account() -> Account:
    account = Account()
    account.files["sources.json"] = json.dumps(SOURCES).encode()
    return account


async def test_stale_sources_are_checks_that_said_no() -> None:
    account = an_account()
    said: Any = await failure(account, 20, FRESHNESS)
    told = [(each["asset"], each["severity"], each["blocking"]) for each in said["checks"]]
    assert told == [
        ("usage_events", "ERROR", True),
        ("plans", "WARN", False),
        ("gone", "ERROR", True),
    ]
    assert said["checks"][0]["description"] == "its newest row was 30.0 h old"
    assert (said["steps_failed"], said["artifacts"]) == ([], None)
    assert "planted" not in str(said)
    assert account.count("run_results.json") == 0


async def test_a_step_that_failed_while_the_run_went_on_did_not_end_it() -> None:
    account = an_account()
    said: Any = await failure(account, 20, FRESHNESS, BUILD)
    asked = [query["step"] for _, path, query in account.asked if "run_results" in path]
    assert asked == ["4"]
    assert [each["check"] for each in said["checks"]] == ["unique_stg_usage_events_event_id"]


async def test_a_good_run_with_a_step_that_failed_tells_what_it_built() -> None:
    said: Any = await failure(an_account(), 10, FRESHNESS, BUILD | {"status": 10})
    assert said["steps_failed"] == []
    assert "usage_events" in said["assets_materialized"]
    stale = [each for each in said["checks"] if each["check"] == "source freshness"]
    assert {(each["blocking"], each["severity"]) for each in stale} == {(False, "WARN")}


@pytest.mark.parametrize("file", [None, b"", b"<html>", b'{"results": null}'])
async def test_without_a_file_of_sources_the_log_speaks(file: bytes | None) -> None:
    account = Account()
    account.files |= {"sources.json": file} if file is not None else {}
    said: Any = await failure(account, 20, FRESHNESS)
    assert said["steps_failed"] == [{"step": FRESHNESS["name"], "error": FRESHNESS["logs"]}]


@pytest.mark.parametrize(
    "file",
    [b"", RESULTS[:5000], b'{"results": null}', b'{"results": [{"status": "error"}]}', MANIFEST],
)
async def test_a_file_that_can_not_be_understood_leaves_the_words_of_the_log(file: bytes) -> None:
    account = Account()
    account.files["run_results.json"] = file
    said: Any = await failure(account, 20, BUILD)
    assert said["steps_failed"] == [{"step": BUILD["name"], "error": "gone"}]
    assert "can't be understood" in said["artifacts"]


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("asset_check", {"asset": "users", "check": "not_null_stg_users_user_id"}),
        ("check_history", {"asset": "users", "check": "not_null_stg_users_user_id"}),
        ("materialization", {"asset": "usage_events"}),
        ("asset_states", {"assets": ["usage_events"]}),
    ],
)
async def test_an_older_result_never_stands_in_for_one_that_can_not_be_understood(
    name: str, asked: dict[str, Json]
) -> None:
    account = Account()
    account.ran(10)
    broken = account.ran(10)
    account.trouble[f"/api/v2/accounts/1234/runs/{broken['id']}/artifacts/run_results.json"] = (
        lambda: (200, b"{")
    )
    probe = Probe(connection="dbt", name=name, params=asked)
    with pytest.raises(Malformed):
        await account.reader().read(probe, evidence_id="E1", now=NOW)

"""Which run, asset, check and day are in trouble, from what the orchestrator says."""

from typing import Any

from policies.facts import Facts
from tests.building import an_alert
from tests.policies import night


def facts(run: dict[str, Any], **alert: Any) -> Facts:
    bare = {"asset": None, "check": None, "partition": None, **alert}
    incident = night.diagnosed({("dagster", "run_failure"): run}, alert=an_alert(**bare))
    return Facts.of(incident)


def test_the_failed_check_of_the_run_names_asset_and_check() -> None:
    told = facts(night.failed_run())
    assert (told.asset, told.check, told.day) == (
        "raw_sessions",
        "raw_sessions_complete",
        night.DAY,
    )


def test_a_blocking_check_comes_before_a_warning() -> None:
    warning = {"asset": "x", "check": "late", "passed": False, "severity": "WARN"}
    told = facts(night.failed_run(checks=[warning, *night.failed_run()["checks"]]))
    assert told.check == "raw_sessions_complete"


def test_a_warning_is_not_what_a_run_failed_of_whose_step_broke() -> None:
    warned = {"check": "few_rows", "asset": "raw_plans", "passed": False, "severity": "WARN"}
    broke = {"steps_failed": [{"step": "fct_usage", "error": "Database Error"}]}
    told = facts({"assets_planned": ["fct_usage"], **broke, "checks": [warned]})
    assert (told.asset, told.check) == ("fct_usage", None)
    assert facts({"checks": [warned]}).check == "few_rows"


def test_the_check_of_the_alerts_own_asset_counts() -> None:
    other = {"asset": "y", "check": "own", "passed": False, "severity": "WARN"}
    run = night.failed_run(checks=[*night.failed_run()["checks"], other])
    assert facts(run, asset="y").check == "own"


def test_a_failed_step_names_its_asset_with_the_parts_joined() -> None:
    run = night.failed_run(
        checks=[],
        steps_failed=[{"step": "marts__fct"}],
        assets_planned=["raw_sessions", "marts/fct"],
        assets_materialized=[],
    )
    assert facts(run).asset == "marts/fct"


def test_else_the_first_planned_asset_that_was_not_built_is_in_trouble() -> None:
    run = night.failed_run(checks=[], steps_failed=[{"step": "load"}])
    told = facts(run)
    assert told.asset == "stg_sessions"
    assert told.loaded_at is None


def test_a_run_without_assets_names_none() -> None:
    run = night.failed_run(checks=[], steps_failed=[], assets_planned=[], assets_materialized=[])
    assert facts(run).asset is None


def test_the_anonymous_job_of_picked_assets_is_no_job() -> None:
    assert facts(night.failed_run(job="__ASSET_JOB")).job is None


def test_an_answer_about_another_day_is_no_answer() -> None:
    told = Facts.of(night.diagnosed())
    assert told.answer("rows_of_day", "warehouse", day=night.DAY)
    assert told.answer("rows_of_day", "warehouse", day="2026-09-27") is None

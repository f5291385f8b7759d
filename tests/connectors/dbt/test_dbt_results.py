"""What failed in a dbt run, by its run_results."""

import pytest

from connectors.dbt import outcome_of, run_results
from connectors.dbt.results import asks_manifest
from connectors.errors import Malformed
from tests.connectors.dbt.handmade import FCT, SEED, STG, TEST, parsed, recorded, results, version


def test_a_real_run_tells_the_test_that_failed_and_what_was_held_back() -> None:
    outcome = outcome_of(results(), recorded("1.11"))
    [failed] = [check for check in outcome.checks if not check.passed]
    assert (failed.check, failed.asset) == ("unique_stg_usage_events_event_id", "stg_usage_events")
    assert (failed.severity, failed.failures) == ("ERROR", 1)
    assert outcome.broke == ()
    assert outcome.skipped == (
        "fct_daily_usage",
        "fct_versioned_v1",
        "fct_versioned_v2",
        "snap_daily_usage",
    )
    assert "usage_events" in outcome.built  # a seed is a table too
    assert "weekly_usage_dashboard" not in outcome.planned


def test_without_the_manifest_a_test_has_its_name_and_nothing_it_is_about() -> None:
    outcome = outcome_of(results())
    assert asks_manifest(results())
    assert {(check.check, check.asset) for check in outcome.checks} == {
        ("unique_stg_usage_events_event_id", None),
        ("not_null_stg_usage_events_event_id", None),
    }


@pytest.mark.parametrize("status", ["error", "runtime error", "partial success"])
def test_a_node_that_broke_says_why(status: str) -> None:
    outcome = outcome_of(results((FCT, status, "Database Error: no such column")))
    assert outcome.broke == (("fct_users", "Database Error: no such column"),)
    assert outcome.built == ()


def test_a_node_that_was_skipped_is_not_quoted_for_its_message_blames_others() -> None:
    outcome = outcome_of(results((FCT, "skipped", "Compilation Error in model x")))
    assert (outcome.broke, outcome.skipped) == ((), ("fct_users",))


@pytest.mark.parametrize(
    ("status", "passed", "severity"),
    [("pass", True, "ERROR"), ("warn", False, "WARN"), ("fail", False, "ERROR")],
)
def test_a_test_is_judged_by_its_status(status: str, *, passed: bool, severity: str) -> None:
    [check] = outcome_of(results((TEST, status, None)), parsed(version(12))).checks
    assert (check.passed, check.severity, check.asset) == (passed, severity, "stg_sessions")


def test_a_test_that_was_skipped_says_nothing() -> None:
    assert outcome_of(results((TEST, "skipped", None))).checks == ()


def test_what_was_planned_and_built_are_the_tables_of_the_run() -> None:
    told = ((STG, "success", None), (SEED, "success", None), (FCT, "skipped", None))
    outcome = outcome_of(results(*told, ("exposure.shop.standup", "skipped", None)))
    assert outcome.planned == ("stg_sessions", "countries", "fct_users")
    assert outcome.built == ("stg_sessions", "countries")
    assert not asks_manifest(results(*told))


def test_what_is_no_run_results_says_so() -> None:
    with pytest.raises(Malformed, match=r"no run_results\.json of dbt"):
        run_results(b'{"nodes": {}}')

"""Promises about data: measured with numbers, and never passed on a missing answer."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policies.checks import Check, CheckResult, asset_check, checks_for, judge, questions
from policies.evidence import Evidence, Probe
from policies.rules import Rules
from tests.building import NOW
from tests.policies import night

MONDAYS = ["2026-09-21", "2026-09-14", "2026-09-07", "2026-08-31"]
ROWS, DAU = checks_for(night.rules().domains["growth"], night.DAY)
PASSES = asset_check("dagster", "raw_sessions", "raw_sessions_complete", night.DAY)


def said(number: int = 1, problem: str | None = None, **value: Any) -> Evidence:
    probe = Probe(connection="warehouse", name="rows_of_day")
    return Evidence(id=f"E{number}", probe=probe, at=NOW, value=value, problem=problem)


def rows(ours: Any, theirs: Any) -> CheckResult:
    return judge(ROWS, (said(1, rows=ours), said(2, rows=theirs)), NOW)


def dau(value: Any, *before: Any, check: Check = DAU) -> CheckResult:
    known = dict(zip(MONDAYS, before, strict=False))
    return judge(check, (said(values={night.DAY: value, **known}),), NOW)


def test_rows_are_asked_of_the_target_and_of_the_primary() -> None:
    target, source = questions(ROWS, night.rules())
    assert (target.connection, target.params["table"]) == ("warehouse", "raw_sessions")
    assert (source.connection, source.params["table"]) == ("app_primary", "sessions")
    assert {target.params["day"], source.params["day"]} == {night.DAY}


def test_rows_within_the_tolerance_pass_with_the_numbers() -> None:
    told = rows(28300, 28300)
    assert told == CheckResult(
        check="rows_vs_primary",
        passed=True,
        measured="28,300 of 28,300 rows (100.0 %)",
        expected="28,300 rows, give or take 0.5 %",
        at=NOW,
        evidence_ids=("E1", "E2"),
    )
    assert rows(28200, 28300).passed is True


@pytest.mark.parametrize("ours", [23100, 28000, 30000])
def test_too_few_rows_fail_and_so_do_too_many(ours: int) -> None:
    assert rows(ours, 28300).passed is False


@pytest.mark.parametrize(("ours", "theirs"), [(None, 1), (1, None), (0, 0), ("1", 1), (True, 1)])
def test_rows_that_prove_nothing_are_not_a_pass(ours: Any, theirs: Any) -> None:
    assert rows(ours, theirs).passed is None


def test_a_total_is_held_against_the_same_weekdays_before() -> None:
    (probe,) = questions(DAU, night.rules())
    assert probe.params["days"] == [night.DAY, *MONDAYS]
    assert probe.params["sql"] == "select dau from fct_daily_active_users where day = :day"
    told = dau(6000, 6100, 5900, 6050, 100)
    assert (told.passed, told.measured) == (True, "6,000 (100.4 % of the usual 5,975)")
    assert told.expected == "5,975, give or take 10.0 %"
    assert dau(5000, 6000, 6000, 6000, 6000).passed is False


def test_too_few_weekdays_before_are_said_and_are_not_a_pass() -> None:
    told = dau(6000, 6100)
    assert (told.passed, told.measured) == (
        None,
        "6,000; only 1 of 4 same weekdays before are known",
    )
    assert dau(6000, 0, 0, 0, 0).passed is None
    assert dau(None, 1, 1, 1, 1).measured == "nothing is there for 2026-09-28"


def test_without_sql_the_rows_of_the_table_are_the_total() -> None:
    told = {"name": "n", "kind": "within_baseline", "asset": "raw_sessions", "weeks": 1}
    rules = night.rules_for(checks=[told])
    (check,) = checks_for(rules.domains["growth"], night.DAY)
    (probe,) = questions(check, rules)
    assert (probe.name, probe.params["table"]) == ("daily_rows", "raw_sessions")
    assert probe.params["days"] == [night.DAY, MONDAYS[0]]


@pytest.mark.parametrize(
    ("passed", "description", "measured"),
    [(True, None, "passed"), (False, "23 of 24", "failed: 23 of 24")],
)
def test_an_asset_check_says_what_the_orchestrator_says(
    passed: bool, description: str | None, measured: str
) -> None:
    (probe,) = questions(PASSES, night.rules())
    assert probe.params == {
        "asset": "raw_sessions",
        "check": "raw_sessions_complete",
        "partition": night.DAY,
    }
    told = judge(PASSES, (said(passed=passed, description=description),), NOW, "gate")
    assert (told.passed, told.measured, told.moment) == (passed, measured, "gate")
    assert judge(PASSES, (said(passed=None),), NOW).passed is None


def test_an_asset_check_of_the_domain_is_asked_of_the_first_orchestrator() -> None:
    told = {"name": "n", "kind": "asset_check", "asset": "raw_sessions", "check": "complete"}
    rules = night.rules_for(checks=[told, {**told, "name": "m", "check": None}])
    one, two = checks_for(rules.domains["growth"], None)
    assert (one.params["check"], two.params["check"]) == ("complete", "m")
    assert questions(one, rules)[0].connection == "dagster"
    databases = {k: v for k, v in night.dw_yml()["connections"].items() if k != "dagster"}
    bare = night.rules(connections=databases, senders=[night_sender()])
    assert questions(one, bare) == ()


def night_sender() -> dict[str, str]:
    return {"app_id": "A0", "system": "dagsterplus", "connection": "warehouse"}


def test_rows_and_totals_need_a_day() -> None:
    growth = night.rules().domains["growth"]
    assert checks_for(growth, None) == checks_for(growth, "2026-13-40") == ()


@pytest.mark.parametrize("check", [ROWS, DAU])
def test_what_dw_yml_does_not_describe_is_not_asked_and_not_passed(check: Check) -> None:
    rules: Rules = night.rules(assets={})
    assert questions(check, rules) == ()
    told = judge(check, (), NOW)
    assert (told.passed, told.measured) == (
        None,
        "not measured: not every question was asked and answered",
    )


@given(
    st.sampled_from([ROWS, DAU, PASSES]),
    st.lists(st.dictionaries(st.sampled_from(["rows", "values", "passed"]), st.integers())),
)
def test_no_check_passes_when_an_answer_is_missing(check: Check, values: list[Any]) -> None:
    silent = said(problem="timed out")
    told = judge(check, (*(said(n, **value) for n, value in enumerate(values)), silent), NOW)
    assert told.passed is None
    assert told.measured == "warehouse could not tell: timed out"
    assert judge(check, (), NOW).passed is None

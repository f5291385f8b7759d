"""What is proposed after a backfill failed: the owner's part, with what to type or to press in each system."""

from dataclasses import replace

import pytest

from policies.alert import Alert
from policies.backfills import failed, widens
from policies.incident import Incident
from policies.plan import Plan, Step
from policies.playbook import draft
from policies.rules import Rules
from tests.building import an_alert
from tests.policies import friday, night

OLD = {"airflow": "2.11.2"}
DAYS = ("2026-10-01", "2026-10-02", "2026-10-04")
OF = {"backfill": friday.DAG}


def with_days(start: Incident, first: Alert, days: tuple[str, ...], of: dict[str, str]) -> Incident:
    alerts = [
        replace(first, signal_key=f"p{n}", run_id=first.run_id if n == 0 else f"r{n}", partition=d)
        for n, d in enumerate(days)
    ]
    return replace(start, alerts=tuple(replace(alert, extra=of) for alert in alerts))


def airflow(known: Rules, days: tuple[str, ...] = DAYS, **told: object) -> Step:
    first = friday.an_alert(extra=OF)
    incident = with_days(friday.diagnosed(known, first, **told), first, days, OF)
    return _only(incident, known)


def dagster(job: str | None, days: tuple[str, ...], **jobs: object) -> Step:
    known = night.rules()
    first = an_alert(job=job, asset=None, check=None)
    evidence = tuple(
        replace(e, value={**e.value, "job": job or "__ASSET_JOB", "checks": []})
        if e.probe.name == "run_failure"
        else e
        for e in night.diagnosed().evidence
    )
    start = replace(night.diagnosed(alert=first), diagnosis=None, evidence=evidence)
    return _only(with_days(start, first, days, {"backfill": "bkfl/1"}), known)


def _only(incident: Incident, known: Rules) -> Step:
    plan = draft(incident, known, night.lineage(), {})
    assert isinstance(plan, Plan), plan
    return plan.steps[0]


def test_on_airflow_2_failed_tasks_are_run_again_by_a_backfill_for_exactly_these_days() -> None:
    step = airflow(friday.rules(version=2), can_run=friday.can_run(**OLD))
    assert (step.doer, step.change_class) == ("person", "backfill")
    assert step.params == {"job": friday.DAG, "partitions": list(DAYS)}
    again = "airflow dags backfill --rerun-failed-tasks --yes"
    assert step.command == (
        f"{again} --start-date 2026-10-01T00:00:00+00:00 --end-date 2026-10-02T23:59:59+00:00 {friday.DAG}\n"
        f"{again} --start-date 2026-10-04T00:00:00+00:00 --end-date 2026-10-04T23:59:59+00:00 {friday.DAG}"
    )


def test_on_airflow_3_a_backfill_reprocesses_what_failed() -> None:
    step = airflow(friday.rules(version=3), DAYS[:2])
    assert step.command == (
        f"airflow backfill create --dag-id {friday.DAG} --from-date 2026-10-01T00:00:00+00:00 "
        "--to-date 2026-10-02T23:59:59+00:00 --reprocess-behavior failed"
    )


def test_the_server_knows_its_version_better_than_dw_yml() -> None:
    step = airflow(friday.rules(version=2), DAYS[:2])
    assert str(step.command).startswith("airflow backfill create")


def test_of_an_airflow_of_unknown_version_both_ways_are_given_and_told_apart() -> None:
    step = airflow(friday.rules({}), DAYS[:2], can_run={})
    assert str(step.command).count("\n") == 1
    assert "airflow dags is for Airflow 2" in str(step.press)


def test_hours_stand_alone_and_what_is_no_date_has_no_command() -> None:
    step = airflow(friday.rules(version=3), ("2026-10-01T09:00", "acme"))
    assert str(step.command).count("backfill create") == 1
    assert "--from-date 2026-10-01T09:00:00+00:00" in str(step.command)
    assert airflow(friday.rules(version=3), ("acme", "zed")).command is None


def test_the_name_of_a_dag_is_no_shell() -> None:
    hostile = replace(friday.an_alert(extra=OF), job="x; rm -rf /")
    known = friday.rules(version=3)
    start = friday.diagnosed(known, hostile, run_failure=friday.run_failure(job="x; rm -rf /"))
    step = _only(with_days(start, hostile, DAYS, OF), known)
    assert "--dag-id 'x; rm -rf /' --from-date" in str(step.command)


def test_dagsters_picked_assets_are_run_again_from_the_page_of_the_backfill() -> None:
    step = dagster(None, ("2026-09-26", "2026-09-27", "2026-09-28", "2026-10-02"))
    assert step.params["partitions"] == ["2026-09-26", "2026-09-27", "2026-09-28", "2026-10-02"]
    assert "raw_sessions" in step.params["assets"]  # type: ignore[operator]
    assert str(step.link).endswith("/runs/b/bkfl%2F1")
    assert "[2026-09-26...2026-09-28], 2026-10-02" in str(step.press)
    assert step.command is None


def test_of_a_dagster_job_there_is_a_command_also_where_the_bot_may_run_the_job() -> None:
    step = dagster("growth_rollups_job", ("2026-09-02|eu", "2026-09-02|us"))
    assert step.doer == "person"
    assert step.command == (
        "dagster job backfill -j growth_rollups_job --partitions '2026-09-02|eu,2026-09-02|us' --noprompt"
    )


def test_one_failed_partition_is_a_run_that_the_bot_may_still_be_asked_for() -> None:
    assert dagster("growth_rollups_job", ("2026-09-28",)).doer == "bot"
    assert dagster("unnamed_job", ("2026-09-28",)).doer == "person"


def test_the_others_are_of_the_backfill_only_where_the_system_says_so() -> None:
    first = friday.an_alert(extra=OF, partition=DAYS[0])
    known = friday.rules(version=3)
    start = with_days(friday.diagnosed(known, first), first, DAYS, OF)
    plain = replace(start.alerts[1], extra={})
    assert failed(replace(start, alerts=(start.alerts[0], plain))) == (DAYS[0],)


@pytest.mark.parametrize(("day", "wider"), [("2026-10-01", False), ("2026-10-09", True)])
def test_only_a_partition_that_the_plan_does_not_name_makes_it_wider(day: str, wider: bool) -> None:
    known, first = friday.rules(version=3), friday.an_alert(extra=OF)
    start = with_days(friday.diagnosed(known, first), first, DAYS, OF)
    plan = draft(start, known, night.lineage(), {})
    assert isinstance(plan, Plan)
    assert widens(replace(start, plan=plan), replace(start.alerts[1], partition=day)) is wider
    assert not widens(start, replace(start.alerts[1], partition=day))

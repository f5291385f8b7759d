"""A failed DAG is run again for its own day: by the bot on Airflow 2, by its owner on Airflow 3."""

import pytest

from policies import correlation
from policies.alert import AlertKind
from policies.filling import filled
from policies.plan import Plan, digest
from tests.policies import friday

OLD = {"airflow": "2.11.2"}
MOMENTS = {"started_at": "2026-10-02T09:00:03+00:00", "ended_at": "2026-10-02T09:21:02+00:00"}


def test_on_airflow_3_the_owner_starts_the_run_with_link_and_command() -> None:
    step = friday.step(friday.rules(version=3))
    assert (step.doer, step.action, step.change_class) == ("person", "trigger_dag", "rerun_dag")
    assert step.owner == "ana@example.com"
    assert step.title == "Start usage_billing_daily again for 2026-10-01"
    assert step.link == "https://airflow.example.com/dags/usage_billing_daily"
    assert step.command == "airflow dags trigger usage_billing_daily --conf '…'"
    assert step.params == {
        "job": friday.DAG,
        "config": {"usage_date": "2026-10-01"},
        "replaces": friday.RUN,
        "partition": "2026-10-01",
        "defaults": {"batch": 100},
    }
    assert step.code_version == "version 4"


def test_on_airflow_2_the_bot_queues_it_for_the_interval_of_the_failed_run() -> None:
    step = friday.step(friday.rules(version=2), can_run=friday.can_run(**OLD))
    assert (step.doer, step.action, step.command) == ("bot", "run_dag", None)
    assert step.params["config"] == {"usage_date": "2026-10-01"}
    assert (step.params["interval"], step.params["logical_date"]) == (friday.SPAN, friday.LOGICAL)


def test_what_dw_yml_calls_a_2_and_is_a_3_by_now_is_its_owners() -> None:
    assert friday.step(friday.rules(version=2)).doer == "person"


@pytest.mark.parametrize("connection", [{}, {"version": 2, "read_only": True}])
def test_an_airflow_2_that_is_not_the_bots_to_run_is_its_owners(
    connection: dict[str, bool],
) -> None:
    step = friday.step(friday.rules(**connection), can_run=friday.can_run(**OLD))
    assert (step.doer, step.action) == ("person", "trigger_dag")


def test_a_dag_that_is_told_no_day_is_run_for_its_interval_by_a_person_too() -> None:
    step = friday.step(friday.rules(friday.BY_INTERVAL, version=3))
    assert step.params["interval"] == friday.SPAN


def test_the_configuration_of_the_failed_run_is_kept_and_dw_yml_goes_over_it() -> None:
    failed = friday.run_failure(conf={"region": "eu", "usage_date": "2026-09-01"})
    step = friday.step(friday.rules(version=3), run_failure=failed)
    assert step.params["config"] == {"region": "eu", "usage_date": "2026-10-01"}


def test_the_command_and_the_defaults_are_part_of_what_is_approved() -> None:
    known = friday.rules(version=3)
    shown = [
        digest((friday.step(known, can_run=friday.can_run(**change)),), ())
        for change in ({}, {"command": "rm -rf"}, {"defaults": {"batch": 1}})
    ]
    assert len(set(shown)) == 3


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"can_run": friday.can_run(may=False, why="it is paused")}, "not now: it is paused"),
        ({"can_run": "down"}, "whether it can be run could not be read"),
        ({"run_failure": friday.run_failure(status="running")}, "has not ended yet"),
        ({"run_failure": friday.run_failure(status="success")}, "would repeat what worked"),
        ({"run_failure": friday.run_failure(conf=None, conf_withheld=True)}, "Nothing was started"),
        ({"run_failure": friday.run_failure(partition=None)}, "the day in trouble is not known"),
    ],
)
def test_no_button_is_offered_for_a_run_that_would_not_start_or_be_another(
    told: dict[str, object], words: str
) -> None:
    assert words in friday.why(friday.rules(version=2), **told)


def test_a_dag_that_dw_yml_does_not_name_is_not_offered() -> None:
    known = friday.rules(version=2, jobs={"another": {}})
    assert "not among the jobs that dw.yml lets the bot run" in friday.why(known)


def test_a_task_that_takes_too_long_is_not_started_a_second_time() -> None:
    alert = friday.an_alert(kind=AlertKind.RUN_SLOW)
    assert "nothing is started beside it" in friday.why(friday.rules(version=2), alert)


def test_the_reach_is_what_the_dag_builds_and_who_reads_it() -> None:
    plan = friday.drafted(friday.rules(version=3))
    assert isinstance(plan, Plan)
    assert plan.reach == ("Stripe", "fct_daily_usage")
    assert plan.deadline == "14:00"


def test_a_green_run_that_hides_a_failure_and_a_failed_one_without_any_are_said() -> None:
    green = friday.run_failure(status="success", error="the run ended green all the same")
    cause = friday.diagnosed(friday.rules(), run_failure=green).diagnosis.causes[0]  # type: ignore[union-attr]
    assert [f.says for f in cause.for_][-1] == "the run ended green all the same"
    nobody = friday.run_failure(steps_failed=[], error="no task of it failed")
    cause = friday.diagnosed(friday.rules(), run_failure=nobody).diagnosis.causes[0]  # type: ignore[union-attr]
    assert cause.says == "no task of it failed"


def test_an_alert_without_a_run_is_led_to_it_by_when_it_ran() -> None:
    alert = friday.an_alert(run_id=None, extra=MOMENTS | {"workspace_id": "x"})
    incident = friday.diagnosed(friday.rules(), alert)
    asked = {e.probe.name: dict(e.probe.params) for e in incident.evidence}
    assert asked["find_run"] == {"job": friday.DAG, **MOMENTS}
    assert asked["run_failure"] == {"run_id": friday.RUN}


def test_message_callback_and_poll_of_one_run_are_one_trouble() -> None:
    polled = friday.an_alert(partition=friday.DAY, extra=MOMENTS | {"logical_date": friday.LOGICAL})
    known = set(correlation.keys(polled))
    astro = friday.an_alert(run_id=None, extra=MOMENTS)
    legacy = friday.an_alert(run_id=None, extra={"logical_date": "2026-10-01T09:00:00+00:00"})
    notifier = friday.an_alert()
    for alert in (astro, legacy, notifier):
        assert known & set(correlation.keys(alert))


def test_two_dags_that_failed_at_the_same_time_are_two_troubles() -> None:
    other = friday.an_alert(job="b", run_id=friday.RUN.replace(friday.DAG, "b"), extra=MOMENTS)
    mine = friday.an_alert(extra=MOMENTS)
    assert not set(correlation.keys(mine)) & set(correlation.keys(other))


@pytest.mark.parametrize(
    ("config", "partition", "expected"),
    [
        ({"d": "{partition}"}, "2026-10-01", {"d": "2026-10-01"}),
        ({"d": "{day_before}", "n": 1}, "2026-10-01", {"d": "2026-09-30", "n": 1}),
        (
            {"l": ["{partition}"], "m": {"k": "to {partition}"}},
            "x",
            {"l": ["x"], "m": {"k": "to x"}},
        ),
        ({"d": "{day_before}"}, "x", {"d": "{day_before}"}),
        ({"d": "{partition}"}, None, {"d": "{partition}"}),
    ],
)
def test_the_day_is_filled_into_what_dw_yml_says(
    config: dict[str, object], partition: str | None, expected: dict[str, object]
) -> None:
    assert filled(config, partition) == expected

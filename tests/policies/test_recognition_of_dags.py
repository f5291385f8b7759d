"""Which run of a DAG is taken to be the one that its owner was asked to start."""

from dataclasses import replace
from datetime import timedelta

import pytest

from policies.recognition import OUR_TAG, Recognised, Several, recognise_run
from policies.run import Run, RunState
from tests.building import NOW, a_step

DAG = "usage_billing_daily"
FAILED = f"{DAG}/scheduled__1"
STEP = a_step(
    doer="person",
    action="trigger_dag",
    params={
        "job": DAG,
        "config": {"usage_date": "2026-10-01"},
        "defaults": {"batch": 100},
        "replaces": FAILED,
        "partition": "2026-10-01",
    },
)
BY_INTERVAL = replace(
    STEP, params={**STEP.params, "config": {}, "interval": "2026-10-01T00:00:00Z/…"}
)
RUN = Run(
    connection="airflow",
    id=f"{DAG}/manual__1",
    job=DAG,
    state=RunState.QUEUED,
    tags={"run_type": "manual"},
    conf={"usage_date": "2026-10-01"},
    created_at=NOW + timedelta(minutes=5),
)


def taken(*runs: Run, step: object = STEP) -> Recognised | Several | None:
    return recognise_run(step, runs, NOW)  # type: ignore[arg-type]


def test_the_run_of_that_dag_with_that_configuration_is_taken_and_the_reason_said() -> None:
    found = taken(RUN)
    assert isinstance(found, Recognised)
    assert found.run == RUN
    assert found.because == (
        "it runs usage_billing_daily with usage_date=2026-10-01, started by hand at 00:46 UTC, after "
        "this step was ready"
    )


def test_a_form_that_fills_in_the_defaults_is_the_same_configuration() -> None:
    assert taken(replace(RUN, conf={"usage_date": "2026-10-01", "batch": 100}))


@pytest.mark.parametrize(
    "changes",
    [
        {"job": "another"},
        {"conf": {"usage_date": "2026-09-30"}},
        {"conf": {}},
        {"conf": {"usage_date": "2026-10-01", "batch": 5}},
        {"conf": {"usage_date": "2026-10-01", "full_refresh": True}},
        {"created_at": NOW - timedelta(seconds=1)},
        {"created_at": None},
        {"state": RunState.FAILED},
        {"tags": {"run_type": "scheduled"}},
        {"tags": {"run_type": "manual", OUR_TAG: "x"}},
    ],
)
def test_another_run_is_not_taken(changes: dict[str, object]) -> None:
    assert taken(replace(RUN, **changes)) is None  # type: ignore[arg-type]


def test_two_that_fit_are_not_chosen_between() -> None:
    found = taken(RUN, replace(RUN, id=f"{DAG}/manual__2", created_at=NOW + timedelta(minutes=7)))
    assert isinstance(found, Several)
    assert found.why == (
        "2 runs fit and none is taken for it: press Mark done once the right one has ended well. They are "
        "usage_billing_daily/manual__1 (started 00:46 UTC) and usage_billing_daily/manual__2 (started 00:48 UTC)"
    )


def test_when_one_of_two_has_failed_the_other_is_taken() -> None:
    found = taken(replace(RUN, id=f"{DAG}/manual__0", state=RunState.FAILED), RUN)
    assert isinstance(found, Recognised)


def test_the_failed_run_itself_cleared_by_its_owner_is_taken() -> None:
    cleared = replace(RUN, id=FAILED, tags={"run_type": "scheduled"})
    found = taken(cleared)
    assert isinstance(found, Recognised)
    assert found.because.startswith("the failed run itself was cleared and runs")


def test_where_only_the_interval_says_the_day_a_run_for_another_day_is_not_taken() -> None:
    plain = replace(RUN, conf={}, partition=None)
    assert taken(plain, step=BY_INTERVAL) is None
    assert taken(replace(plain, partition="2026-10-02"), step=BY_INTERVAL) is None
    assert taken(replace(plain, partition="2026-10-01"), step=BY_INTERVAL)

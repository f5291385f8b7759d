"""Which run is missing, which came after all, and what needs none."""

from datetime import UTC, datetime, timedelta
from typing import Any

from policies.alert import AlertKind
from policies.expecting import Judged, Promise, judge
from tests.building import NOW

DUE = NOW - timedelta(minutes=40)
PROMISE = Promise(
    connection="billing", kind="airflow", job="daily", late_after=timedelta(minutes=30)
)
TOLD = Promise(
    connection="billing",
    kind="airflow",
    job="daily",
    late_after=timedelta(minutes=30),
    told=DUE.isoformat(),
)


def said(promise: Promise = PROMISE, **answer: Any) -> Judged:
    return judge(promise, {"due_at": DUE.isoformat(), "held": None, **answer}, NOW)


def test_a_run_that_is_late_enough_is_missing_and_said_once() -> None:
    first = said(partition="2026-09-28", url="https://airflow.example.com/dags/daily")
    assert first.alert is not None
    assert first.alert.kind is AlertKind.RUN_ABSENT
    assert first.alert.title.startswith("daily did not start: a run was due at 2026-")
    assert (first.alert.job, first.alert.partition) == ("daily", "2026-09-28")
    assert said(TOLD).alert is None
    assert said(TOLD).missing == first.missing == DUE.isoformat()


def test_one_that_is_only_a_little_late_is_not_missing() -> None:
    assert said(due_at=(NOW - timedelta(minutes=29)).isoformat()) == Judged()


def test_the_next_one_that_is_missing_is_another_alert() -> None:
    tomorrow = (DUE + timedelta(minutes=5)).isoformat()
    late = judge(TOLD, {"due_at": tomorrow, "held": None}, NOW + timedelta(hours=1))
    assert late.alert is not None
    assert late.alert.signal_key.endswith(tomorrow)


def test_it_came_after_all() -> None:
    told = said(TOLD, due_at=None, began_at=NOW.isoformat())
    assert told.alert is not None
    assert told.alert.kind is AlertKind.RUN_CAME
    assert told.alert.title.startswith("daily began after all at ")
    assert told.missing is None


def test_a_paused_one_is_said_to_be_paused_and_is_not_missing() -> None:
    told = said(held="it is paused")
    assert told == Judged(remark="daily: it is paused; no run is expected")
    ended = said(TOLD, held="it is paused")
    assert ended.alert is not None
    assert ended.alert.title == "daily is not expected any more: it is paused"


def test_a_server_that_tells_its_own_time_zone_over_a_change_of_the_clocks_means_one_moment() -> (
    None
):
    before = datetime.fromisoformat("2026-10-25T02:30:00+02:00")  # it is 02:30 twice that night
    after = datetime.fromisoformat("2026-10-25T02:30:00+01:00")
    now = datetime(2026, 10, 25, 1, 15, tzinfo=UTC)
    assert judge(PROMISE, {"due_at": before.isoformat(), "held": None}, now).alert is not None
    assert judge(PROMISE, {"due_at": after.isoformat(), "held": None}, now) == Judged()


def test_one_that_was_just_deployed_and_is_due_only_later_is_not_missing() -> None:
    assert said(due_at=(NOW + timedelta(hours=9)).isoformat(), began_at=None) == Judged()

"""Which alerts are the same trouble, and the words for why."""

from dataclasses import replace
from typing import Any

import pytest

from policies import correlation
from policies.alert import AlertKind
from tests.building import an_alert
from tests.policies import night


def test_a_run_is_known_by_its_whole_id_and_by_its_beginning() -> None:
    whole = correlation.keys(an_alert(asset=None))
    short = correlation.keys(an_alert(asset=None, run_id=None, run_id_short="5f1d2c9e"))
    assert whole == (f"dagster:run:{night.RUN}", "dagster:run:5f1d2c9e")
    assert short == ("dagster:run:5f1d2c9e",)


def test_an_asset_and_a_job_with_its_partition_are_fingerprints() -> None:
    alert = an_alert(run_id=None, job="sessions_job")
    assert correlation.keys(alert) == (
        "dagster:asset:raw_sessions",
        "dagster:job:sessions_job:2026-09-28",
    )
    assert correlation.keys(replace(alert, partition=None))[1] == "dagster:job:sessions_job:-"


def test_the_anonymous_job_is_nobodys_fingerprint() -> None:
    assert correlation.keys(an_alert(run_id=None, asset=None, job="__ASSET_JOB")) == ()


def test_a_later_alert_downstream_answers_to_a_key_of_the_reach() -> None:
    radius = night.with_radius(night.diagnosed()).radius
    late = an_alert(
        kind=AlertKind.ASSET_STALE, asset="fct_daily_active_users", run_id=None, partition=None
    )
    assert set(correlation.keys(late)) & set(correlation.reach_keys("dagster", radius))
    assert not set(correlation.keys(late)) & set(correlation.keys(an_alert()))


@pytest.mark.parametrize(
    ("alert", "because"),
    [
        ({}, "the same run 5f1d2c9e"),
        ({"run_id": None, "run_id_short": "5f1d2c9e"}, "the same run 5f1d2c9e"),
        ({"run_id": "other"}, "the same asset raw_sessions"),
        (
            {"run_id": None, "asset": "fct_daily_active_users"},
            "fct_daily_active_users is downstream of raw_sessions",
        ),
        (
            {"run_id": None, "asset": None, "job": "sessions_job"},
            "the same job sessions_job for 2026-09-28",
        ),
        (
            {"run_id": None, "asset": "x", "job": "sessions_job", "partition": None},
            "the same job sessions_job",
        ),
        ({"run_id": None, "asset": None}, "it answers to the same fingerprint"),
    ],
)
def test_an_attached_alert_says_why_it_belongs(alert: dict[str, Any], because: str) -> None:
    incident = night.with_radius(night.diagnosed())
    assert correlation.because(an_alert(**alert), incident) == because


def test_before_anything_is_known_only_the_first_alert_can_tell() -> None:
    bare = night.incident(an_alert(run_id=None, asset=None))
    told = correlation.because(an_alert(asset="y"), bare)
    assert told == "it answers to the same fingerprint"

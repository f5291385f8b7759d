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
    assert set(correlation.downstream_keys(late, night.rules())) & set(
        correlation.reach_keys(radius)
    )
    assert not set(correlation.keys(late)) & set(correlation.keys(an_alert()))


def test_what_the_asset_is_built_from_is_known_as_above_it_and_never_as_its_reach() -> None:
    radius = night.with_radius(night.diagnosed()).radius
    assert radius is not None
    found = correlation.reach_keys(replace(radius, above=("shop.sessions", radius.root)))
    assert found[0] == "reach:raw_sessions"
    assert [key for key in found if key.startswith("above:")] == ["above:shop.sessions"]


def test_the_same_error_is_the_same_whatever_the_day_and_the_run() -> None:
    one = an_alert(job="sessions_job", asset=None)
    other = replace(one, signal_key="Ev2", run_id="other", partition="2026-09-29")
    assert correlation.error_keys(one) == correlation.error_keys(other) != ()
    assert correlation.error_keys(replace(one, kind=AlertKind.SUCCESS)) == ()
    assert correlation.error_keys(replace(one, job="__ASSET_JOB")) == ()


def test_an_alert_is_about_its_asset_or_else_about_what_its_job_builds() -> None:
    job = an_alert(asset=None, job="growth_rollups_job")
    assert correlation.about(job, night.rules()) == ("agg_weekly_engagement",)
    assert correlation.about(replace(job, asset="x"), night.rules()) == ("x",)
    assert correlation.about(replace(job, connection="gone"), night.rules()) == ()


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

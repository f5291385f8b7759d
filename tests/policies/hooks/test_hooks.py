"""Every kind of webhook: what its failure says, that good news opens nothing, and what is passed over."""

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from policies.alert import Alert, AlertKind, Ignored
from policies.recognise.hooks import READERS
from policies.webhooks import HOOKS
from tests.policies.hooks import deliveries as d

KINDS = sorted(HOOKS)


def test_every_kind_of_dw_yml_has_a_reader_and_a_payload() -> None:
    assert READERS.keys() == HOOKS.keys() == d.FAILED.keys() == d.WANTED.keys()


@pytest.mark.parametrize("kind", KINDS)
def test_a_failure_says_exactly_what_is_expected_of_it(kind: str) -> None:
    alert = d.alert(kind)
    assert alert.kind.opens()
    assert (alert.system, alert.connection) == (kind, d.ABOUT.get(kind, "airflow"))
    wanted = d.WANTED[kind]
    assert {name: getattr(alert, name) for name in wanted} == wanted


@pytest.mark.parametrize("kind", sorted(d.GOOD))
def test_good_news_open_nothing_and_are_another_signal(kind: str) -> None:
    alert = d.alert(kind, d.GOOD[kind])
    assert not alert.kind.opens()
    if kind not in ("airflow", "astro", "dagsterplus"):  # known by what they say, see the digest
        assert alert.signal_key != d.alert(kind).signal_key


@pytest.mark.parametrize("kind", sorted(d.PASSED_OVER))
def test_what_is_no_end_is_passed_over_with_a_reason(kind: str) -> None:
    body, reason = d.PASSED_OVER[kind]
    (one,) = d.found(kind, body)
    assert isinstance(one, Ignored)
    assert reason in one.reason


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("body", [None, [], "failed", 1, {}, {"event": "x"}, {"alerts": []}])
def test_another_shape_is_malformed(kind: str, body: object) -> None:
    with pytest.raises(ValidationError):
        d.found(kind, body)


@pytest.mark.parametrize("kind", KINDS)
@given(value=st.none() | st.text() | st.integers() | st.floats() | st.lists(st.text(), max_size=2))
def test_whatever_stands_in_a_field_it_is_read_or_malformed(kind: str, value: Any) -> None:
    for place in _places(d.FAILED[kind]):
        body = deepcopy(d.FAILED[kind])
        _put(body, place, value)
        try:
            found = d.found(kind, body)
        except ValidationError:
            continue
        for alert in found:
            assert isinstance(alert, Alert | Ignored)
            assert not isinstance(alert, Alert) or _is_clean(alert)


def _is_clean(alert: Alert) -> bool:
    """Names and titles are one line; links are pages."""
    words = (alert.title, alert.job, alert.run_id, alert.asset, alert.op, alert.signal_key)
    one_line = all(ord(c) >= 32 for text in words if text for c in text)
    return one_line and (alert.url is None or alert.url.startswith(("http://", "https://")))


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for key, below in inner:
        found.append((*path, key))
        found += _places(below, (*path, key)) if isinstance(below, dict | list) else []
    return found


def _put(body: Any, path: tuple[Any, ...], value: Any) -> None:
    *before, last = path
    for key in before:
        body = body[key]
    body[last] = value


def test_a_link_that_is_no_page_costs_the_link_and_not_the_alert() -> None:
    for link in ("javascript:alert(1)", "https://", "https://a b", "http://x/<!channel>", 7):
        assert d.alert("generic", {"kind": "run_failed", "job": "j", "url": link}).url is None


def test_a_table_is_the_asset_of_its_name_or_what_dw_yml_says() -> None:
    named = {"assets": {"prod:shop.orders": "raw_orders"}}
    assert d.alert("monte_carlo").asset == "orders"
    assert d.alert("monte_carlo", **named).asset == "raw_orders"


def test_one_delivery_may_hold_many_alerts_each_a_signal_of_its_own() -> None:
    body = deepcopy(d.FAILED["grafana"])
    later = {**body["alerts"][0], "startsAt": "2026-09-29T02:31:00Z"}
    body["alerts"].append(later)
    first, second = d.found("grafana", body)
    assert first.signal_key != second.signal_key


def test_a_run_in_parts_completes_only_as_a_whole() -> None:
    body = {**d.FAILED["openlineage"], "eventType": "COMPLETE"}
    (one,) = d.found("openlineage", body)
    assert isinstance(one, Ignored)


def test_outside_airflow_only_a_run_of_dagster_is_known_by_its_id() -> None:
    parent = {"job": {"namespace": "n", "name": "sessions_job"}, "run": {"runId": d.RUN}}
    body = {
        "eventType": "ABORT",
        "eventTime": d.AT,
        "run": {"runId": "0199", "facets": {"parent": parent}},
        "job": {"namespace": "n", "name": "sessions_job.load"},
    }
    spark = d.alert("openlineage", body)
    assert (spark.job, spark.op, spark.run_id) == ("sessions_job", "load", None)
    dagster = d.alert("openlineage", {**body, "producer": "https://github.com/dagster-io/x"})
    assert (dagster.kind, dagster.run_id) == (AlertKind.OP_FAILED, d.RUN)


def test_older_alerts_of_astro_tell_when_it_ran() -> None:
    body = {
        "alertType": "PIPELINE_FAILURE",
        "dagName": "tell_dw",
        "message": f"[Astro Alerts] Pipeline failure detected on DAG orders_daily. \\n{d.MINUTES}",
    }
    alert = d.alert("astro", body)
    assert (alert.job, alert.run_id) == ("orders_daily", None)
    assert alert.extra == {
        "started_at": "2026-09-28T02:00:03+00:00",
        "ended_at": "2026-09-28T02:07:41+00:00",
    }


@pytest.mark.parametrize(
    ("summary", "wanted"),
    [
        (
            "Asset check rows_complete failed on raw_sessions",
            (AlertKind.CHECK_FAILED, "raw_sessions", "rows_complete"),
        ),
        ("Asset raw_sessions freshness failed", (AlertKind.ASSET_STALE, "raw_sessions", None)),
        ("Asset raw_sessions freshness passed", (AlertKind.RESOLVED, "raw_sessions", None)),
    ],
)
def test_a_policy_of_dagster_plus_is_read_by_its_summary(summary: str, wanted: object) -> None:
    alert = d.alert("dagsterplus", {"alert_summary": summary, "run_id": "{{run_id}}"})
    assert (alert.kind, alert.asset, alert.check) == wanted
    assert alert.run_id is None

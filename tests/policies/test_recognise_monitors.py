"""Every stored sample of what watches data and systems from outside: what each tells, and what it can't."""

from typing import Any

import pytest

from policies import correlation
from policies.alert import Alert, AlertKind, Ignored
from policies.recognise import recognise
from policies.rules import AlertSender
from policies.signal import Sender
from tests.policies.flat import message, sample, signal_of

SYSTEMS = {
    "A0ELEMENT": "elementary",
    "A0GXACT01": "great_expectations",
    "A0SODA001": "soda",
    "A0REDATA1": "re_data",
    "A0MONTEC1": "monte_carlo",
    "A0GRAFANA": "grafana",
    "A0ONCALL1": "grafana_oncall",
    "A0ALERTM1": "alertmanager",
    "A0DATADOG": "datadog",
    "A0PAGERD1": "pagerduty",
    "A0DATAHUB": "datahub",
    "A0OPENMET": "openmetadata",
}
SENDERS = tuple(
    AlertSender(app_id=app, system=system, connection="airflow") for app, system in SYSTEMS.items()
)
TOLD: dict[str, dict[str, Any]] = {
    "elementary_model_error": {
        "kind": AlertKind.OP_FAILED,
        "title": "dbt could not build orders",
        "asset": "orders",
        "extra": {"status": "error", "env": "prod", "path": "models/marts/orders.sql"},
    },
    "elementary_test_failed": {
        "kind": AlertKind.CHECK_FAILED,
        "title": "not_null failed on prod.analytics.orders",
        "job": "orders_daily",
        "run_id": "orders_daily/scheduled__2026-11-30T02:00:00+00:00",
        "asset": "prod.analytics.orders",
        "check": "not_null",
        "extra": {"status": "fail", "env": "prod", "column": "amount"},
    },
    "gx_checkpoint_failure": {
        "kind": AlertKind.CHECK_FAILED,
        "title": "orders_checkpoint: 11 of 13 expectations met on orders",
        "asset": "orders",
        "check": "orders_suite",
        "extra": {"checkpoint": "orders_checkpoint", "met": "11", "evaluated": "13"},
    },
    "soda_check_failed": {
        "kind": AlertKind.CHECK_FAILED,
        "title": "No invalid amount failed on orders",
        "asset": "orders",
        "check": "No invalid amount",
        "extra": {
            "monitor": "3f2a1c5d-0b5f-4a0e-9a40-1b2c3d4e5f60",
            "datasource": "snowflake_prod",
        },
    },
    "redata_alert": {
        "kind": AlertKind.CHECK_FAILED,
        "title": "1 anomalies, 1 failed tests on analytics.orders",
        "asset": "analytics.orders",
        "extra": {"anomalies": "1", "schema_changes": "0", "failed_tests": "1"},
    },
    "montecarlo_volume_alert": {
        "kind": AlertKind.CHECK_FAILED,
        "title": "Monte Carlo: volume on prod:analytics.orders",
        "asset": "prod:analytics.orders",
        "extra": {"monitor": "f83867b6-8f25-428b-807c-08518f63384c"},
    },
    "datahub_incident_raised": {
        "kind": AlertKind.CHECK_FAILED,
        "title": "DataHub: Too few rows since midnight on analytics.orders",
        "asset": "analytics.orders",
        "extra": {
            "monitor": "urn:li:dataset:(urn:li:dataPlatform:snowflake,analytics.orders,PROD)"
            ":Too few rows since midnight"
        },
    },
    "openmetadata_test_failed": {
        "kind": AlertKind.CHECK_FAILED,
        "title": "orders_amount_not_null failed on warehouse.prod.analytics.orders",
        "asset": "warehouse.prod.analytics.orders",
        "check": "orders_amount_not_null",
        "extra": {
            "monitor": "warehouse.prod.analytics.orders:orders_amount_not_null",
            "status": "failed",
        },
    },
    "grafana_firing": {
        "kind": AlertKind.CHECK_FAILED,
        "title": "DAGRunLate is firing for orders_daily",
        "job": "orders_daily",
        "extra": {"monitor": "adk3j2", "env": "prod", "severity": "critical", "team": "data"},
    },
    "grafana_resolved": {
        "kind": AlertKind.RESOLVED,
        "title": "DAGRunLate is resolved for orders_daily",
        "job": "orders_daily",
        "extra": {"monitor": "adk3j2", "env": "prod", "severity": "critical", "team": "data"},
    },
    "grafana_oncall_alert_group": {
        "kind": AlertKind.CHECK_FAILED,
        "title": "DAGRunLate is firing for orders_daily",
        "job": "orders_daily",
        "extra": {"monitor": "1432"},
    },
    "alertmanager_firing": {
        "kind": AlertKind.CHECK_FAILED,
        "title": "DagsterDaemonDown is firing",
        "extra": {"monitor": "DagsterDaemonDown (dagster prod critical)", "count": "2"},
    },
    "datadog_monitor_triggered": {
        "kind": AlertKind.CHECK_FAILED,
        "title": "Airflow task failures (env:prod,dag_id:orders_daily)",
        "job": "orders_daily",
        "extra": {
            "monitor": "123456789:env:prod,dag_id:orders_daily",
            "monitor_id": "123456789",
        },
    },
    "pagerduty_triggered": {
        "kind": AlertKind.CHECK_FAILED,
        "title": "airflow-prod: Airflow scheduler heartbeat missing",
        "extra": {"monitor": "Q2ABCDEF123456", "number": "48213", "service": "airflow-prod"},
    },
}


URN = "urn:li:dataset:(urn:li:dataPlatform:dbt,Quietly.elsewhere,PROD)"


def read(event: dict[str, Any]) -> Alert:
    alert = recognise(signal_of(event), SENDERS, Sender(bot_id="B0DW"))
    assert isinstance(alert, Alert)
    return alert


def said(app: str, *texts: str, buttons: dict[str, str] | None = None) -> Alert | Ignored:
    return recognise(message(*texts, app_id=app, buttons=buttons), SENDERS, Sender())


@pytest.mark.parametrize(("name", "told"), TOLD.items())
def test_an_alert_says_exactly_what_is_expected_of_it(name: str, told: dict[str, Any]) -> None:
    stored = sample(name)
    alert = read(stored["event"])
    assert alert.system == stored["expect"]["system"]
    assert alert.kind.opens() is stored["expect"]["open_incident"]
    facts = ("kind", "title", "job", "run_id", "asset", "check", "extra")
    empty = {"job": None, "run_id": None, "asset": None, "check": None}
    assert {fact: getattr(alert, fact) for fact in facts} == {**empty, **told}


def test_links_are_those_of_the_trouble() -> None:
    assert read(sample("elementary_test_failed")["event"]).url == (
        "https://airflow.acme.dev/dags/orders_daily/grid"
        "?dag_run_id=scheduled__2026-11-30T02%3A00%3A00%2B00%3A00"
    )
    pagerduty = read(sample("pagerduty_triggered")["event"]).url
    assert pagerduty == "https://acme.pagerduty.com/incidents/Q2ABCDEF123456"


@pytest.mark.parametrize(
    ("app", "fired", "ended"),
    [
        (
            "A0DATAHUB",
            "Incident raised on a.b: Too few rows",
            "Incident resolved on a.b: Too few rows",
        ),
        ("A0OPENMET", "Test Case *t* is *Failed* in w.a", "Test Case *t* is *Success* in w.a"),
    ],
)
def test_a_catalogue_ends_what_it_raised(app: str, fired: str, ended: str) -> None:
    told = said(app, fired), said(app, ended)
    assert all(isinstance(one, Alert) for one in told)
    raised, over = (one for one in told if isinstance(one, Alert))
    assert (raised.kind.opens(), over.kind) == (True, AlertKind.RESOLVED)
    assert set(correlation.keys(raised)) & set(correlation.keys(over))


def test_the_older_layout_of_openmetadata_is_read_as_well() -> None:
    event = sample("openmetadata_test_failed")["event"]
    text = "Test Case *t* is *Aborted* in warehouse.prod.analytics.orders"
    older = {**event, "text": "ingestion-bot posted on testCase t", "blocks": []}
    alert = read({**older, "attachments": [{"id": 1, "text": text, "mrkdwn_in": ["text"]}]})
    assert alert.title == "t could not be run on warehouse.prod.analytics.orders"


def test_what_is_resolved_answers_to_the_keys_of_what_fired() -> None:
    firing, resolved = (read(sample(f"grafana_{how}")["event"]) for how in ("firing", "resolved"))
    assert correlation.keys(firing) == correlation.keys(resolved)
    assert "airflow:monitor:grafana:adk3j2" in correlation.keys(firing)


@pytest.mark.parametrize(
    ("app", "text"),
    [
        ("A0GXACT01", "notify - c - Success :white_check_mark:\n*Asset*: orders"),
        ("A0SODA001", "Check passed: fresh\n*Dataset:* orders"),
        ("A0REDATA1", "All Good! :tada:"),
        ("A0ALERTM1", "[RESOLVED] DagsterDaemonDown (dagster prod critical)"),
        ("A0DATADOG", "Recovered: [P2] Airflow task failures on env:prod"),
        ("A0PAGERD1", "Resolved #48213: Airflow scheduler heartbeat missing"),
        ("A0ONCALL1", "#7 Late via prod\nStatus: resolved"),
        ("A0DATAHUB", "Incident resolved on analytics.orders: The load failed"),
        ("A0DATAHUB", "Assertion passed on analytics.orders: row count"),
        ("A0OPENMET", "Test Case *t* is *Success* in w.p.analytics.orders"),
    ],
)
def test_good_news_opens_nothing(app: str, text: str) -> None:
    head, _, rest = text.partition("\n")
    alert = said(app, head, rest) if rest else said(app, text)
    assert isinstance(alert, Alert)
    assert not alert.kind.opens()


@pytest.mark.parametrize(
    ("app", "text"),
    [
        ("A0PAGERD1", "Acknowledged #48213: Airflow scheduler heartbeat missing"),
        ("A0DATADOG", "A monitor was edited"),
        ("A0GRAFANA", "Somebody said [FIRING:1] X"),
        ("A0ELEMENT", "Summary: 12 tests ran"),
        ("A0DATAHUB", "A description was changed on analytics.orders"),
        ("A0DATAHUB", "Incident raised"),
        ("A0OPENMET", "Test Case *t* is *Queued* in w.p.analytics.orders"),
        ("A0OPENMET", "ana posted on table w.p.analytics.orders: Test Case x is Failed in y"),
    ],
)
def test_what_is_neither_trouble_nor_its_end_is_not_understood(app: str, text: str) -> None:
    assert isinstance(said(app, text), Ignored)


@pytest.mark.parametrize(
    ("app", "text", "url"),
    [
        ("A0PAGERD1", "Triggered #4: x", "https://pagerduty.com.evil.example/incidents/QEVILEVIL"),
        ("A0DATADOG", "Triggered: x", "https://evil.example/monitors/1"),
        ("A0DATAHUB", "Incident raised on a: b", f"https://evil.example/dataset/{URN}/Incidents"),
        ("A0MONTEC1", "Volume alert on a: b", f"https://evil.example/alerts/{'0' * 36}"),
    ],
)
def test_a_link_to_a_foreign_host_tells_nothing(app: str, text: str, url: str) -> None:
    alert = said(app, text, buttons={"View": url})
    assert isinstance(alert, Alert)
    assert (alert.url, alert.extra.get("monitor", "")[:1] not in ("Q", "0", "1")) == (None, True)


def test_where_a_system_is_at_home_its_own_host_goes_before_others() -> None:
    dag, evil = "https://airflow.acme.dev/dags/d/runs/r1", "https://evil.example/dags/d/runs/r2"
    signal = message(f"DAG d failed <{evil}|x> <{dag}|y>", app_id="A0AIR")
    senders = (AlertSender(app_id="A0AIR", system="airflow", connection="airflow"),)
    alert = recognise(signal, senders, Sender(), {"airflow": "airflow.acme.dev"})
    assert isinstance(alert, Alert)
    assert alert.url == dag


def test_a_sender_may_call_a_table_by_another_name() -> None:
    event = sample("montecarlo_volume_alert")["event"]
    named = {"prod:analytics.orders": "analytics/orders"}
    sender = AlertSender(app_id="A0MONTEC1", system="monte_carlo", connection="c", assets=named)
    alert = recognise(signal_of(event), (sender,), Sender())
    assert isinstance(alert, Alert)
    assert alert.asset == "analytics/orders"

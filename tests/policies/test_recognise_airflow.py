"""Every stored sample of Airflow and Astro, and what could be misread in them."""

from typing import Any

import pytest

from policies.alert import Alert, AlertKind, Ignored
from policies.recognise import UNRECOGNISED, recognise
from policies.rules import AlertSender
from policies.run import within
from policies.signal import Sender
from tests.policies.flat import PAYLOADS, message, sample, signal_of

SENDERS = (
    AlertSender(bot_id="B0AIRFLOW", system="airflow", connection="airflow"),
    AlertSender(bot_id="B0ASTRO01", app_id="A0ASTRO01", system="astro", connection="astro"),
    AlertSender(app_id="A0AIRFLOW", system="airflow", connection="airflow"),
)
SAMPLES = sorted(path.stem for path in PAYLOADS.glob("a[is]*.json"))
KINDS = {
    "task_failed": AlertKind.OP_FAILED,
    "dag_failed": AlertKind.RUN_FAILED,
    "task_slow": AlertKind.RUN_SLOW,
    "success": AlertKind.SUCCESS,
}
LOG = "https://airflow.acme.dev/dags/{0}/runs/{1}/tasks/{2}?try_number=2"


def read(event: dict[str, Any]) -> Alert:
    alert = recognise(signal_of(event), SENDERS, Sender(bot_id="B0DW"))
    assert isinstance(alert, Alert)
    return alert


def said(*texts: str, buttons: dict[str, str] | None = None) -> Alert | Ignored:
    return recognise(message(*texts, app_id="A0AIRFLOW", buttons=buttons), SENDERS, Sender())


@pytest.mark.parametrize("name", SAMPLES)
def test_an_alert_says_exactly_what_is_expected_of_it(name: str) -> None:
    stored = sample(name)
    alert, wanted = read(stored["event"]), stored["expect"]
    told = {
        **alert.extra,
        "open_incident": alert.kind.opens(),
        "system": alert.system,
        "dag_id": alert.job,
        "task_id": alert.op,
        "deployment": alert.deployment,
        "run_id": alert.run_id.removeprefix(f"{alert.job}/") if alert.run_id else None,
        "log_url": alert.url,
    }
    wanted = {
        k: str(v) if isinstance(v, int) and k != "open_incident" else v for k, v in wanted.items()
    }
    assert alert.kind is KINDS[wanted.pop("kind")]
    wanted.pop("note", None)
    assert {key: told.get(key) for key in wanted} == wanted


def test_every_sample_is_looked_at() -> None:
    assert len(SAMPLES) == 8


def test_titles_are_short_lines_for_people() -> None:
    titles = {name: read(sample(name)["event"]).title for name in SAMPLES}
    assert titles == {
        "airflow2_callback_task_failed": "load_orders failed in orders_daily",
        "airflow2_legacy_log_url": "transform failed in finance.close_month",
        "airflow3_slack_notifier_task_failed": "load_orders failed in orders_daily",
        "airflow_dag_failed_callback": "Run of ml_features failed",
        "airflow_task_success": "orders_daily succeeded",
        "astro_dag_failure": "Run of orders_daily failed",
        "astro_dag_success": "orders_daily succeeded",
        "astro_task_duration": "load_orders in orders_daily takes too long",
    }


def test_two_dags_with_the_same_run_id_are_two_runs() -> None:
    run = "scheduled__2026-11-30T02:00:00+00:00"
    one = said(f"Task `a.load` failed on try 3 in run `{run}`")
    other = said(f"Task `b.load` failed on try 3 in run `{run}`")
    assert isinstance(one, Alert)
    assert isinstance(other, Alert)
    assert (one.run_id, other.run_id) == (within("a", run), within("b", run))


def test_where_both_ids_hold_dots_the_link_tells_them_apart() -> None:
    url = LOG.format("finance.close", "r1", "load.region")
    alert = said("Task `finance.close.load.region` failed on try 2 in run `r1`", f"<{url}|logs>")
    assert isinstance(alert, Alert)
    assert (alert.job, alert.op, alert.url) == ("finance.close", "load.region", url)


def test_a_link_to_another_dag_is_not_believed() -> None:
    url = LOG.format("other", "r1", "load")
    alert = said(f"Task Failed.\n*Task*: load\n*Dag*: mine\n*Log Url*: <{url}>")
    assert isinstance(alert, Alert)
    assert (alert.job, alert.run_id, alert.url) == ("mine", None, None)


def test_the_page_of_a_mapped_task_tells_its_index() -> None:
    url = "https://a.example/x/dags/d/runs/r1/tasks/load/mapped/4?try_number=1"
    alert = said(f"Task Failed.\n*Task*: load\n*Dag*: d\n*Log Url*: <{url}>")
    assert isinstance(alert, Alert)
    assert alert.extra == {"map_index": "4", "try_number": "1"}


@pytest.mark.parametrize(
    "text",
    [
        ":warning: Task Retry.\n*Task*: load\n*Dag*: d",
        "Task `d.load` is up for retry on try 1",
        "Task Started\n*Task*: load\n*Dag*: d",
        "Task Failed.\n*Task*: load",
    ],
)
def test_a_task_that_will_be_tried_again_opens_nothing(text: str) -> None:
    ignored = said(text)
    assert isinstance(ignored, Ignored)
    assert ignored.reason == UNRECOGNISED

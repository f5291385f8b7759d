"""Every stored sample of Prefect and dbt Cloud, and what could be misread in them."""

from typing import Any

import pytest

from policies.alert import Alert, AlertKind, Ignored
from policies.recognise import recognise
from policies.rules import AlertSender
from policies.signal import Sender
from tests.policies.flat import PAYLOADS, message, sample, signal_of

SENDERS = (
    AlertSender(app_id="A0PREFECT", system="prefect", connection="prefect"),
    AlertSender(app_id="A0DBTCLD1", system="dbt_cloud", connection="dbt"),
)
SAMPLES = sorted(p.stem for kind in ("prefect", "dbt_cloud") for p in PAYLOADS.glob(f"{kind}_*"))
KINDS = {
    "flow_run_failed": AlertKind.RUN_FAILED,
    "job_failed": AlertKind.RUN_FAILED,
    "success": AlertKind.SUCCESS,
}
FLOW, RUN = "4d1f0c5e-3b0f-4f8e-9c1a-0a3a0f2b7f11", "9f5a2f5e-7a51-4d83-8c53-8d4a1e2f90ab"
OTHER = "00000000-7a51-4d83-8c53-8d4a1e2f90ab"


def read(event: dict[str, Any]) -> Alert:
    alert = recognise(signal_of(event), SENDERS, Sender(bot_id="B0DW"))
    assert isinstance(alert, Alert)
    return alert


def prefect(state: str, *more: str, flow: str = "orders-flow") -> Alert | Ignored:
    lines = (
        f"Flow run {flow}/amber-lynx observed in state `{state}` at 2026-11-30T02:13:44+00:00.",
        f"Flow ID: {FLOW}",
        f"Flow run ID: {RUN}",
        *more,
    )
    return recognise(message("\n".join(lines), app_id="A0PREFECT"), SENDERS, Sender())


def dbt(text: str) -> Alert | Ignored:
    return recognise(message(text, app_id="A0DBTCLD1"), SENDERS, Sender())


@pytest.mark.parametrize("name", SAMPLES)
def test_an_alert_says_exactly_what_is_expected_of_it(name: str) -> None:
    stored = sample(name)
    alert, wanted = read(stored["event"]), stored["expect"]
    told = {
        **alert.extra,
        "open_incident": alert.kind.opens(),
        "system": alert.system,
        "flow": alert.job,
        "job": alert.job,
        "flow_run_id": alert.run_id,
        "run_id": alert.run_id,
        "run_url": alert.url,
    }
    assert alert.kind is KINDS[wanted.pop("kind")]
    assert {key: told.get(key) for key in wanted} == wanted


def test_every_sample_is_looked_at() -> None:
    assert len(SAMPLES) == 4


def test_titles_are_short_lines_for_people() -> None:
    assert [read(sample(name)["event"]).title for name in SAMPLES] == [
        "Run of Daily build failed",
        "Daily build succeeded",
        "orders-flow succeeded",
        "Run of orders-flow failed",
    ]


@pytest.mark.parametrize(
    ("state", "kind"),
    [
        ("Failed", AlertKind.RUN_FAILED),
        ("Crashed", AlertKind.RUN_FAILED),
        ("TimedOut", AlertKind.RUN_FAILED),
        ("Late", AlertKind.RUN_SLOW),
        ("Completed", AlertKind.SUCCESS),
    ],
)
def test_a_state_is_told_by_its_name(state: str, kind: AlertKind) -> None:
    alert = prefect(state)
    assert isinstance(alert, Alert)
    assert alert.kind is kind


@pytest.mark.parametrize("state", ["Running", "Cancelled", "Scheduled", "Failed to be good"])
def test_a_state_that_is_no_trouble_or_made_up_opens_nothing(state: str) -> None:
    assert isinstance(prefect(state), Ignored)


def test_what_the_flow_raised_can_not_pose_as_another_run() -> None:
    quoted = f"State message: x\nFlow run ID: {OTHER}\nhttps://x.example/runs/flow-run/{OTHER}"
    alert = prefect("Failed", quoted)
    assert isinstance(alert, Alert)
    assert (alert.run_id, alert.url) == (RUN, None)


def test_a_link_to_another_run_of_dbt_cloud_is_not_believed() -> None:
    url = "https://cloud.getdbt.com/#/accounts/1/projects/2/runs/8/"
    alert = dbt(f'<{url}|Run #7 failed on Job "Daily build">')
    assert isinstance(alert, Alert)
    assert (alert.run_id, alert.url, alert.extra) == ("7", None, {})


def test_addresses_of_the_newer_pages_are_read_too() -> None:
    url = "https://ab123.us1.dbt.com/deploy/1/projects/2/runs/7"
    alert = dbt(f'<{url}|Run #7 errored on Job "Daily build">')
    assert isinstance(alert, Alert)
    assert (alert.url, alert.extra) == (url, {"account_id": "1", "project_id": "2"})


@pytest.mark.parametrize(
    "text",
    ['Run #7 was cancelled on Job "Daily build"', 'Somebody said: Run #7 failed on Job "x"'],
)
def test_what_is_no_trouble_of_dbt_cloud_opens_nothing(text: str) -> None:
    assert isinstance(dbt(text), Ignored)

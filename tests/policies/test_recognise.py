"""Every stored sample, and what a sender could try: exactly what is expected of it, no more."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policies.alert import Alert, AlertKind, Ignored
from policies.recognise import UNRECOGNISED, recognise
from policies.rules import AlertSender
from policies.signal import Link, Sender, Signal, Words
from tests.clock import NIGHT
from tests.policies.flat import PAYLOADS, message, sample, signal_of

OWN = Sender(bot_id="B0DWBOT01", app_id="A0DWBOT01", user="U0DWBOT01")
SENDERS = (
    AlertSender(app_id="A0DAGSTER", system="dagster", connection="dagster"),
    AlertSender(bot_id="B0DAGPLUS", app_id="A0DAGPLUS", system="dagsterplus", connection="cloud"),
    AlertSender(bot_id="B0AIRFLOW", system="homegrown", connection="airflow"),
)
RUN = "5f1d2c9e-9b0a-4c1f-8a77-1d2e3f4a5b6c"
OTHER = "00000000-9b0a-4c1f-8a77-1d2e3f4a5b6c"
NAMES = {"asset_key": "asset", "run_url": "url"}
ALERTS = [*sorted(path.stem for path in PAYLOADS.glob("dagster*.json")), "edge_huge_text_truncated"]
NEGATIVE = {
    "neg_alert_deleted": "a deletion, not a new message",
    "neg_alert_thread_reply": "a reply in a thread, not a new message",
    "neg_channel_join": "a notice of the channel, not a message",
    "neg_human_quotes_alert": "a person wrote it",
    "neg_human_shares_alert_unfurl": "a person wrote it",
    "neg_human_thread_broadcast": "a reply in a thread, not a new message",
    "neg_mention_as_message": "a person wrote it",
    "neg_own_incident_message": "our own message",
    "neg_own_message_changed": "an edit, not a new message",
    "neg_own_thread_broadcast": "our own message",
    "neg_unfurl_message_changed": "an edit, not a new message",
}


def read(signal: Signal) -> Alert | Ignored:
    return recognise(signal, SENDERS, OWN)


def plus(*texts: str, buttons: dict[str, str] | None = None) -> Alert | Ignored:
    senders = (AlertSender(app_id="A0DAGPLUS", system="dagsterplus", connection="cloud"),)
    return recognise(message(*texts, buttons=buttons), senders, OWN)


@pytest.mark.parametrize("name", ALERTS)
def test_an_alert_says_exactly_what_is_expected_of_it(name: str) -> None:
    stored = sample(name)
    alert = read(signal_of(stored["event"]))
    assert isinstance(alert, Alert)
    expected: dict[str, Any] = stored["expect"]
    said = {key: getattr(alert, NAMES.get(key, key)) for key in expected if key != "open_incident"}
    said["open_incident"] = alert.kind.opens()
    said["step_keys"] = list(alert.step_keys)
    assert said == {"step_keys": said["step_keys"], **expected}


@pytest.mark.parametrize(("name", "reason"), NEGATIVE.items())
def test_what_is_no_alert_is_ignored_with_the_reason(name: str, reason: str) -> None:
    ignored = read(signal_of(sample(name)["event"]))
    assert isinstance(ignored, Ignored)
    assert ignored.reason == reason


def test_every_negative_sample_is_looked_at() -> None:
    assert {path.stem for path in PAYLOADS.glob("neg*.json")} == set(NEGATIVE)


def test_titles_are_short_lines_for_people() -> None:
    titles = {name: read(signal_of(sample(name)["event"])).title for name in ALERTS}
    assert titles == {
        "dagster_hook_op_failed": "dbt_orders failed in orders_job",
        "dagster_hook_op_succeeded": "orders_job succeeded",
        "dagster_oss_run_failure_sensor": "Run of orders_job failed",
        "dagsterplus_asset_freshness": "analytics/orders is late",
        "dagsterplus_job_failure": "Run of orders_job failed (2026-11-29)",
        "edge_huge_text_truncated": "Run of orders_job failed",
    }


def test_the_asset_check_of_the_story_is_read_from_headline_fields_and_links() -> None:
    alert = plus(
        "Asset check raw_sessions_complete failed on raw_sessions",
        "*Deployment:* prod\n*Partition:* 2026-09-28\n*Severity:* ERROR",
        buttons={
            "View asset check": "https://acme.dagster.cloud/prod/assets/raw_sessions?view=checks",
            "View run": f"https://acme.dagster.cloud/prod/runs/{RUN}",
        },
    )
    assert alert == Alert(
        signal_key="Ev1",
        system="dagsterplus",
        connection="cloud",
        kind=AlertKind.CHECK_FAILED,
        title="raw_sessions_complete failed on raw_sessions (2026-09-28)",
        run_id=RUN,
        asset="raw_sessions",
        check="raw_sessions_complete",
        partition="2026-09-28",
        deployment="prod",
        url=f"https://acme.dagster.cloud/prod/runs/{RUN}",
    )


@pytest.mark.parametrize(
    ("texts", "kind", "told"),
    [
        (
            (":red_circle: *Asset check `c` failed*", "*Asset:*\nmarts/a"),
            "check_failed",
            ("marts/a", "c"),
        ),
        (("Asset check failed", "*Check:* c\n*Asset:* a"), "check_failed", ("a", "c")),
        (("Asset check c passed on asset a.",), "resolved", ("a", "c")),
        (("Check c errored for a",), "check_failed", ("a", "c")),
        (("Asset a is stale",), "asset_stale", ("a", None)),
        (("Asset a missed its freshness policy",), "asset_stale", ("a", None)),
        (("Asset a freshness recovered",), "resolved", ("a", None)),
        (("Asset a failed to materialize",), "run_failed", ("a", None)),
        (("Asset a materialized",), "success", ("a", None)),
        (("Job j succeeded",), "success", (None, None)),
    ],
)
def test_headlines_of_alert_policies(
    texts: tuple[str, ...], kind: str, told: tuple[str | None, str | None]
) -> None:
    alert = plus(*texts)
    assert isinstance(alert, Alert)
    assert (alert.kind, (alert.asset, alert.check)) == (kind, told)


def test_an_asset_link_tells_key_check_and_partition() -> None:
    url = "https://acme.dagster.cloud/prod/assets/marts/fct%20a?view=checks&checkDetail=c&partition=2026-09-28"
    alert = plus("Asset check failed", buttons={"View": url})
    assert isinstance(alert, Alert)
    assert (alert.asset, alert.check, alert.partition, alert.url) == (
        "marts/fct a",
        "c",
        "2026-09-28",
        url,
    )


def test_a_button_outweighs_a_link_quoted_in_the_text() -> None:
    alert = plus(
        "Job orders_job failed",
        f"see <https://evil.example/runs/{OTHER}|View run>",
        buttons={"View run": f"https://acme.dagster.cloud/prod/runs/{RUN}"},
    )
    assert isinstance(alert, Alert)
    assert alert.run_id == RUN


def test_a_link_to_another_run_than_the_headline_names_is_not_believed() -> None:
    signal = message(
        '*Job "orders_job" failed. `5f1d2c9e`*',
        buttons={"View": f"https://dagster.acme.dev/runs/{OTHER}"},
        app_id="A0DAGSTER",
    )
    alert = read(signal)
    assert isinstance(alert, Alert)
    assert (alert.run_id, alert.run_id_short, alert.url) == (None, "5f1d2c9e", None)


def test_a_quoted_exception_can_not_pose_as_a_headline() -> None:
    alert = plus("Job orders_job failed", "```Asset check c failed on a```", "Asset x is stale")
    assert isinstance(alert, Alert)
    assert (alert.kind, alert.job, alert.asset) == (AlertKind.RUN_FAILED, "orders_job", None)
    assert plus("```Job orders_job failed```") == Ignored(
        signal_key="Ev1", reason=UNRECOGNISED, system="dagsterplus"
    )


@pytest.mark.parametrize(
    "url",
    [
        "https://[broken/runs/x",
        "https://dagster.acme.dev/runs/not-a-run",
        "https://dagster.acme.dev/assets/",
        "https://dagster.acme.dev/assets/a%0Ab",
        "https://dagster.acme.dev/settings",
    ],
)
def test_odd_links_tell_nothing(url: str) -> None:
    alert = plus("Job orders_job failed", buttons={"View": url})
    assert isinstance(alert, Alert)
    assert (alert.run_id, alert.asset, alert.url) == (None, None, None)


@pytest.mark.parametrize("app_id", ["A0DAGSTER", "A0DAGPLUS"])
def test_words_of_a_known_sender_that_fit_nothing_are_counted(app_id: str) -> None:
    senders = (*SENDERS, AlertSender(app_id="A0DAGPLUS", system="dagsterplus", connection="cloud"))
    ignored = recognise(message("Good morning", app_id=app_id), senders, OWN)
    assert isinstance(ignored, Ignored)
    assert ignored.reason == UNRECOGNISED


def test_a_system_nobody_can_read_yet_is_said_so() -> None:
    event = {**sample("neg_alert_thread_reply")["event"], "thread_ts": None}
    ignored = read(signal_of(event))
    assert ignored == Ignored(
        signal_key="Ev1", reason="nothing can read alerts of homegrown yet", system="homegrown"
    )


def test_a_sender_named_by_two_ids_must_have_both() -> None:
    event = {**sample("dagsterplus_job_failure")["event"], "bot_id": "B0OTHER"}
    ignored = read(signal_of(event))
    assert isinstance(ignored, Ignored)
    assert ignored.reason == "unknown sender"


ids = st.sampled_from([None, "A0DAGSTER", "B0DAGPLUS", "A0DAGPLUS", "B0EVIL", "A0DWBOT01"])
headlines = st.sampled_from(
    [
        'Job "orders_job" failed. `5f1d2c9e`',
        "Asset check c failed on a",
        "Job j failed",
        f"Op o on job j failed!\nRun ID: {RUN}",
    ]
)
texts = st.one_of(headlines, st.text(max_size=200))
urls = st.one_of(st.text(max_size=60), st.just(f"https://a.dagster.cloud/prod/runs/{RUN}"))
signals = st.builds(
    Signal,
    key=st.just("Ev1"),
    source=st.sampled_from(["slack", "webhook", "poll"]),
    received_at=st.just(NIGHT),
    sender=st.builds(Sender, bot_id=ids, app_id=ids, user=ids),
    ts=st.just("1.0"),
    thread_ts=st.sampled_from([None, "1.0", "0.5"]),
    subtype=st.sampled_from([None, "bot_message", "message_changed", "channel_join"]),
    words=st.lists(st.builds(Words, where=st.just("text"), value=texts), max_size=4).map(tuple),
    links=st.lists(st.builds(Link, where=st.just("b"), url=urls), max_size=3).map(tuple),
)


@given(signals)
def test_recognise_never_raises_and_always_gives_an_answer(signal: Signal) -> None:
    found = read(signal)
    assert found.signal_key == "Ev1"
    assert isinstance(found, Ignored) or found.title


@given(signals)
def test_no_words_make_an_alert_of_an_unknown_sender(signal: Signal) -> None:
    assert isinstance(recognise(signal, (), OWN), Ignored)

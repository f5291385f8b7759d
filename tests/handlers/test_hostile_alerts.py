"""Whatever a known sender writes: nothing raises, nobody is mentioned, and a foreign address forges no id."""

import copy
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handlers import views
from policies import correlation
from policies.alert import Alert
from policies.events import IncidentOpened
from policies.lifecycle import open_incident
from policies.people import Person
from policies.recognise import SYSTEMS, VENDORS, fitting, recognise
from policies.rules import AlertSender
from policies.signal import Sender, Signal
from policies.sources import Sighting, shown_to
from tests.clock import NIGHT
from tests.handlers import story
from tests.policies import night
from tests.policies.flat import PAYLOADS, message, sample, signal_of

SAMPLES = [sample(path.stem)["event"] for path in sorted(PAYLOADS.glob("*.json"))]
EVIL = "https://evil.example"
UUID = "00000000-aaaa-4aaa-8aaa-000000000000"
NASTY = st.sampled_from(
    [
        "<!channel> <!here> <@U0DEE> <!subteam^S0ONCALL>",
        f"<{EVIL}/runs/{UUID}|View run>",
        "[FIRING:1] <!everyone> (x)\nLabels:\n - dag_id = <@U0DEE>",
        'Job "<!channel>" failed. `5f1d2c9e`',
        "Table: <@U0DEE>",
        "``` *_~ \x00 \ud7ff \u202e &lt;!channel&gt; &amp;lt;",
        "Check failed: <!here>\n*Dataset:* <@U0DEE>",
    ]
)
HOSTILE = st.one_of(NASTY, st.text(max_size=80))
MENTION = re.compile(r"<[!@#][^>]*>")
_LEFT = ("type", "ts", "event_ts", "channel", "bot_id", "app_id", "subtype", "user")


def mutated(value: Any, draw: Any, key: str = "") -> Any:
    """The same shape, where any text may have become anything."""
    if isinstance(value, dict):
        return {name: mutated(inner, draw, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [mutated(inner, draw, key) for inner in value]
    if isinstance(value, str) and key not in _LEFT and draw(st.booleans()):
        words = draw(HOSTILE)
        return words if draw(st.booleans()) else f"{value}\n{words}"
    return value


def read(signal: Signal, system: str) -> Alert | None:
    sender = AlertSender(app_id="A0X", system=system, connection="dagster")
    sent = Signal(
        key="Ev1",
        source="slack",
        received_at=NIGHT,
        sender=Sender(app_id="A0X"),
        words=signal.words,
        links=signal.links,
    )
    found = recognise(sent, (sender,), Sender())
    return found if isinstance(found, Alert) else None


def strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for inner in value.values() for text in strings(inner)]
    if isinstance(value, list | tuple):
        return [text for inner in value for text in strings(inner)]
    return [value] if isinstance(value, str) else []


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from(SAMPLES))
def test_whatever_is_written_is_read_or_not_and_mentions_nobody(data: Any, event: Any) -> None:
    signal = signal_of(mutated(copy.deepcopy(event), data.draw))
    assert all(system in SYSTEMS for system in fitting(signal))
    for system in SYSTEMS:
        alert = read(signal, system)
        if alert is None:
            continue
        assert all(correlation.keys(alert)) or not correlation.keys(alert)
        opened = IncidentOpened(alert=alert, domain="growth", level="L2", channel="C0ALERTS")
        incident = open_incident("DW-3", opened, NIGHT)
        shown = views.card(story.showing(incident, (), card=None))
        said = [*strings(list(shown.blocks)), shown.text]
        assert [m for text in said for m in MENTION.findall(text) if "!date" not in m] == []


@given(HOSTILE)
def test_the_name_a_sender_gives_itself_is_shown_as_plain_words(name: str) -> None:
    seen = Sighting(
        sender="B0NEW",
        bot_id="B0NEW",
        app_id=None,
        name=name,
        understood=0,
        unread=0,
        ignored=0,
        unknown=1,
        last_at=NIGHT,
        place="C0ALERTS:1.0",
        odd_place=None,
        reads_like=("grafana",),
    )
    dee = Person(id="U0DEE", name="Dee", email="dee@example.com", team="T0DEMO")
    found = shown_to(dee, night.rules(admins=["dee@example.com"]), (), [seen])
    said = strings(list(views.sources(found, "https://a.example/").blocks))
    said += strings(views.bind_form(found, "B0NEW", "x"))
    assert [m for text in said for m in MENTION.findall(text) if "!date" not in m] == []


@pytest.mark.parametrize("system", sorted(VENDORS))
@pytest.mark.parametrize("event", SAMPLES, ids=lambda event: str(event.get("app_id")))
def test_an_address_of_nobodys_vendor_forges_no_id(system: str, event: Any) -> None:
    """Every address of the message leads to another host, with the same path."""
    changed = {**event, **_moved({k: event[k] for k in event if k not in _LEFT})}
    alert = read(signal_of(changed), system)
    if alert is not None:
        assert alert.url is None
        assert alert.run_id is None or alert.run_id in str(event.get("text"))


def _moved(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _moved(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_moved(inner) for inner in value]
    return re.sub(r"https://[\w.\-]+/", f"{EVIL}/", value) if isinstance(value, str) else value


def test_a_foreign_link_beside_the_true_one_changes_nothing() -> None:
    true = "https://acme.dagster.cloud/prod/runs/5f1d2c9e-9b0a-4c1f-8a77-1d2e3f4a5b6c"
    signal = message("Job j failed", buttons={"First": f"{EVIL}/runs/{UUID}", "View": true})
    alert = read(signal, "dagsterplus")
    assert alert is not None
    assert alert.url == true

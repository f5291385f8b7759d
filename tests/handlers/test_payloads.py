"""Which messages become signals, which are left alone, and that nothing unreadable is lost."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from bot.commands import Answer, Keep, ReceiveSignal
from handlers.payloads import parse
from handlers.payloads.own import Identity
from tests.clock import NIGHT

ME = Identity(team="T0ACME001", user="U0DWBOT01", bot="B0DWBOT01")
HERE = frozenset({"C0ALERTS1"})
SAMPLES = sorted(Path(__file__).parent.parent.joinpath("payloads").glob("*.json"))


def body(event: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"event_id": "Ev1", "api_app_id": "A0DWBOT01", "token": "old", "event": event, **more}


def an_event(**changes: Any) -> dict[str, Any]:
    known = {"type": "message", "channel": "C0ALERTS1", "ts": "1.1", "text": "hi", "user": "U1"}
    return {**known, **changes}


def take(payload: dict[str, Any]) -> Any:
    return parse.message(payload, NIGHT, ME, HERE)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_every_sample_is_read_and_the_ids_of_its_links_survive(sample: Path) -> None:
    told = json.loads(sample.read_text())
    item = take(body(told["event"]))
    if told["expect"].get("kind") in ("self", "self_edit", "unfurl", "deleted", "system"):
        assert item is None
        return
    if told["event"].get("subtype") == "thread_broadcast":
        assert item is None
        return
    assert isinstance(item.command, ReceiveSignal)
    signal = item.command.signal
    run = told["expect"].get("run_id")
    assert run is None or any(run in unquote(link.url) for link in signal.links)
    assert signal.thread_ts == told["event"].get("thread_ts")
    assert signal.sender.app_id == told["event"].get("app_id")


def test_a_shared_alert_brings_only_the_words_of_who_shared_it() -> None:
    path = next(p for p in SAMPLES if p.stem == "neg_human_shares_alert_unfurl")
    item = take(body(json.loads(path.read_text())["event"]))
    assert "Task Failed" not in item.command.signal.text()


def test_our_own_webhook_and_its_edits_are_left_alone() -> None:
    hook = an_event(user=None, bot_id="B0OTHER", app_id="A0DWBOT01", subtype="bot_message")
    assert take(body(hook)) is None
    profiled = {"bot_id": "B0X", "bot_profile": {"app_id": "A0DWBOT01"}}
    assert take(body(an_event(user=None, **profiled))) is None
    edit = an_event(subtype="message_changed", user=None, message={"bot_id": "B0DWBOT01"})
    assert take(body(edit)) is None


def test_other_channels_are_left_alone_and_a_direct_message_is_a_question() -> None:
    assert take(body(an_event(channel="C0GENERAL"))) is None
    asked = take(body(an_event(channel="D1", channel_type="im", text="why “raw”")))
    assert asked.command.text == 'why "raw"'
    assert isinstance(asked.command, Answer)
    mine = an_event(channel="D1", channel_type="im", user="U0DWBOT01", bot_id="B0DWBOT01")
    assert take(body(mine)) is None


def test_an_alert_that_can_not_be_read_is_kept_as_it_came() -> None:
    item = take(body(an_event(ts=None, text={"odd": 1})))
    assert isinstance(item.command, Keep)
    assert "event.ts" in item.command.why
    assert json.loads(item.raw)["event"]["text"] == {"odd": 1}


def test_what_is_stored_gives_access_to_nothing() -> None:
    payload = body(an_event(), trigger_id="T.1", response_url="https://hooks.example/1")
    assert set(json.loads(take(payload).raw)) == {"event_id", "api_app_id", "event"}


def test_an_alert_that_names_us_gives_no_order() -> None:
    event = an_event(type="app_mention", text="<@U0DWBOT01> stop", channel="C9", bot_id="B0DAGPLUS")
    assert parse.mention(body(event), NIGHT, ME) is None


def test_a_mention_is_a_question_in_its_thread_without_our_name() -> None:
    event = an_event(type="app_mention", text="<@U0DWBOT01> why\u00a0raw_sessions?", channel="C9")
    item = parse.mention(body(event), NIGHT, ME)
    assert item is not None
    assert item.command == Answer(
        key="Ev1", person="U1", channel="C9", thread_ts="1.1", text="why raw_sessions?", at=NIGHT
    )
    threaded = parse.mention(body({**event, "thread_ts": "0.9"}), NIGHT, ME)
    assert threaded is not None
    assert threaded.command.thread_ts == "0.9"

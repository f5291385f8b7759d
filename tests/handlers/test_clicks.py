"""A tap becomes a command with its own identity, whatever it was tapped on."""

from typing import Any

from bot.commands import AskQuestion, Decide, Keep, MarkDone
from handlers import ids
from handlers.payloads import address, forms, parse, taps
from tests.clock import NIGHT

TAG = ids.Tag(incident="DW-3", request="DW-3-R1", digest="sha256:" + "a" * 64)


def a_click(action_id: str = ids.APPROVE, tag: ids.Tag = TAG, **changes: Any) -> dict[str, Any]:
    action = {"action_id": action_id, "action_ts": "7.7", "value": tag.encode()}
    known = {
        "type": "block_actions",
        "user": {"id": "U0ANA", "team_id": "T1", "name": "ana"},
        "team": {"id": "T1"},
        "channel": {"id": "C0ALERTS"},
        "container": {"type": "message", "message_ts": "2.2", "thread_ts": "1.1"},
        "actions": [action],
        "response_url": "https://hooks.example/1",
        "trigger_id": "T.1",
    }
    return {**known, **changes}


def test_approve_says_who_what_where_and_what_was_on_the_screen() -> None:
    item = taps.decision(a_click(), NIGHT)
    assert item.key == "7.7:U0ANA:dw.approve"
    command = item.command
    assert isinstance(command, Decide)
    assert (command.incident_id, command.request_id, command.digest) == (
        *("DW-3", "DW-3-R1"),
        TAG.digest,
    )
    assert (command.person, command.team, command.choice) == ("U0ANA", "T1", "yes")
    assert (command.where, command.reason) == ("C0ALERTS", "")


def test_rejecting_with_a_reason_is_one_tap_in_the_menu() -> None:
    why = ids.Tag(incident="DW-3", request="DW-3-R1", digest=TAG.digest, reason="wrong_cause")
    action = {
        "action_id": ids.REJECT_WITH,
        "action_ts": "7.8",
        "selected_option": {"value": why.encode()},
    }
    command = taps.decision(a_click(actions=[action]), NIGHT).command
    assert isinstance(command, Decide)
    assert (command.choice, command.reason) == ("no", "the cause is wrong")


def test_where_it_was_tapped_is_said_in_words_when_it_is_no_channel() -> None:
    direct = taps.decision(a_click(channel={"id": "D0X"}), NIGHT).command
    tab = taps.decision(a_click(channel=None, container={"type": "view"}), NIGHT).command
    assert isinstance(direct, Decide)
    assert isinstance(tab, Decide)
    assert (direct.where, tab.where) == ("direct message", "home tab")


def test_the_way_back_survives_the_desk() -> None:
    command = taps.decision(a_click(), NIGHT).command
    assert isinstance(command, Decide)
    back = address.decode(command.respond_to or "")
    assert back == address.Address(
        url="https://hooks.example/1", channel="C0ALERTS", user="U0ANA", thread_ts="1.1"
    )
    directly = parse.respond_to(a_click(channel=None, container={}, response_url=None))
    assert address.decode(directly or "") == address.Address(user="U0ANA")


def test_a_button_that_can_not_be_read_is_kept_and_its_key_is_still_its_own() -> None:
    for value in ("", "{}", "[]", '["a",1]', "[" * 3):
        action = {"action_id": ids.APPROVE, "action_ts": "7.7", "value": value}
        item = taps.decision(a_click(actions=[action]), NIGHT)
        assert isinstance(item.command, Keep)
        assert item.key == "7.7:U0ANA:dw.approve"


def test_mark_done_names_the_step() -> None:
    tag = ids.Tag(incident="DW-3", request="DW-3-R1", step="backfill")
    command = taps.done(a_click(ids.DONE, tag), NIGHT).command
    assert isinstance(command, MarkDone)
    assert (command.step_id, command.person) == ("backfill", "U0ANA")


def test_a_question_is_read_from_its_form_and_sent_twice_it_has_one_key() -> None:
    form = {
        "type": "view_submission",
        "user": {"id": "U0ANA"},
        "view": {
            "id": "V1",
            "private_metadata": TAG.encode(),
            "state": {"values": {ids.QUESTION_BLOCK: {ids.QUESTION: {"value": " why now? "}}}},
        },
    }
    one, two = forms.question(form, NIGHT), forms.question(form, NIGHT)
    assert isinstance(one.command, AskQuestion)
    assert (one.command.text, one.command.request_id) == ("why now?", "DW-3-R1")
    assert one.key == two.key


def test_tags_survive_the_round_trip_and_fit_a_menu() -> None:
    full = ids.Tag(
        incident="DW-123456", request="DW-123456-R12", digest=TAG.digest, reason="by_hand"
    )
    assert ids.decode(full.encode()) == full
    assert full.fits_option

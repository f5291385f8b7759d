"""What arrives is stored before it is acknowledged, once, and nothing stays unacknowledged for ever."""

import asyncio
from typing import Any

import pytest

from bot.sandbox.workspace import SlackError, until
from handlers import ids
from tests.handlers.room import Room, a_room

pytestmark = pytest.mark.loopback
ALERT = {"text": "Op dbt_orders on job orders_job failed!\nRun ID: 5f1d2c9e"}


def states(room: Room, kind: str) -> list[str]:
    return [d.state for d in room.workspace.record.deliveries if d.kind == kind]


async def stored(room: Room) -> int:
    return (await room.store.stats(room.slack.answerer._clock.now())).waiting


async def test_an_alert_is_stored_and_acknowledged(room: Room) -> None:
    room.workspace.alert("A0DAGPLUS", "C0ALERTS", **ALERT)
    await room.workspace.settled()
    assert room.desk.received == 1
    assert set(states(room, "events_api")) == {"acked"}


async def test_sent_twice_it_is_stored_once(room: Room) -> None:
    for same in (True, False):
        room.workspace.faults.add("duplicate", same_envelope=same)
        room.workspace.alert("A0DAGPLUS", "C0ALERTS", **ALERT)
    await room.workspace.settled()
    await until(lambda: room.desk.received == 4, 5.0, "Four deliveries")
    assert await stored(room) == 2


async def test_without_a_database_nothing_is_acknowledged_and_slack_sends_it_again(
    room: Room,
) -> None:
    room.desk.away = True
    room.workspace.alert("A0DAGPLUS", "C0ALERTS", **ALERT)
    (delivery,) = room.workspace.record.events("message", "A0DWBOT")
    await until(lambda: delivery.attempts, 5.0, "The first try")
    await asyncio.sleep(0.1)
    assert all(attempt.acked_at is None for attempt in delivery.attempts)
    room.desk.away = False
    await until(lambda: delivery.state == "acked", 10.0, "The ack")
    assert await stored(room) == 1


async def test_what_we_say_ourselves_is_not_read_again(room: Room) -> None:
    _, card, _ = await room.asked()
    await room.slack.client.chat_update(channel=card.channel, ts=card.ts, text="changed")
    await room.workspace.settled()
    assert room.desk.received == 0


async def test_a_tap_is_stored_and_acknowledged(room: Room) -> None:
    _, _, request = await room.asked()
    on = room.workspace.message(request.channel, request.ts)
    for label in ("Approve", "Reject"):
        delivery = await room.people["ana"].click(label, on=on)
        assert delivery.state == "acked"
    assert await stored(room) == 2


async def test_a_tap_that_could_not_be_stored_is_answered_honestly(room: Room) -> None:
    _, _, request = await room.asked()
    room.desk.away = True
    on = room.workspace.message(request.channel, request.ts)
    tap = asyncio.ensure_future(room.people["ana"].click("Approve", on=on))
    told = await room.people["ana"].wait_for_message("did NOT arrive")
    assert "Nothing was stored and nothing ran" in told.body["text"]
    assert told.thread_ts == request.thread_ts
    with pytest.raises(SlackError, match="did not answer in time"):
        await tap
    assert await stored(room) == 0


async def test_a_reason_to_reject_is_one_tap(room: Room) -> None:
    _, _, request = await room.asked()
    on = room.workspace.message(request.channel, request.ts)
    options = next(e["options"] for e in on.body["blocks"][-2]["elements"] if "options" in e)
    tap = await room.people["ana"].click(
        on=on, action_id=ids.REJECT_WITH, value=options[1]["value"]
    )
    assert tap.state == "acked"
    assert await stored(room) == 1


async def test_a_question_is_asked_in_a_form(room: Room) -> None:
    _, _, request = await room.asked()
    await room.people["ana"].click("Ask", on=room.workspace.message(request.channel, request.ts))
    await room.people["ana"].wait_for_modal("The time to decide goes on")
    room.desk.away = True
    with pytest.raises(SlackError, match="did NOT arrive"):
        await room.people["ana"].submit({ids.QUESTION: "why?"})
    room.desk.away = False
    await room.people["ana"].submit({ids.QUESTION: "why?"})
    assert await stored(room) == 1


async def test_who_else_may_decide_is_shown_at_once(room: Room) -> None:
    _, _, request = await room.asked()
    await room.people["eli"].click(
        "Who else?", on=room.workspace.message(request.channel, request.ts)
    )
    shown = await room.people["eli"].wait_for_modal("May decide now")
    assert "ana (owner of raw_sessions" in str(shown.body)
    assert "<@" not in str(shown.body)
    assert "@data-oncall" in str(shown.body)


async def test_an_old_button_says_that_it_is_old(room: Room) -> None:
    button = {
        "type": "button",
        "action_id": "dw.v0",
        "text": {"type": "plain_text", "text": "Old"},
        "value": "x",
    }
    blocks = [{"type": "actions", "elements": [button]}]
    sent = await room.slack.client.chat_postMessage(channel="C0ALERTS", text="old", blocks=blocks)
    tap = await room.people["ana"].click("Old", on=room.workspace.message("C0ALERTS", sent["ts"]))
    assert tap.state == "acked"
    assert await room.people["ana"].wait_for_message("older version")


async def test_events_without_a_listener_are_acknowledged(room: Room) -> None:
    message = await room.people["ana"].post("C0ALERTS", "hello")
    await room.people["ana"].react(message, "eyes")
    room.workspace.rename("C0GENERAL", "dee", "general-2")
    await room.people["ana"].edit(message, "hello again")
    await room.people["ana"].delete(message)
    await room.workspace.settled()
    assert set(states(room, "events_api")) == {"acked"}


async def test_a_mention_is_stored_as_a_question_and_its_message_as_a_signal(room: Room) -> None:
    await room.people["ana"].post("C0GENERAL", "@dw status")
    await room.workspace.settled()
    assert await stored(room) == 1
    await room.people["ana"].post("C0ALERTS", "@dw status")
    await room.workspace.settled()
    assert await stored(room) == 3


async def test_a_direct_message_is_a_question(room: Room) -> None:
    await room.people["ana"].post(room.people["ana"].dm("dw"), "status")
    await room.workspace.settled()
    assert await stored(room) == 1


async def test_two_sockets_store_what_comes_during_a_refresh(tmp_path: Any) -> None:
    async with a_room(tmp_path, sockets=2) as room:
        for number in range(10):
            room.workspace.alert("A0DAGPLUS", "C0ALERTS", text=f"alert {number}")
            if number == 4:
                await room.workspace.disconnect("refresh_requested")
        await until(lambda: "pending" not in states(room, "events_api"), 15.0, "All acks")
        assert await stored(room) == 10


async def test_a_window_that_slack_does_not_open_is_said(room: Room) -> None:
    _, _, request = await room.asked()
    room.workspace.faults.add("answer", method="views.open", answer={"error": "expired_trigger_id"})
    on = room.workspace.message(request.channel, request.ts)
    tap = asyncio.ensure_future(room.people["ana"].click("Ask", on=on))
    told = await room.people["ana"].wait_for_message("Slack did not let me show this")
    assert "database" not in told.body["text"]
    await asyncio.wait([tap])
    assert tap.exception()

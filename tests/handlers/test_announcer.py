"""What is said to Slack is said once, is kept true, and is never lost for its looks."""

from dataclasses import replace

import pytest

from bot.ports import RetryAfter, Undeliverable
from policies import events as e
from tests.handlers import story
from tests.handlers.room import Room, entry

pytestmark = pytest.mark.loopback
POST, UPDATE = "chat.postMessage", "chat.update"


async def test_card_request_and_dm_are_posted_where_they_belong(quiet_room: Room) -> None:
    showing, card, request = await quiet_room.asked()
    rid = next(iter(showing.incident.requests))
    dm = await quiet_room.show(showing, f"dm:{rid}:U0ANA", card=card)
    assert card.channel == "C0ALERTS"
    assert request.thread_ts == card.ts
    assert dm is not None
    assert dm.channel.startswith("D")
    call = quiet_room.workspace.record.called(POST)[0]
    assert call.args["unfurl_links"] is False
    assert call.args["metadata"]["event_payload"] == {"incident": "DW-3", "name": "card"}


async def test_what_shows_the_same_is_not_sent_again(quiet_room: Room) -> None:
    showing, card, _ = await quiet_room.asked()
    assert await quiet_room.show(showing, copy=card) == card
    assert not quiet_room.workspace.record.called(UPDATE)


async def test_a_change_updates_the_message_where_it_is(quiet_room: Room) -> None:
    showing, card, _ = await quiet_room.asked()
    stopped = await quiet_room.show(replace(showing, stopped=story.STOP), copy=card)
    assert stopped is not None
    assert (stopped.ts, stopped.shown != card.shown) == (card.ts, True)
    assert "STOPPED" in quiet_room.texts()[0]


async def test_a_silent_fact_posts_nothing(quiet_room: Room) -> None:
    showing, card, _ = await quiet_room.asked()
    silent = entry(showing, e.EvidenceFound)
    assert await quiet_room.show(showing, f"reply:{silent.seq}", card=card) is None


async def test_a_lost_answer_is_found_instead_of_posted_twice(quiet_room: Room) -> None:
    showing = replace(await quiet_room.play(story.the_night()[:1]), now=story.NOW)
    quiet_room.workspace.faults.add("lost", method=POST)
    with pytest.raises(RetryAfter):
        await quiet_room.show(showing)
    card = await quiet_room.show(showing)
    assert card is not None
    assert len(quiet_room.texts()) == 1
    assert quiet_room.workspace.message("C0ALERTS", card.ts).ts == card.ts


async def test_a_server_error_is_looked_up_and_then_posted(quiet_room: Room) -> None:
    showing = await quiet_room.play(story.the_night()[:1])
    quiet_room.workspace.faults.add("answer", method=POST, answer={"status": 503})
    with pytest.raises(RetryAfter):
        await quiet_room.show(showing)
    assert await quiet_room.show(showing)
    assert len(quiet_room.texts()) == 1


async def test_after_a_crash_the_posted_message_is_adopted(quiet_room: Room) -> None:
    showing, card, request = await quiet_room.asked()
    name = request.name
    again = await quiet_room.show(showing, name, card=card)
    assert again == request


@pytest.mark.parametrize(
    ("error", "seconds"), [("ratelimited", 2.0), ("message_limit_exceeded", 30.0)]
)
async def test_slack_asks_to_wait_and_is_obeyed(
    quiet_room: Room, error: str, seconds: float
) -> None:
    showing = await quiet_room.play(story.the_night()[:1])
    answer = {"error": error, "retry_after": 2}
    quiet_room.workspace.faults.add("answer", method=POST, answer=answer)
    with pytest.raises(RetryAfter) as asked:
        await quiet_room.show(showing)
    assert asked.value.seconds == seconds
    assert await quiet_room.show(showing)
    assert len(quiet_room.texts()) == 1


@pytest.mark.parametrize("error", ["invalid_blocks", "msg_too_long"])
async def test_refused_looks_become_plain_words(quiet_room: Room, error: str) -> None:
    showing = await quiet_room.play(story.the_night()[:1])
    quiet_room.workspace.faults.add("answer", method=POST, answer={"error": error})
    assert await quiet_room.show(showing)
    (said,) = quiet_room.texts()
    assert "raw_sessions_complete failed" in said
    assert "/dw why" in said


async def test_a_deleted_message_is_posted_anew(quiet_room: Room) -> None:
    showing, card, _ = await quiet_room.asked()
    await quiet_room.slack.client.chat_delete(channel=card.channel, ts=card.ts)
    new = await quiet_room.show(replace(showing, stopped=story.STOP), copy=card)
    assert new is not None
    assert new.ts != card.ts


async def test_where_i_may_not_speak_is_said_in_words(quiet_room: Room) -> None:
    showing = await quiet_room.play(story.the_night()[:1])
    for channel, words in (("C0QUIET", "invite me"), ("#nowhere", "no channel #nowhere")):
        there = replace(showing, incident=replace(showing.incident, channel=channel))
        with pytest.raises(Undeliverable, match=words):
            await quiet_room.show(there)


async def test_a_thread_waits_for_its_card(quiet_room: Room) -> None:
    showing, *_ = await quiet_room.asked()
    spoken = entry(showing, e.Diagnosed)
    with pytest.raises(RetryAfter):
        await quiet_room.show(showing, f"reply:{spoken.seq}", card=None)


async def test_a_reply_is_posted_once_for_its_key(quiet_room: Room) -> None:
    _, card, _ = await quiet_room.asked()
    for _ in range(2):
        await quiet_room.slack.announcer.reply("C0ALERTS", card.ts, "here", key="Ev1")
    await quiet_room.slack.announcer.reply("C0ALERTS", card.ts, "here", key="Ev2")
    assert quiet_room.texts().count("here") == 2


async def test_a_name_that_shows_nothing_is_refused_in_words(quiet_room: Room) -> None:
    showing, card, _ = await quiet_room.asked()
    for name in ("request:unknown", "dm:unknown:U0ANA", "reply:999", "odd"):
        with pytest.raises(Undeliverable, match="nothing to show"):
            await quiet_room.show(showing, name, card=card)

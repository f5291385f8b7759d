"""`/dw …`, `@dw …`, the home tab and the shortcut: answered from what is stored."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from bot.clock import SystemClock
from bot.commands import Answer
from bot.ports import Change
from policies import events as e
from policies.receipt import GENESIS, seal
from tests.clock import NIGHT
from tests.handlers import story
from tests.handlers.room import Room

pytestmark = pytest.mark.loopback


async def answer(room: Room, text: str, who: str = "ana") -> str:
    said = (await room.people[who].command("C0ALERTS", f"/dw {text}")).answer
    return str(said["text"])


async def mention(room: Room, text: str, person: str = "U0ANA", at: datetime | None = None) -> str:
    asked = Answer(
        key="Ev1",
        person=person,
        channel="C0ALERTS",
        thread_ts="1.1",
        text=text,
        at=at or SystemClock().now(),
    )
    return await room.slack.answerer.answer(asked)


@pytest.mark.parametrize("text", ["", "help", "HELP"])
async def test_help_lists_what_can_be_asked(room: Room, text: str) -> None:
    said = await answer(room, text)
    for verb in ("status", "incidents", "why", "approvals", "receipts", "stop", "resume"):
        assert f"/dw {verb}" in said


async def test_unknown_words_are_said_to_be_unknown(room: Room) -> None:
    assert "I don't know `fly &lt;!channel&gt;`" in await answer(room, "fly <!channel>")


async def test_status_why_incidents_and_approvals_speak_of_the_incident(room: Room) -> None:
    await room.asked()
    assert "`DW-3`" in await answer(room, "status")
    assert "`DW-3`" in await answer(room, "incidents")
    for words in ("why DW-3", "why dw-3", "why “raw_sessions”", "why stg_sessions?"):
        assert "replica was behind" in await answer(room, words)
    assert "I know no incident about `dim_users`" in await answer(room, "why dim_users")
    assert "1 request for you" in await answer(room, "approvals")
    assert "Nothing waits" in await answer(room, "approvals", "eli")


async def test_a_mention_answers_the_same_and_understands_a_plain_question(room: Room) -> None:
    await room.asked()
    assert await mention(room, "why DW-3") == await answer(room, "why DW-3")
    assert "replica was behind" in await mention(room, "is raw_sessions late?")
    assert "I don't know" in await mention(room, "make coffee")


async def test_words_from_before_a_stop_do_not_lift_it(room: Room) -> None:
    await answer(room, "stop")
    assert "Nothing was lifted" in await mention(room, "resume", "U0DEE", at=NIGHT)
    assert await room.desk.stopped() is not None


async def test_stop_is_for_anybody_and_resume_for_admins(room: Room) -> None:
    assert "*Stopped.*" in await answer(room, "stop a deploy", "eli")
    assert "a deploy" in await answer(room, "status")
    assert "only an admin" in await answer(room, "resume", "eli")
    assert await room.desk.stopped()
    assert "lifted" in await mention(room, "resume", "U0DEE")
    assert await room.desk.stopped() is None


async def receipted(room: Room) -> None:
    told = story.the_night()
    await room.play([x for x in told if not isinstance(x, e.ReceiptIssued | e.IncidentResolved)])
    incident = await room.store.load("DW-3")
    assert incident is not None
    body = {"title": "raw_sessions", "text": "<!channel> ```"}
    receipt = seal(1, "DW-3", GENESIS, body)
    issued = e.ReceiptIssued(number=1, hash=receipt.hash)
    change: Any = {"incident_id": "DW-3", "base": incident.version, "at": story.NOW}
    await room.store.commit(Change(**change, events=(issued,), receipt=receipt))


async def test_receipts_are_listed_shown_and_given_as_json(room: Room) -> None:
    assert "None yet" in await answer(room, "receipts")
    await receipted(room)
    assert "1: `DW-3`" in await answer(room, "receipts")
    assert "receipt 1" in await answer(room, "receipts 1")
    assert "*Undo*" in await mention(room, "receipts 1")
    assert "I don't know `receipt 7`" in await answer(room, "receipts 7")
    await room.people["ana"].wait_for_message("*Undo*")
    await room.people["ana"].click("JSON")
    shown = await room.people["ana"].wait_for_modal("Receipt 1")
    assert "&lt;!channel&gt;" in str(shown.body)


async def test_without_a_database_a_command_is_answered_honestly(room: Room) -> None:
    await room.store.close()
    assert "could not be reached" in await answer(room, "status")


async def test_the_home_tab_shows_what_waits_for_me_and_follows_changes(room: Room) -> None:
    showing, card, _ = await room.asked()
    await room.people["ana"].open_home()
    mine = await room.people["ana"].wait_for_home("Waiting for you: 1")
    assert "Approve" in str(mine.body)
    await room.people["eli"].open_home()
    await room.people["eli"].wait_for_home("Waiting for you: 0")
    at = [type(x) for x in story.the_night()].index(e.PeopleAsked) + 1
    refused = story.endings()[0][-2:]
    assert showing.incident.version == at
    for base, event in enumerate(refused, start=at):
        change = Change(incident_id="DW-3", base=base, at=story.NOW, events=(event,))
        await room.store.commit(change)
    incident = await room.store.load("DW-3")
    assert incident is not None
    await room.show(story.showing(incident), copy=card)
    await room.people["ana"].wait_for_home("Waiting for you: 0")


async def test_a_tap_on_the_home_tab_counts_and_refresh_refreshes(room: Room) -> None:
    await room.asked()
    await room.people["ana"].open_home()
    tab = await room.people["ana"].wait_for_home("Waiting for you: 1")
    await room.people["ana"].click("Approve", on=tab)
    assert room.desk.received == 1
    tap = await room.people["ana"].click("Refresh", on=tab)
    assert tap.state == "acked"


async def test_the_shortcut_shows_what_is_open(room: Room) -> None:
    await room.asked()
    await room.people["ana"].shortcut("dw.show_open")
    await room.people["ana"].wait_for_modal("DW-3")


async def test_a_home_tab_that_can_not_be_updated_does_not_hold_up_the_card(room: Room) -> None:
    showing, card, _ = await room.asked()
    await room.people["ana"].open_home()
    await room.people["ana"].wait_for_home("Waiting for you: 1")
    room.slack.directory._known.clear()
    room.workspace.faults.add(
        "answer", 9, method="usergroups.list", answer={"error": "ratelimited"}
    )
    room.workspace.faults.add(
        "answer", 9, method="users.lookupByEmail", answer={"error": "ratelimited"}
    )
    copy = await room.show(replace(showing, stopped=story.STOP), copy=card)
    assert copy is not None
    assert copy.ts == card.ts

"""What was posted while nobody listened is found again, once, and what people said is not read back."""

from datetime import timedelta

import pytest

from bot.clock import SystemClock
from bot.outbox import intake_due
from tests.handlers.room import Room

pytestmark = pytest.mark.loopback


async def back(room: Room) -> list[str]:
    """The places that a look back over the last hour finds."""
    now = SystemClock().now()
    return [item.place or "" for item in await room.slack.history.since(now - timedelta(hours=1))]


async def test_an_alert_posted_while_no_socket_was_open_is_found(quiet_room: Room) -> None:
    ts = quiet_room.workspace.alert("A0DAGPLUS", "C0ALERTS", text="Job sessions_job failed").ts
    await quiet_room.workspace.people["ana"].post("C0ALERTS", "looking into it")
    assert await back(quiet_room) == [f"C0ALERTS:{ts}"]


async def test_what_was_received_already_is_not_missing(quiet_room: Room) -> None:
    quiet_room.workspace.alert("A0DAGPLUS", "C0ALERTS", text="Job sessions_job failed")
    now = SystemClock().now()
    (item,) = await quiet_room.slack.history.since(now - timedelta(hours=1))
    assert await quiet_room.store.missing([item.place or ""]) == {item.place}
    await quiet_room.store.receive(item, intake_due(item))
    assert await quiet_room.store.missing([item.place or ""]) == set()


async def test_a_live_message_and_the_same_one_looked_back_at_are_one(room: Room) -> None:
    room.workspace.alert("A0DAGPLUS", "C0ALERTS", text="Job sessions_job failed")
    await room.workspace.settled()
    assert await room.store.missing(await back(room)) == set()


async def test_a_channel_that_cannot_be_read_does_not_hide_the_others(quiet_room: Room) -> None:
    quiet_room.workspace.faults.add(
        "answer", method="conversations.history", answer={"error": "not_in_channel"}
    )
    assert await back(quiet_room) == []

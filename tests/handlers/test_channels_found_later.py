"""An alert channel that could not be found at the start is looked for again, and heard from then on."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.clock import SystemClock
from bot.sandbox.workspace import membership, until
from handlers.entrance import enter
from tests.handlers.room import QUICK, Room, a_room

pytestmark = pytest.mark.loopback
TWO = replace(QUICK, alert_channels=("#data-alerts", "#data-quality"))


async def look(room: Room) -> None:
    """What is done every minute."""
    await room.slack.history.since(SystemClock().now() - timedelta(minutes=3))


async def hears(room: Room, channel: str) -> bool:
    """Whether an alert that is posted there now is taken."""
    before = room.desk.received
    room.workspace.alert("A0DAGPLUS", channel, text="Job sessions_job failed")
    await room.workspace.settled()
    return room.desk.received > before


async def test_a_channel_that_is_given_its_name_later_is_heard_from_then_on(tmp_path: Path) -> None:
    async with a_room(tmp_path, wish=TWO) as room:
        (problem,) = room.slack.problems
        assert "I see no channel #data-quality" in problem
        assert not await hears(room, "C0GENERAL")
        room.workspace.rename("C0GENERAL", "ana", "data-quality")
        await look(room)
        assert await hears(room, "C0GENERAL")
        room.workspace.rename("C0GENERAL", "ana", "elsewhere")
        await look(room)
        assert await hears(room, "C0GENERAL"), "its id is what counts once it is known"


async def test_a_private_channel_is_found_once_the_bot_is_invited(tmp_path: Path) -> None:
    async with a_room(tmp_path, wish=TWO) as room:
        core = room.workspace.core
        quiet = core.state.conversation("C0QUIET")
        quiet.kind, quiet.name = "group", "data-quality"
        quiet.members.append("U0DAGPLUS")
        await look(room)
        assert not await hears(room, "C0QUIET")
        membership.join(core, quiet, "U0DWBOT", "U0ANA")
        await look(room)
        assert await hears(room, "C0QUIET")


async def test_what_was_posted_between_the_invitation_and_the_look_is_read_back(
    tmp_path: Path,
) -> None:
    async with a_room(tmp_path, wish=TWO, sockets=0) as room:
        room.workspace.rename("C0GENERAL", "ana", "data-quality")
        posted = room.workspace.alert("A0DAGPLUS", "C0GENERAL", text="Job sessions_job failed")
        found = await room.slack.history.since(SystemClock().now() - timedelta(minutes=3))
        assert [item.place for item in found] == [f"C0GENERAL:{posted.ts}"]


async def test_a_slack_that_lists_no_channels_at_the_start_is_asked_again(tmp_path: Path) -> None:
    async with a_room(tmp_path) as room:
        room.workspace.faults.add(
            "answer", method="conversations.list", answer={"error": "internal_error"}, times=1
        )
        session = room.slack.client.session
        assert session is not None
        late = await enter(room.access, session, room.desk, SystemClock(), QUICK)
        (problem,) = late.problems
        assert "looked for again" in problem
        await late.history.since(SystemClock().now())
        await until(lambda: late.history._reading.ids() == {"C0ALERTS"}, 5.0, "The channel")

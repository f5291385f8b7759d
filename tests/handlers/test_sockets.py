"""The sockets come back by themselves, finish what is in hand, and never start with bad tokens."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.workspace import until
from handlers import app as building
from handlers.socket import Rhythm
from tests.handlers.room import Room, a_room, listening

pytestmark = pytest.mark.loopback
QUICK = Rhythm(patience=0.2, every=0.02, ping=1.0)


async def test_a_deaf_client_is_given_a_new_address(tmp_path: Path) -> None:
    async with (
        a_room(tmp_path, sockets=0, redeliver_after=(0.1, 1.0, 3.0)) as room,
        listening(room.slack, 1, QUICK) as ears,
    ):
        room.workspace.faults.add("dead_handshake", times=1)
        await room.workspace.disconnect("refresh_requested")
        await until(lambda: not ears.connected, 5.0, "Deafness")
        await until(lambda: ears.connected, 20.0, "The cure")
        room.workspace.alert("A0DAGPLUS", "C0ALERTS", text="after all")
        await room.workspace.settled(20.0)
        assert room.desk.received >= 1


async def test_closing_finishes_what_is_in_hand_and_takes_nothing_new(tmp_path: Path) -> None:
    async with a_room(tmp_path, sockets=0) as room:
        entered, leave = asyncio.Event(), asyncio.Event()
        real = room.desk.receive

        async def slow(item: Any) -> bool:
            entered.set()
            await leave.wait()
            return await real(item)

        room.desk.receive = slow  # type: ignore[method-assign]
        async with listening(room.slack, 1, QUICK) as ears:
            room.workspace.alert("A0DAGPLUS", "C0ALERTS", text="in hand")
            await entered.wait()
            closing = asyncio.ensure_future(ears.close())
            room.workspace.alert("A0DAGPLUS", "C0ALERTS", text="too late")
            await asyncio.sleep(0.05)
            assert not closing.done()
            leave.set()
            await closing
            assert not ears.connected
        first, late = room.workspace.record.events("message", "A0DWBOT")
        await until(lambda: first.state == "acked", 5.0, "The ack")
        assert late.state != "acked"
        assert room.desk.received == 1


async def test_another_process_with_our_token_is_noticed(tmp_path: Path) -> None:
    async with (
        a_room(tmp_path, sockets=1) as room,
        listening(room.slack, 1, QUICK) as ears,
    ):
        await until(lambda: ears.strangers == 1, 5.0, "The other one")


async def test_bad_tokens_are_refused_in_words_before_anything_starts(quiet_room: Room) -> None:
    session = building.open_session(quiet_room.access)
    wrong = replace(quiet_room.access, bot_token="xoxb-wrong", app_token="xapp-wrong")
    client = building.web_client(wrong, session)
    with pytest.raises(
        building.SlackRefused, match=r"bot token \(invalid_auth\).*DW_SLACK_BOT_TOKEN"
    ):
        await building.identify(client)
    with pytest.raises(building.SlackRefused, match=r"app token.*DW_SLACK_APP_TOKEN"):
        await building.check_app_token(client, "xapp-wrong")
    await building.check_app_token(quiet_room.slack.client, "xapp-dw")
    gone = replace(wrong, base_url="http://127.0.0.1:1/api")
    with pytest.raises(building.SlackRefused):
        await building.identify(building.web_client(gone, session))
    await session.close()


async def test_the_identity_tells_all_our_names(quiet_room: Room) -> None:
    me = quiet_room.slack.me
    assert (me.team, me.user, me.bot, me.app) == ("T0LOCAL", "U0DWBOT", "B0DWBOT", "A0DWBOT")
    assert "chat:write" in me.scopes

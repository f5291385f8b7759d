"""A command that is delivered once more is known, and changes nothing a second time."""

from typing import Any

import pytest

from tests.handlers.room import Room

pytestmark = pytest.mark.loopback
ONCE = "It was not carried out a second time."


async def again(room: Room, first: Any) -> str:
    core = room.workspace.core
    app = core.state.apps["A0DWBOT"]
    sent = await core.courier.ask(app, "slash_commands", dict(first.payload))
    return str(sent.answer["text"])


async def test_what_was_taken_back_since_is_not_done_again(room: Room) -> None:
    ana, dee = room.people["ana"], room.people["dee"]
    away = await ana.command("C0ALERTS", "/dw away until friday → @bo")
    await ana.command("C0ALERTS", "/dw back")
    assert ONCE in await again(room, away)
    stop = await ana.command("C0ALERTS", "/dw stop a deploy")
    await dee.command("C0ALERTS", "/dw resume")
    assert ONCE in await again(room, stop)
    assert await room.desk.stopped() is None

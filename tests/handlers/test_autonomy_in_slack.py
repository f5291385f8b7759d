"""`/dw autonomy` typed and tapped in the strict workspace."""

import pytest

from bot.commands import SetLevel
from tests.handlers.room import Room

pytestmark = pytest.mark.loopback


async def typed(room: Room, text: str, who: str) -> str:
    said = (await room.people[who].command("C0ALERTS", f"/dw {text}")).answer
    return str(said)


async def test_anybody_sees_the_levels(room: Room) -> None:
    said = await typed(room, "autonomy", "eli")
    assert "growth" in said
    assert "asks for each change" in said
    assert "nothing is started alone" in said


async def test_only_an_admin_gets_the_button_and_the_tap_is_stored(room: Room) -> None:
    words = "autonomy set growth run_job L3 ten clean runs"
    assert "only an admin named in dw.yml" in await typed(room, words, "eli")
    assert "Nothing is changed yet" in await typed(room, words, "dee")
    assert room.desk.received == 0
    await room.people["dee"].click("Set L3")
    assert room.desk.received == 1
    row = room.desk.items[0].command
    assert isinstance(row, SetLevel)
    assert (row.person, row.change_class, row.level) == ("U0DEE", "run_job", "L3")
    assert row.reason == "ten clean runs"


async def test_what_can_not_be_is_refused_before_there_is_a_button(room: Room) -> None:
    assert "always asked for" in await typed(room, "autonomy set growth backfill L3", "dee")
    assert "no domain" in await typed(room, "autonomy set biling L3", "dee")

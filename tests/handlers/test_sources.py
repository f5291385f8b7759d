"""`/dw sources` in the strict workspace: who sees what, and the two taps that bind a sender."""

from datetime import timedelta
from typing import Any

import pytest

from bot.commands import BindSender
from bot.ports import Due, Lane, NewDue
from handlers import ids, views
from policies.sources import Binding, Seen, shown_to
from tests.building import a_person
from tests.clock import NIGHT
from tests.handlers.room import Room
from tests.policies import night

pytestmark = pytest.mark.loopback
SEEN = Seen(
    sender="B0NEW",
    bot_id="B0NEW",
    app_id="A0NEW",
    name="Graf <!channel> *ana*",
    outcome="unknown",
    at=NIGHT,
    place="C0ALERTS:1790642460.000100",
    reads_like=("grafana",),
)


async def a_row(room: Room, number: int) -> Due:
    key = f"row:{number}"
    await room.store.add([NewDue(kind="sighting", key=key, at=NIGHT, lane=Lane.NOISE)])
    rows = await room.store.claim(NIGHT, limit=9, lease=timedelta(minutes=1))
    return next(row for row in rows if row.key == key)


async def heard(room: Room, *seen: Seen) -> None:
    for number, one in enumerate(seen):
        await room.store.sighted(one, await a_row(room, number))


async def asked(room: Room, who: str) -> str:
    said = (await room.people[who].command("C0ALERTS", "/dw sources")).answer
    return str(said)


async def test_anybody_sees_who_posts_and_who_may_bind(room: Room) -> None:
    await heard(room, SEEN)
    said = await asked(room, "eli")
    assert "reads like grafana" in said
    assert "A0DAGPLUS" in said
    assert "dee@example.com" in said
    assert "archives/C0ALERTS/p1790642460000100" in said
    assert "'Bind " not in said
    assert "<!channel>" not in said


async def test_an_admin_binds_with_two_taps_and_what_fits_is_chosen_already(room: Room) -> None:
    await heard(room, SEEN)
    await asked(room, "dee")
    await room.people["dee"].click(action_id=ids.BIND)
    await room.people["dee"].wait_for_modal("Whose alerts are these?")
    await room.people["dee"].submit()
    (item,) = room.desk.items
    wish = item.command
    assert isinstance(wish, BindSender)
    assert (wish.sender, wish.system, wish.person) == ("B0NEW", "grafana", "U0DEE")
    assert wish.connection in night.rules().connections
    assert wish.respond_to is not None


async def test_the_tap_on_unbind_is_stored(room: Room) -> None:
    await heard(room, SEEN)
    bound = Binding(
        number=1,
        sender="B0NEW",
        bot_id="B0NEW",
        app_id="A0NEW",
        system="grafana",
        connection="dagster",
        by="U0DEE",
        at=NIGHT,
    )
    await room.store.bind(bound, done=await a_row(room, 9), due=())
    assert "bound by <@U0DEE>" in await asked(room, "eli")
    await asked(room, "dee")
    await room.people["dee"].click(action_id=ids.UNBIND)
    wish: Any = room.desk.items[0].command
    assert (wish.sender, wish.system, wish.connection) == ("B0NEW", None, None)


def test_a_sender_that_is_known_meanwhile_gets_no_form() -> None:
    found = shown_to(a_person("U0DEE"), night.rules(), (), ())
    form = views.bind_form(found, "A0DAGPLUS", "x")
    assert form["callback_id"] == ids.SHOWN_VIEW

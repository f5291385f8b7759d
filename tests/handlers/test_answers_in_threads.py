"""What is typed where: in an incident's thread it is about that incident, and it is carried out once."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.clock import SystemClock
from bot.commands import Answer, LiftStop, Order, Received, StopAll
from handlers import views
from handlers.payloads import parse
from handlers.payloads.models import CommandForm
from tests.building import a_person
from tests.clock import NIGHT
from tests.handlers.room import Room

pytestmark = pytest.mark.loopback


def words(text: str, at: timedelta = timedelta()) -> Answer:
    now = SystemClock().now() + at
    return Answer(key="Ev1", person="U0ANA", channel="C0ALERTS", thread_ts="1.1", text=text, at=now)


async def test_why_outside_of_every_thread_of_ours_asks_for_a_name(room: Room) -> None:
    assert "no incident about" in await room.slack.answerer.answer(words("why"))


async def test_an_old_order_to_stop_does_not_undo_a_lift(room: Room) -> None:
    order = words("stop", -timedelta(minutes=5))
    now = SystemClock().now()
    await room.desk.stop(StopAll(person="U0ELI", reason="", at=now))
    assert (
        await room.desk.lift(
            LiftStop(person="U0DEE", at=now), replace(a_person("U0DEE"), email="dee@example.com")
        )
        is None
    )
    said = await room.slack.answerer.answer(order)
    assert "Nothing was stopped" in said
    assert await room.desk.stopped() is None
    assert "*Stopped.*" in await room.slack.answerer.answer(words("stop"))


async def test_a_command_that_is_delivered_again_is_known(room: Room) -> None:
    form = CommandForm(user_id="U0DEE", text="resume", trigger_id="T.1")
    item = parse.order({"command": "/dw", "trigger_id": "T.1"}, form, "resume", NIGHT)
    assert item == Received(
        key="command:T.1",
        command=Order(key="command:T.1", person="U0DEE", text="resume", at=NIGHT),
        raw='{"command":"/dw"}',
        at=NIGHT,
    )
    assert [await room.desk.receive(item) for _ in range(2)] == [True, False]
    assert "not carried out a second time" in views.once_only().text

"""After a long absence the missed alerts open their incidents, once."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from bot.commands import Received, ReceiveSignal
from bot.worker.catching_up import first_look
from bot.worker.kinds import KINDS
from bot.worker.loop import Worker
from tests.bot.worker.world import World, an_alert_message


@dataclass
class FakeHistory:
    items: list[Received] = field(default_factory=list)
    asked: list[datetime] = field(default_factory=list)

    async def since(self, at: datetime) -> Sequence[Received]:
        self.asked.append(at)
        return self.items


def looking_back(world: World) -> FakeHistory:
    history = FakeHistory()
    context = replace(world.context, history=history)
    world.worker = Worker(context, KINDS, asyncio.Event())
    return history


def missed(world: World) -> Received:
    signal = an_alert_message("history:C0ALERTS:1", world.clock)
    return Received(
        key=signal.key,
        command=ReceiveSignal(signal=signal),
        raw="{}",
        at=world.clock.now(),
        place="C0ALERTS:1",
    )


async def test_a_missed_alert_opens_its_incident_and_only_one(world: World) -> None:
    history = looking_back(world)
    history.items = [missed(world)]
    await world.store.add([first_look(world.clock.now())], keep=True)
    for _ in range(3):
        await world.later(minutes=1)
    assert len(await world.store.incidents(open_only=False, limit=9)) == 1
    assert len((await world.incident()).alerts) == 1


async def test_after_an_absence_the_look_begins_where_the_last_one_ended(world: World) -> None:
    history = looking_back(world)
    began = world.clock.now()
    await world.store.add([first_look(began)], keep=True)
    world.clock.advance(hours=3)
    await world.store.add([first_look(world.clock.now())], keep=True)
    await world.work()
    assert history.asked[0] <= began


async def test_a_message_found_by_looking_back_and_delivered_late_is_one(world: World) -> None:
    history = looking_back(world)
    history.items = [missed(world)]
    await world.store.add([first_look(world.clock.now())], keep=True)
    await world.later(seconds=1)
    signal = an_alert_message("Ev9", world.clock)
    late = Received(
        key="Ev9",
        command=ReceiveSignal(signal=signal),
        raw="{}",
        at=world.clock.now(),
        place="C0ALERTS:1",
    )
    assert await world.desk.receive(late) is False
    await world.later(seconds=1)
    assert len((await world.incident()).alerts) == 1

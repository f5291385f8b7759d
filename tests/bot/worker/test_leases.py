"""Two workers over one database: what one lost while it was away, it neither ends nor sends."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from bot.ports import ClaimLost, Due, NewDue, StoreUnavailable
from bot.worker.context import Context
from bot.worker.holding import Hands
from bot.worker.loop import Worker
from policies import events as e
from tests.bot.worker.world import World

LEASE = timedelta(seconds=60)


async def claim(world: World) -> list[Due]:
    return list(await world.store.claim(world.clock.now(), limit=9, lease=LEASE))


async def in_hand(world: World, key: str = "long") -> Due:
    await world.store.add((NewDue(kind="anchor", key=key, at=world.clock.now()),))
    return next(row for row in await claim(world) if row.key == key)


@pytest.fixture
async def tasks() -> AsyncIterator[asyncio.TaskGroup]:
    async with asyncio.TaskGroup() as group:
        yield group


async def never() -> None:
    await asyncio.Event().wait()


async def test_work_that_takes_longer_than_a_lease_stays_in_one_hand(
    world: World, tasks: asyncio.TaskGroup
) -> None:
    hands, row = Hands(world.context), await in_hand(world)
    work = tasks.create_task(never())
    hands.take(row, work)
    taken = []
    for _ in range(4):
        world.clock.advance(seconds=50)
        await hands.beat()
        taken += await claim(world)
    still = not work.done()
    work.cancel()
    assert (taken, still) == ([], True)


async def test_work_on_what_somebody_else_has_taken_is_broken_off(
    world: World, tasks: asyncio.TaskGroup
) -> None:
    hands, row = Hands(world.context), await in_hand(world)
    work = tasks.create_task(never())
    hands.take(row, work)
    world.clock.advance(seconds=61)
    assert [taken.key for taken in await claim(world)] == ["long"]
    await hands.beat()
    await asyncio.wait([work])
    assert work.cancelled()


async def test_nothing_goes_out_for_a_claim_that_was_lost(world: World) -> None:
    row = await in_hand(world)
    await world.context.hold(row)
    world.clock.advance(seconds=61)
    await world.context.hold(row)
    world.clock.advance(seconds=61)
    await claim(world)
    with pytest.raises(ClaimLost):
        await world.context.hold(row)


async def test_a_worker_that_slept_through_its_lease_starts_nothing(world: World) -> None:
    """It wakes between its last look and the call; another one has the step by then."""
    await world.alert()
    await world.later(seconds=1)
    await world.approve()
    found, other = world.actuator.find, list[Due]()

    async def slow(key: str, step: object) -> None:
        world.actuator.find = found  # type: ignore[method-assign]
        world.clock.advance(seconds=61)
        other.extend(await claim(world))

    world.actuator.find = slow  # type: ignore[assignment,method-assign]
    await world.backfill()
    assert [row.kind for row in other if row.kind == "act"] == ["act"]
    assert world.runs.started == []
    world.clock.advance(seconds=61)
    for _ in range(8):
        await world.later(seconds=10)
    assert len(world.runs.started) == 1
    events = [entry.event for entry in await world.store.entries("DW-1")]
    assert sum(isinstance(event, e.RunStarted) for event in events) == 1


async def test_what_was_in_hand_when_the_database_went_is_free_when_it_is_back(
    world: World,
) -> None:
    """Not only when its lease ends; and a little later each time, should the row itself be the trouble."""

    async def works(context: Context, due: Due) -> None:
        raise StoreUnavailable("away")

    worker, row = Worker(world.context, {"anchor": works}, asyncio.Event()), await in_hand(world)
    for attempt, seconds in ((1, 1), (2, 2), (3, 4)):
        assert row.attempts == attempt
        await worker._do(row)
        await worker._in_hand.give_back()
        world.clock.advance(seconds=seconds - 0.1)
        assert await claim(world) == []
        world.clock.advance(seconds=0.1)
        (row,) = await claim(world)

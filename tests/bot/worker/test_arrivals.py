"""Acks go before work: while something arrives, the worker takes nothing new, but never waits for long."""

import asyncio

from bot.ports import Due, NewDue
from bot.worker.context import Context
from bot.worker.loop import Worker
from tests.bot.worker.world import World


async def work_while(world: World, arriving: list[bool]) -> list[bool]:
    """What was arriving when the one row was worked on; each look uses one up, the last one stays."""
    await world.store.add((NewDue(kind="anchor", key="a", at=world.clock.now()),))
    seen: list[bool] = []

    def look() -> bool:
        return arriving.pop(0) if len(arriving) > 1 else arriving[0]

    async def works(context: Context, due: Due) -> None:
        seen.append(arriving[0])
        await context.store.finish(due)
        worker.stop()

    worker = Worker(world.context, {"anchor": works}, asyncio.Event(), look)
    async with asyncio.timeout(20):
        await worker.run()
    return seen


async def test_work_waits_until_what_arrives_is_stored(world: World) -> None:
    assert await work_while(world, [True, True, True, False]) == [False]


async def test_a_stream_that_never_ends_does_not_keep_the_worker_from_its_work(
    world: World,
) -> None:
    assert await work_while(world, [True]) == [True]


async def test_the_desk_says_when_something_is_arriving(world: World) -> None:
    seen: list[bool] = []
    receive = world.store.receive

    async def watched(*words: object) -> bool:
        seen.append(world.desk.arriving())
        return await receive(*words)  # type: ignore[arg-type]

    world.store.receive = watched  # type: ignore[method-assign]
    await world.receive()
    assert (seen, world.desk.arriving()) == ([True], False)

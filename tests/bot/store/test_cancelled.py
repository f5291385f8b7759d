"""Work that is cancelled in the middle, as a slow command is: what it held must be free at once."""

import asyncio
from datetime import timedelta

import pytest

from bot.store.store import SqlStore
from tests.bot.store.builders import NOW, due, later

SHORT = timedelta(seconds=1)
ROUNDS = 25


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_cancelled_writers_keep_no_lock(store: SqlStore) -> None:
    async def busy(name: str) -> None:
        while True:
            await store.add([due(f"{name}-{n}") for n in range(3)])
            for row in await store.claim(later(5), limit=2, lease=SHORT):
                await store.finish(row)

    remembered = []  # a log or a debugger may remember what was cancelled, with all its cursors
    for number in range(ROUNDS):
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(busy(f"{number}-{n}")) for n in range(6)]
            await asyncio.sleep(0.02 + number * 0.001)
            for task in tasks:
                task.cancel()
        remembered.append(tasks)
        await store.add([due("after")])
    assert await store.next_at() == NOW

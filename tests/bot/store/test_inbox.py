"""The inbox's contract, over both databases."""

import asyncio
from dataclasses import replace

import pytest

from bot.commands import Keep
from bot.store.store import SqlStore
from tests.bot.store.builders import LEASE, NOW, due, received


async def test_what_arrived_is_kept_as_it_came_and_makes_something_due(store: SqlStore) -> None:
    item = received("Ev1", text="naïve \x00 ☃ \ud83d", raw='{"a": "\x00\ud83d"}')
    assert await store.receive(item, due("intake:Ev1", payload={"inbox": "Ev1"})) is True
    assert await store.received("Ev1") == item
    (row,) = await store.claim(NOW, limit=9, lease=LEASE)
    assert (row.key, row.payload) == ("intake:Ev1", {"inbox": "Ev1"})
    assert await store.received("Ev2") is None


async def test_the_same_key_twice_is_one_row(store: SqlStore) -> None:
    assert await store.receive(received("Ev1"), due("intake:Ev1")) is True
    (row,) = await store.claim(NOW, limit=9, lease=LEASE)
    await store.finish(row)
    assert await store.receive(received("Ev1", text="other"), due("intake:Ev1")) is False
    assert await store.received("Ev1") == received("Ev1")
    assert await store.next_at() is None


async def test_of_many_deliveries_at_once_each_key_is_stored_once(store: SqlStore) -> None:
    keys = [f"Ev{n % 50}" for n in range(300)]
    calls = [store.receive(received(key), due(f"intake:{key}")) for key in keys]
    assert sum(await asyncio.gather(*calls)) == 50
    assert (await store.stats(NOW)).waiting == 50


async def test_one_message_by_two_ways_at_once_is_stored_once(store: SqlStore) -> None:
    """Slack sends its event while we read it back from the channel's history."""
    for number in range(20):
        place = f"C0ALERTS:{number}"
        ways = [replace(received(f"{way}{number}"), place=place) for way in ("Ev", "history:")]
        calls = [store.receive(item, due(f"intake:{item.key}")) for item in ways]
        assert sum(await asyncio.gather(*calls)) == 1
    assert (await store.stats(NOW)).waiting == 20
    nowhere = [store.receive(received(f"click{n}"), due(f"intake:click{n}")) for n in range(2)]
    assert await asyncio.gather(*nowhere) == [True, True]


async def test_one_bad_item_does_not_take_the_others_with_it(store: SqlStore) -> None:
    naive = due("intake:bad", at=NOW.replace(tzinfo=None))
    calls = [store.receive(received(f"Ev{n}"), due(f"intake:{n}")) for n in range(5)]
    calls.insert(2, store.receive(received("bad"), naive))
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    assert [outcome for outcome in outcomes if outcome is True] == [True] * 5
    assert isinstance(outcomes[2], ValueError)
    assert await store.received("bad") is None


async def test_a_caller_that_gives_up_leaves_the_others_served(store: SqlStore) -> None:
    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(store.receive(received(f"Ev{n}"), due(f"intake:{n}")))
            for n in range(9)
        ]
        await asyncio.sleep(0)
        tasks[0].cancel()  # it has the turn
        tasks[5].cancel()
    left = [task.result() for n, task in enumerate(tasks) if n not in (0, 5)]
    assert len(left) == 7
    for number in (1, 4, 8):
        assert await store.received(f"Ev{number}") is not None


async def test_a_field_of_the_wrong_type_is_refused_at_once(store: SqlStore) -> None:
    with pytest.raises(TypeError, match="can't be stored"):
        await store.receive(received("Ev1", text=5), due("intake:Ev1"))  # type: ignore[arg-type]


async def test_what_could_not_be_read_is_counted(store: SqlStore) -> None:
    assert await store.kept() == 0
    await store.receive(received("Ev1"), due("intake:Ev1"))
    odd = replace(received("Ev2"), command=Keep(key="Ev2", why="no such shape", at=NOW))
    await store.receive(odd, due("intake:Ev2"))
    assert await store.kept() == 1

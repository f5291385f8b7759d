"""A claim's lease, over both databases: prolonged while the work is in hand, and lost when it was not."""

import pytest
from sqlalchemy import update

from bot.ports import ClaimLost, Due
from bot.store.store import SqlStore
from bot.store.tables import due as rows
from tests.bot.store.builders import LEASE, NOW, change, diagnosed, due, later, opening


async def claim(store: SqlStore, seconds: float = 0) -> list[Due]:
    return list(await store.claim(later(seconds), limit=9, lease=LEASE))


async def test_a_lease_that_is_prolonged_frees_nothing(store: SqlStore) -> None:
    await store.add([due("a"), due("b")])
    held = await claim(store)
    assert await store.renew(held, later(100)) == {row.id for row in held}
    assert await claim(store, 99) == []
    assert await store.next_at() == later(100)
    for row in held:
        await store.finish(row)
    assert await store.next_at() is None


async def test_a_prolonged_claim_is_still_ended_by_who_has_it(store: SqlStore) -> None:
    await store.add([due("a")])
    (row,) = await claim(store)
    await store.renew([row], later(100))
    await store.again(row, later(5))
    assert await store.next_at() == later(5)


async def test_nothing_is_prolonged_that_somebody_else_has_taken_or_ended(store: SqlStore) -> None:
    await store.add([due("a"), due("b")])
    late = await claim(store)
    mine, ended = await claim(store, 60)
    await store.finish(ended)
    assert await store.renew(late, later(200)) == set()
    assert await store.renew([mine], later(200)) == {mine.id}
    assert await store.renew([], later(200)) == set()


async def test_who_lost_the_claim_can_not_finish_and_writes_nothing(store: SqlStore) -> None:
    await store.add([due("a")])
    (late,) = await claim(store)
    (other,) = await claim(store, 60)
    with pytest.raises(ClaimLost):
        await store.finish(late, [due("more")])
    assert [row.key for row in await claim(store, 120)] == ["a"]
    with pytest.raises(ClaimLost):
        await store.finish(other)


async def test_who_lost_the_claim_can_not_store_what_came_of_it(store: SqlStore) -> None:
    await store.commit(opening("DW-1", due=(due("a"),)))
    (late,) = await claim(store)
    (other,) = await claim(store, 60)
    with pytest.raises(ClaimLost):
        await store.commit(change("DW-1", 1, diagnosed(), done=late))
    assert len(await store.entries("DW-1")) == 1
    await store.commit(change("DW-1", 1, diagnosed(), done=other))


async def test_what_was_ended_by_somebody_else_is_not_ended_twice(store: SqlStore) -> None:
    await store.add([due("a")])
    (late,) = await claim(store)
    (other,) = await claim(store, 60)
    await store.finish(other)
    with pytest.raises(ClaimLost):
        await store.finish(late, [due("more")])
    assert await store.next_at() is None


async def test_a_row_that_an_older_version_took_without_a_name_is_lost_too(store: SqlStore) -> None:
    await store.add([due("a")])
    (late,) = await claim(store)
    taken = update(rows).values(claimed_until=later(120), attempts=rows.c.attempts + 1)
    async with store.database.write() as connection:
        await connection.execute(taken)
    with pytest.raises(ClaimLost):
        await store.finish(late)
    assert await store.renew([late], later(200)) == set()


async def test_a_row_says_whether_it_may_have_been_carried_out_already(store: SqlStore) -> None:
    await store.add([due("a")])
    (first,) = await claim(store)
    await store.again(first, NOW)
    (second,) = await claim(store)
    await store.again(second, NOW, error="no answer came", counts=False)
    (third,) = await claim(store)
    assert [row.tried for row in (first, second, third)] == [False, False, True]
    assert third.attempts == 1
    (after_a_crash,) = await claim(store, 60)
    assert after_a_crash.tried

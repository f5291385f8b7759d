"""The due table's contract, over both databases."""

import asyncio

import pytest

from bot.ports import ClaimLost, Due, Lane
from bot.store.store import SqlStore
from tests.bot.store.builders import LEASE, NOW, due, later


async def claim(store: SqlStore, seconds: float = 0, limit: int = 9) -> list[Due]:
    return list(await store.claim(later(seconds), limit=limit, lease=LEASE))


async def test_rows_come_by_lane_then_time(store: SqlStore) -> None:
    rows = [
        due("noise", later(-9), Lane.NOISE),
        due("late", later(-1)),
        due("early", later(-5)),
        due("yes", NOW, Lane.APPROVALS),
        due("tomorrow", later(86400), Lane.APPROVALS),
    ]
    await store.add(rows)
    assert [row.key for row in await claim(store, limit=2)] == ["yes", "early"]
    assert [row.key for row in await claim(store)] == ["late", "noise"]


async def test_a_claimed_row_says_all_that_was_wished(store: SqlStore) -> None:
    await store.add([due("a", incident_id="DW-1", payload={"step": "s1", "n": [1, None]})])
    (row,) = await claim(store)
    assert (row.kind, row.key, row.at, row.lane) == ("show", "a", NOW, Lane.ACTIONS)
    assert (row.incident_id, row.payload) == ("DW-1", {"step": "s1", "n": [1, None]})
    assert (row.attempts, row.claimed_until) == (1, NOW + LEASE)


async def test_eight_claimers_take_each_of_400_rows_once(store: SqlStore) -> None:
    await store.add([due(f"d{n}") for n in range(400)])

    async def take() -> list[str]:
        taken: list[str] = []
        while rows := await claim(store, limit=7):
            taken += [row.key for row in rows]
        return taken

    shares = await asyncio.gather(*(take() for _ in range(8)))
    taken = [key for share in shares for key in share]
    assert len(taken) == len(set(taken)) == 400


async def test_a_lease_that_runs_out_frees_the_row(store: SqlStore) -> None:
    await store.add([due("a")])
    await claim(store)
    assert await claim(store, 59) == []
    assert await store.next_at() == NOW + LEASE
    (row,) = await claim(store, 60)
    assert row.attempts == 2


async def test_writing_a_waiting_row_again_moves_it_to_the_earlier_time(store: SqlStore) -> None:
    await store.add([due("a", later(50), Lane.NOISE, payload={"n": 1})])
    await store.add([due("a", later(10), payload={"n": 2})])
    await store.add([due("a", later(99), Lane.NOISE, payload={"n": 3})])
    (row,) = await claim(store, 10)
    assert (row.at, row.lane, row.payload) == (later(10), Lane.ACTIONS, {"n": 3})
    await store.finish(row)
    assert await store.next_at() is None


async def test_a_row_that_is_kept_stays_as_it_is(store: SqlStore) -> None:
    await store.add([due("a", later(50))])
    await store.add([due("a", later(10)), due("b", later(20))], keep=True)
    assert await store.next_at() == later(20)
    (b,) = await claim(store, 20)
    await store.add([due("b", later(30))], keep=True)
    await store.finish(b)
    assert await store.next_at() == later(50)
    await store.add([], keep=True)


async def test_a_wish_that_comes_during_the_work_is_due_after_it(store: SqlStore) -> None:
    await store.add([due("a")])
    (row,) = await claim(store)
    await store.add([due("a", later(30)), due("a", later(20)), due("a", later(40))])
    assert await claim(store, 50) == []
    await store.finish(row)
    assert await store.next_at() == later(20)
    (row,) = await claim(store, 20)
    assert row.attempts == 1
    await store.finish(row)
    assert await store.next_at() is None


async def test_a_late_finisher_does_not_end_a_wish_it_never_saw(store: SqlStore) -> None:
    await store.add([due("a")])
    (late,) = await claim(store)
    await store.add([due("a", later(30))])
    (other,) = await claim(store, 60)
    with pytest.raises(ClaimLost):
        await store.finish(late)
    assert await claim(store, 61) == []
    await store.finish(other)
    assert await store.next_at() is None


async def test_a_wish_for_later_survives_a_crash_of_the_earlier_one(store: SqlStore) -> None:
    await store.add([due("a")])
    await claim(store)
    await store.add([due("a", later(600))])
    (second,) = await claim(store, 60)
    await store.finish(second)
    assert await store.next_at() == later(600)


async def test_finishing_writes_what_follows_in_the_same_step(store: SqlStore) -> None:
    await store.add([due("a")])
    (row,) = await claim(store)
    await store.finish(row, [due("a", later(5)), due("b", later(3))])
    assert [row.key for row in await claim(store, 9)] == ["b", "a"]


async def test_a_row_given_back_waits_and_counts_only_failures(store: SqlStore) -> None:
    await store.add([due("a")])
    (row,) = await claim(store)
    await store.again(row, later(5))
    assert await claim(store, 4) == []
    (row,) = await claim(store, 5)
    assert row.attempts == 1
    await store.again(row, later(9), error="the system is away")
    (row,) = await claim(store, 9)
    assert row.attempts == 2


async def test_a_row_given_back_late_keeps_an_earlier_wish(store: SqlStore) -> None:
    await store.add([due("a")])
    (row,) = await claim(store)
    await store.add([due("a", later(3))])
    await store.again(row, later(3600))
    assert await store.next_at() == later(3)


async def test_a_row_taken_by_somebody_else_can_not_be_given_back(store: SqlStore) -> None:
    await store.add([due("a")])
    (late,) = await claim(store)
    await claim(store, 60)
    await store.again(late, later(61))
    await store.poison(late, "too late")
    assert await claim(store, 62) == []
    assert (await store.stats(later(62))).poisoned == ()


async def test_a_poisoned_row_rests_and_shows_until_it_is_wished_anew(store: SqlStore) -> None:
    await store.add([due("a", incident_id="DW-1")])
    (row,) = await claim(store)
    await store.poison(row, "no such channel \x00")
    assert await claim(store, 9999) == []
    assert await store.next_at() is None
    assert await store.pending("show", "DW-1") is False
    assert (await store.stats(later(9))).poisoned == ("a",)
    await store.add([due("a", later(20))])
    assert (await store.stats(later(9))).poisoned == ()
    (row,) = await claim(store, 20)
    assert row.attempts == 1


async def test_stats_count_what_waits_past_its_time(store: SqlStore) -> None:
    assert (await store.stats(NOW)).oldest_seconds == 0
    await store.add([due("a"), due("b", later(30)), due("c", later(99))])
    stats = await store.stats(later(40))
    assert (stats.waiting, stats.oldest_seconds) == (2, 40)


async def test_pending_tells_whether_something_still_waits(store: SqlStore) -> None:
    await store.add([due("a", later(5), incident_id="DW-1")])
    assert await store.pending("show", "DW-1") is True
    assert await store.pending("show", "DW-2") is False
    (row,) = await claim(store, 5)
    assert await store.pending("show", "DW-1") is True
    await store.finish(row)
    assert await store.pending("show", "DW-1") is False


async def test_the_one_process_of_a_file_lets_go_of_what_a_killed_one_had_in_hand(
    store: SqlStore,
) -> None:
    await store.add([due("a"), due("b")])
    assert len(await store.claim(NOW, limit=9, lease=LEASE)) == 2
    assert await store.claim(NOW, limit=9, lease=LEASE) == []
    assert await store.free() == 2
    assert len(await store.claim(NOW, limit=9, lease=LEASE)) == 2


async def test_a_wish_in_the_moment_of_finishing_is_free_at_once(store: SqlStore) -> None:
    """Not only when the lease runs out: the card would lie for a minute."""
    for _ in range(60):
        await store.add([due("a")])
        (row,) = await claim(store)
        await asyncio.gather(store.finish(row), store.add([due("a")]))
        (again,) = await claim(store)
        await store.finish(again)


async def test_a_wish_in_the_moment_of_giving_up_is_free_at_once(store: SqlStore) -> None:
    for _ in range(60):
        await store.add([due("a")])
        (row,) = await claim(store)
        await asyncio.gather(store.poison(row, "no"), store.add([due("a")]))
        (again,) = await claim(store)
        await store.finish(again)

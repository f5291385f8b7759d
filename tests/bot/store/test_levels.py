"""Levels and budgets: appended one behind the other, over both databases."""

import asyncio
from dataclasses import replace

import pytest

from bot.ports import Due, Spend, StaleIncident
from bot.store.store import SqlStore
from policies import events as e
from policies.autonomy.levels import LevelEntry, body, named
from policies.receipt import GENESIS, Receipt, seal, verify
from tests.bot.store.builders import LEASE, NOW, change, due, later, opening

ENTRY = LevelEntry(
    number=1,
    domain="growth",
    change_class="run_job",
    level="L3",
    by=("U0DEE", "U0BO"),
    at=NOW,
    reason="ten clean runs \x00",
    receipt=1,
)
SPEND = Spend(domain="growth", day="2026-09-29", limit=2, what="DW-1:rollups")


def sealed(entry: LevelEntry, number: int = 1, previous: str = GENESIS) -> Receipt:
    about = named(entry.domain, entry.change_class)
    return seal(number, about, previous, body(entry, "L2"))


async def claimed(store: SqlStore, key: str = "intake:1") -> Due:
    await store.add([due(key)])
    return next(row for row in await store.claim(NOW, limit=9, lease=LEASE) if row.key == key)


async def test_an_entry_its_receipt_and_the_row_that_asked_go_together(store: SqlStore) -> None:
    row = await claimed(store)
    await store.set_level(ENTRY, sealed(ENTRY), done=row, due=[due("whisper")])
    assert await store.levels() == [ENTRY]
    assert verify(await store.receipts()) is None
    assert [one.key for one in await store.claim(later(90), limit=9, lease=LEASE)] == ["whisper"]


async def test_of_two_entries_decided_on_the_same_state_one_is_stored(store: SqlStore) -> None:
    rows = [await claimed(store, f"intake:{n}") for n in range(2)]
    wish = replace(ENTRY, receipt=None)
    wishes = [store.set_level(wish, None, done=row, due=()) for row in rows]
    came = await asyncio.gather(*wishes, return_exceptions=True)
    assert sum(isinstance(one, StaleIncident) for one in came) == 1
    assert await store.levels() == [wish]


async def test_a_level_is_lowered_with_the_incident_that_shows_why(store: SqlStore) -> None:
    await store.commit(opening("DW-1"))
    receipt = seal(1, "DW-1", GENESIS, {"incident": {"closed_at": NOW.isoformat()}})
    lower = replace(ENTRY, level="L2", by=("dw",))
    dismissed = e.Dismissed(by="U0ANA", reason="known")
    await store.commit(change("DW-1", 1, dismissed, receipt=receipt, levels=(lower,)))
    assert await store.levels() == [lower]


async def test_a_budget_is_spent_one_by_one_and_never_beyond_its_end(store: SqlStore) -> None:
    await asyncio.gather(*(store.commit(opening(f"DW-{n}")) for n in range(1, 6)))
    starts = [store.commit(change(f"DW-{n}", 1, spend=SPEND)) for n in range(1, 6)]
    came = await asyncio.gather(*starts, return_exceptions=True)
    assert await store.spent("growth", "2026-09-29") <= 2
    assert sum(one is None for one in came) == await store.spent("growth", "2026-09-29")
    assert await store.spent("growth", "2026-09-30") == 0
    assert await store.spent("billing", "2026-09-29") == 0


async def test_a_start_beyond_the_budget_leaves_nothing_behind(store: SqlStore) -> None:
    await store.commit(opening("DW-1"))
    event = e.Dismissed(by="U0ANA", reason="known")
    with pytest.raises(StaleIncident, match="budget"):
        await store.commit(change("DW-1", 1, event, spend=replace(SPEND, limit=0)))
    assert len(await store.entries("DW-1")) == 1


async def test_what_runs_cost_is_added_up_and_never_beyond_its_end(store: SqlStore) -> None:
    await asyncio.gather(*(store.commit(opening(f"DW-{n}")) for n in range(1, 4)))
    dear = replace(SPEND, limit=9, cost=4, cost_limit=8)
    for number in (1, 2):
        await store.commit(change(f"DW-{number}", 1, spend=dear))
    with pytest.raises(StaleIncident, match="paid out"):
        await store.commit(change("DW-3", 1, spend=dear))
    assert await store.paid("growth", "2026-09-29") == 8
    assert await store.spent("growth", "2026-09-29") == 2
    await store.commit(change("DW-3", 1, spend=replace(dear, cost_limit=None)))
    assert await store.paid("growth", "2026-09-30") == 0


async def test_facts_of_one_kind_are_found_with_their_domain(store: SqlStore) -> None:
    seen = e.LevelLowered(change_class="run_job", was="L3", level="L2", why="a check failed")
    over = e.HandedOver(to="ana", why="the numbers are not right")
    await store.commit(opening("DW-1", over, seen))
    found = await store.facts("LevelLowered", NOW)
    assert [(domain, entry.event) for domain, entry in found] == [("growth", seen)]
    assert await store.facts("LevelLowered", later(1)) == []


async def test_receipts_since_a_moment_come_the_newest_first(store: SqlStore) -> None:
    previous = GENESIS
    for number in range(1, 6):
        at = later(number)
        entry = replace(ENTRY, number=number, receipt=number, at=at)
        receipt = sealed(entry, number, previous)
        await store.set_level(entry, receipt, done=await claimed(store, f"i{number}"), due=())
        previous = receipt.hash
    assert [one.number for one in await store.receipts_since(later(3.5))] == [5, 4]
    assert len(await store.receipts_since(NOW)) == 5

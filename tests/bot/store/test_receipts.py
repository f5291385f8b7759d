"""The chain: appended at its head only, and whatever is done to it behind our back is found."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Executable, delete, update

from bot.ports import StaleIncident
from bot.store.store import SqlStore
from bot.store.tables import receipt as chain
from policies import events as e
from policies.receipt import GENESIS, Receipt, seal, verify
from tests.bot.store.builders import change, opening

BODY: dict[str, Any] = {
    "cause": "late source",
    "rows": [28300, 23100.5],
    "who": {"Ana": "ja ☃"},
    "none": None,
}


async def issue(store: SqlStore, body: dict[str, Any] = BODY) -> Receipt:
    number, previous = await store.head()
    sealed = seal(number + 1, "DW-1", previous, {**body, "n": number})
    await store.commit(change("DW-1", 1, receipt=sealed))
    return sealed


@pytest.fixture
async def issued(store: SqlStore) -> list[Receipt]:
    await store.commit(opening("DW-1"))
    return [await issue(store) for _ in range(4)]


async def test_an_empty_chain_begins_at_genesis(store: SqlStore) -> None:
    assert await store.head() == (0, GENESIS)
    assert await store.receipts() == []
    assert await store.receipt(1) is None


async def test_receipts_are_read_as_they_were_sealed(
    store: SqlStore, issued: list[Receipt]
) -> None:
    assert await store.receipts() == issued
    assert await store.receipts(after=1, limit=2) == issued[1:3]
    assert await store.receipt(3) == issued[2]
    assert await store.head() == (4, issued[3].hash)
    assert verify(await store.receipts(), await store.head()) is None


async def test_of_five_receipts_on_one_head_one_is_stored(store: SqlStore) -> None:
    await asyncio.gather(*(store.commit(opening(f"DW-{n}")) for n in range(5)))
    sealed = [seal(1, f"DW-{n}", GENESIS, BODY) for n in range(5)]
    changes = [
        change(one.incident_id, 1, e.Dismissed(by="U0ANA", reason="known"), receipt=one)
        for one in sealed
    ]
    outcomes = await asyncio.gather(*map(store.commit, changes), return_exceptions=True)
    assert sum(isinstance(outcome, StaleIncident) for outcome in outcomes) == 4
    (kept,) = await store.receipts()
    states = [await store.load(one.incident_id) for one in sealed]
    closed = [state.id for state in states if state is not None and state.phase.closed]
    assert closed == [kept.incident_id]


@pytest.mark.parametrize(
    ("number", "previous"), [(1, GENESIS), (6, None), (5, GENESIS), (5, "sha256:" + "1" * 64)]
)
async def test_a_receipt_that_does_not_follow_the_head_is_refused(
    store: SqlStore, issued: list[Receipt], number: int, previous: str | None
) -> None:
    wrong = seal(number, "DW-1", previous or issued[3].hash, BODY)
    with pytest.raises(StaleIncident):
        await store.commit(change("DW-1", 1, receipt=wrong))
    assert await store.receipts() == issued


async def test_a_receipt_with_a_hash_that_is_not_its_own_is_refused(store: SqlStore) -> None:
    await store.commit(opening("DW-1"))
    forged = Receipt(number=1, incident_id="DW-1", previous=GENESIS, body=BODY, hash=GENESIS)
    with pytest.raises(ValueError, match="not sealed"):
        await store.commit(change("DW-1", 1, receipt=forged))


def edited() -> list[Executable]:
    return [update(chain).where(chain.c.number == 2).values(body={"cause": "nobody's"})]


def missing() -> list[Executable]:
    return [delete(chain).where(chain.c.number == 2)]


def reordered() -> list[Executable]:
    swaps = ((2, -2), (3, 2), (-2, 3))
    return [update(chain).where(chain.c.number == a).values(number=b) for a, b in swaps]


def cut_off() -> list[Executable]:
    return [delete(chain).where(chain.c.number == 4)]


@pytest.mark.parametrize(
    ("tamper", "number", "why"),
    [
        (edited, 2, "it was edited"),
        (missing, 2, "missing or out of order"),
        (reordered, 2, "does not follow"),
        (cut_off, 4, "cut off"),
    ],
)
async def test_what_was_done_to_the_chain_is_found(
    store: SqlStore,
    issued: list[Receipt],
    tmp_path: Path,
    tamper: Callable[[], list[Executable]],
    number: int,
    why: str,
) -> None:
    anchored = await store.head()
    async with store.database.write() as connection:
        for statement in tamper():
            await connection.execute(statement)
    broken = verify(await store.receipts(), anchored)
    assert broken is not None
    assert broken.number == number
    assert why in broken.why


async def test_a_chain_that_was_rewritten_whole_is_found_by_its_anchor(
    store: SqlStore, issued: list[Receipt], tmp_path: Path
) -> None:
    anchored = await store.head()
    async with store.database.write() as connection:
        await connection.execute(delete(chain))
    for _ in range(4):
        await issue(store, {"cause": "nobody's"})
    assert verify(await store.receipts()) is None
    broken = verify(await store.receipts(), anchored)
    assert broken is not None
    assert "rewritten" in broken.why

"""Several processes over one database: each has its own engine, and they share nothing else."""

import asyncio
import random
from collections.abc import AsyncIterator

import pytest

from bot.ports import StaleIncident, Stop
from bot.store.store import SqlStore, open_store
from policies.receipt import GENESIS, seal
from tests.bot.store.builders import LEASE, NOW, change, diagnosed, due, opening, received


@pytest.fixture
async def replicas(url: str) -> AsyncIterator[list[SqlStore]]:
    stores = [await open_store(url) for _ in range(4)]
    yield stores
    for store in stores:
        await store.close()


async def test_of_ten_deciders_in_four_processes_one_wins(replicas: list[SqlStore]) -> None:
    await replicas[0].commit(opening("DW-1"))
    calls = [replicas[n % 4].commit(change("DW-1", 1, diagnosed(str(n)))) for n in range(10)]
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(isinstance(outcome, StaleIncident) for outcome in outcomes) == 9
    assert len(await replicas[1].entries("DW-1")) == 2


async def test_claimers_in_four_processes_take_each_row_once(replicas: list[SqlStore]) -> None:
    await replicas[0].add([due(f"d{n}") for n in range(200)])

    async def take(store: SqlStore) -> list[str]:
        taken: list[str] = []
        while rows := await store.claim(NOW, limit=9, lease=LEASE):
            taken += [row.key for row in rows]
        return taken

    shares = await asyncio.gather(*map(take, replicas))
    taken = [key for share in shares for key in share]
    assert len(taken) == len(set(taken)) == 200


async def test_deliveries_to_all_processes_in_any_order_are_stored_once(
    replicas: list[SqlStore],
) -> None:
    shuffle = random.Random(7)  # noqa: S311 - an order, not a secret
    keys = [f"Ev{n}" for n in range(60)]
    calls = []
    for store in replicas:
        shuffle.shuffle(keys)
        calls += [store.receive(received(key), due(f"intake:{key}")) for key in keys]
    outcomes = await asyncio.gather(*calls)
    assert sum(outcomes) == 60
    assert (await replicas[0].stats(NOW)).waiting == 60


async def test_incidents_opened_with_crossing_keys_do_not_wait_for_each_other(
    replicas: list[SqlStore],
) -> None:
    pairs = [("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")]
    calls = [
        store.commit(opening(f"DW-{n}", keys=keys))
        for n, (store, keys) in enumerate(zip(replicas, pairs, strict=True))
    ]
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    lost = [outcome for outcome in outcomes if isinstance(outcome, StaleIncident)]
    assert len(lost) == 3
    assert len(await replicas[0].incidents(open_only=False, limit=9)) == 1


async def test_receipts_of_four_processes_make_one_chain(replicas: list[SqlStore]) -> None:
    for number in range(4):
        await replicas[0].commit(opening(f"DW-{number}"))
    calls = [
        store.commit(change(f"DW-{n}", 1, receipt=seal(1, f"DW-{n}", GENESIS, {"n": n})))
        for n, store in enumerate(replicas)
    ]
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(isinstance(outcome, StaleIncident) for outcome in outcomes) == 3
    assert (await replicas[3].head())[0] == 1


async def test_a_stop_made_by_one_process_is_seen_by_all(replicas: list[SqlStore]) -> None:
    stops = [store.stop(Stop(by=f"U{n}", at=NOW, reason="")) for n, store in enumerate(replicas)]
    assert sum(await asyncio.gather(*stops)) == 1
    assert all([await store.stopped() for store in replicas])

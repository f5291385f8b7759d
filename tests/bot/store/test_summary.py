"""What the doctor is told."""

from collections.abc import Callable

import pytest
from sqlalchemy import Executable, delete, update

from bot.store.schema import head
from bot.store.store import SqlStore
from bot.store.summary import Summary, summary
from bot.store.tables import incident, journal, receipt
from policies.receipt import GENESIS, seal
from tests.bot.store.builders import LEASE, NOW, diagnosed, due, opening


@pytest.fixture
async def filled(store: SqlStore) -> SqlStore:
    sealed = seal(1, "DW-1", GENESIS, {"cause": "late"})
    await store.commit(opening("DW-1", diagnosed(), receipt=sealed, due=(due("d"),)))
    return store


async def test_a_sound_store_is_intact(filled: SqlStore) -> None:
    found = await summary(filled, await filled.head())
    assert isinstance(found, Summary)
    assert found.intact
    assert (found.schema, found.newest_schema) == (head(), head())
    assert (found.incidents, found.receipts, found.poisoned) == (1, 1, ())
    assert found.database.split()[0] in ("sqlite", "postgresql")


async def test_poisoned_rows_are_named_with_what_went_wrong(filled: SqlStore) -> None:
    (row,) = await filled.claim(NOW, limit=1, lease=LEASE)
    await filled.poison(row, "no such channel")
    assert (await summary(filled)).poisoned == (("d", "no such channel"),)


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (
            lambda: update(incident).values(phase="resolved"),
            "the incident says 2 in phase resolved",
        ),
        (lambda: delete(journal).where(journal.c.seq == 2), "the journal ends at version 1"),
        (lambda: delete(journal).where(journal.c.seq == 1), "its journal can't be read"),
        (lambda: delete(journal), "it has no journal"),
        (lambda: update(journal).values(name="Vanished"), "does not know"),
        (lambda: update(receipt).values(body={}), "receipt 1: its content does not match"),
    ],
)
async def test_damage_is_told_in_a_sentence(
    filled: SqlStore, damage: Callable[[], Executable], says: str
) -> None:
    async with filled.database.write() as connection:
        await connection.execute(damage())
    found = await summary(filled)
    assert not found.intact
    assert any(says in problem for problem in found.problems), found.problems


async def test_a_chain_shorter_than_its_anchor_is_told(filled: SqlStore) -> None:
    found = await summary(filled, (2, "sha256:" + "2" * 64))
    assert found.problems == ("receipt 2: cut off: the anchor knows 2 receipts",)

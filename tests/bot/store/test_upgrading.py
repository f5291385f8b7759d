"""Replicas are upgraded one after the other: this version on the schema of the next one."""

from typing import Any

import pytest
from sqlalchemy import text

from bot.store.engine import Database
from bot.store.errors import NewerSchema
from bot.store.schema import head, migrate, oldest
from bot.store.store import SqlStore, open_store
from bot.store.tables import METADATA
from policies.receipt import GENESIS, seal
from tests.bot.store.builders import LEASE, NOW, change, diagnosed, due, opening, received


async def execute(url: str, *statements: str) -> list[Any]:
    database, found = Database(url), []
    async with database.write() as connection:
        for statement in statements:
            result = await connection.execute(text(statement))
            found = list(result.scalars()) if result.returns_rows else []
    await database.close()
    return found


async def add_what_the_next_version_might(url: str, since: str) -> None:
    """A column more in every table, a table more, and the note of who may work on it."""
    tables = [name for name in METADATA.tables if name != "compatible"]
    columns = [f'ALTER TABLE "{name}" ADD COLUMN of_the_next_version TEXT' for name in tables]
    note = f"UPDATE compatible SET since = '{since}'"
    version = "UPDATE alembic_version SET version_num = '9999'"
    await execute(url, *columns, "CREATE TABLE next (id INTEGER)", note, version)


async def live_a_little(store: SqlStore) -> None:
    assert await store.receive(received("Ev1"), due("intake:Ev1"))
    name = await store.next_id()
    await store.commit(opening(name, keys=("k",), due=(due("a"),)))
    taken = await store.claim(NOW, limit=9, lease=LEASE)
    assert [row.key for row in taken] == ["intake:Ev1", "a"]
    assert await store.renew(taken, NOW + LEASE) == {row.id for row in taken}
    sealed = seal(1, name, GENESIS, {"cause": "late"})
    await store.commit(change(name, 1, diagnosed(), receipt=sealed, done=taken[1]))
    await store.finish(taken[0])
    assert await store.head() == (1, sealed.hash)
    incident = await store.load(name)
    assert incident is not None
    assert incident.version == 2


async def test_this_version_works_on_a_newer_schema_that_only_adds(empty_url: str) -> None:
    await migrate(empty_url)
    await add_what_the_next_version_might(empty_url, since=head())
    store = await open_store(empty_url)
    await live_a_little(store)
    await store.close()
    assert await execute(empty_url, "SELECT version_num FROM alembic_version") == ["9999"]


async def test_replicas_that_are_at_work_go_on_while_the_schema_gets_newer(empty_url: str) -> None:
    store = await open_store(empty_url)
    await store.ping()
    await add_what_the_next_version_might(empty_url, since=head())
    await live_a_little(store)
    await store.close()


async def test_a_newer_schema_that_needs_newer_code_is_refused_in_words(empty_url: str) -> None:
    await migrate(empty_url)
    await add_what_the_next_version_might(empty_url, since="9998")
    for call in (open_store, migrate):
        with pytest.raises(NewerSchema, match=rf"up to {head()}, and 9999 needs at least 9998\."):
            await call(empty_url)


async def test_whoever_upgrades_notes_who_may_work_on_it(empty_url: str) -> None:
    await migrate(empty_url)
    (since,) = await execute(empty_url, "SELECT since FROM compatible")
    assert since <= head()


@pytest.mark.parametrize(
    ("said", "since"),
    [
        ({"0009": "0009", "0008": "0008"}, "0009"),
        ({"0009": "0008", "0008": "0008"}, "0008"),
        ({"0010": "0008", "0009": "0009", "0008": "0008"}, "0009"),
        ({"0011": "0010", "0010": "0008", "0009": "0008", "0008": "0008"}, "0010"),
    ],
)
def test_old_code_must_bear_every_migration_after_it(said: dict[str, str], since: str) -> None:
    assert oldest(said) == since

"""Migrations add up to the tables, carry data along, and stop before a schema they don't know."""

import asyncio
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, CursorResult, inspect, text

from bot.commands import Received
from bot.ports import StoreUnavailable
from bot.store.codec import encode
from bot.store.engine import Database
from bot.store.errors import NewerSchema
from bot.store.schema import _config, current, head, migrate, revisions
from bot.store.store import SqlStore, open_store
from bot.store.tables import METADATA, inbox
from policies.receipt import GENESIS, seal
from tests.bot.store.builders import LEASE, NOW, diagnosed, due, opening, received


def differences(connection: Connection) -> list[Any]:
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    return list(compare_metadata(context, METADATA))


def phases(connection: Connection) -> str:
    return str(inspect(connection).get_check_constraints("incident")[0]["sqltext"])


async def execute(url: str, statement: str) -> CursorResult[Any]:
    database = Database(url)
    try:
        async with database.write() as connection:
            return await connection.execute(text(statement))
    finally:
        await database.close()


async def test_the_migrations_add_up_to_the_tables(empty_url: str) -> None:
    await migrate(empty_url)
    database = Database(empty_url)
    async with database.read() as connection:
        assert await connection.run_sync(differences) == []
        assert await connection.run_sync(current) == head()
        assert "handed_over" in await connection.run_sync(phases)
    await database.close()


async def test_many_that_start_together_upgrade_once(empty_url: str) -> None:
    stores = await asyncio.gather(*(open_store(empty_url) for _ in range(4)))
    for store in stores:
        await store.ping()
        await store.close()


async def test_an_old_database_is_upgraded_with_what_it_holds(empty_url: str) -> None:
    await migrate(empty_url, to="0001")
    await fill_as_of_0001(empty_url)
    store = await open_store(empty_url)
    assert await store.received("Ev1") == received("Ev1")
    state = await store.load("DW-1")
    assert state is not None
    assert state.version == 2
    assert await store.find(["k"]) == "DW-1"
    assert [row.key for row in await store.claim(NOW, limit=9, lease=LEASE)] == ["d", "intake:Ev1"]
    assert (await store.head())[0] == 1
    assert await store.next_id() == "DW-2"
    await store.close()


async def fill_as_of_0001(url: str) -> None:
    """Today's store, unopened, fills the tables that 0001 had like this; the inbox has a column more."""
    store = SqlStore(Database(url))
    assert await store.next_id() == "DW-1"
    await store.commit(
        opening(
            "DW-1",
            diagnosed(),
            keys=("k",),
            due=(due("d"),),
            receipt=seal(1, "DW-1", GENESIS, {"cause": "late"}),
        )
    )
    await _receive_as_of_0001(store, received("Ev1"))
    await store.add([due("intake:Ev1")])
    await store.close()


async def _receive_as_of_0001(store: SqlStore, item: Received) -> None:
    name, body = encode(item.command)
    row = {"key": item.key, "at": item.at, "name": name, "body": body, "raw": item.raw}
    async with store.database.write() as connection:
        await connection.execute(inbox.insert().values(row))


async def test_a_newer_schema_is_refused_and_left_alone(empty_url: str) -> None:
    url = empty_url
    await migrate(url)
    await execute(url, "UPDATE alembic_version SET version_num = '9999'")
    await execute(url, "UPDATE compatible SET since = '9999'")
    for call in (open_store, migrate):
        with pytest.raises(NewerSchema, match=f"schema 9999; this version knows up to {head()}"):
            await call(url)
    found = await execute(url, "SELECT version_num FROM alembic_version")
    assert found.scalar_one() == "9999"


async def test_a_phase_that_is_none_is_refused_by_the_database(url: str) -> None:
    store = await open_store(url)
    await store.commit(opening("DW-1"))
    await store.close()
    with pytest.raises(StoreUnavailable, match=r"ck_incident_phase|CHECK"):
        await execute(url, "UPDATE incident SET phase = 'acting'")


async def test_an_upgrade_that_fails_leaves_nothing_behind(empty_url: str) -> None:
    await execute(empty_url, "CREATE TABLE stop (id INTEGER)")
    with pytest.raises(StoreUnavailable, match="already exists"):
        await migrate(empty_url)
    database = Database(empty_url)
    async with database.read() as connection:
        names = await connection.run_sync(lambda c: inspect(c).get_table_names())
    assert names == ["stop"]
    await database.close()


def test_the_names_of_the_files_are_the_chain_that_alembic_sees() -> None:
    script = ScriptDirectory.from_config(_config())
    assert revisions() == tuple(reversed([step.revision for step in script.walk_revisions()]))
    assert head() == script.get_current_head()

"""A database that can't be read or written says so in the one way that makes callers fail closed."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text

from bot.ports import StoreUnavailable
from bot.store.engine import Database
from bot.store.store import SqlStore, open_store
from tests.bot.store.builders import LEASE, NOW, change, due, opening, received
from tests.postgres_server import Server, down, free_port, running, up

CALLS: dict[str, Callable[[SqlStore], Awaitable[Any]]] = {
    "stopped": lambda store: store.stopped(),
    "receive": lambda store: store.receive(received("Ev9"), due("intake:Ev9")),
    "claim": lambda store: store.claim(NOW, limit=1, lease=LEASE),
    "commit": lambda store: store.commit(change("DW-1", 1)),
    "load": lambda store: store.load("DW-1"),
    "ping": lambda store: store.ping(),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
async def test_a_closed_store_is_unavailable(
    store: SqlStore, call: Callable[[SqlStore], Awaitable[Any]]
) -> None:
    await store.ping()
    await store.close()
    with pytest.raises(StoreUnavailable, match="was closed"):
        await call(store)


@pytest.mark.loopback
async def test_a_server_that_goes_away_is_unavailable_and_comes_back_by_itself() -> None:
    with running() as server:
        store = await open_store(f"postgresql+asyncpg://postgres@127.0.0.1:{server.port}/postgres")
        await store.commit(opening("DW-1"))
        await asyncio.to_thread(down, server)
        for call in CALLS.values():
            with pytest.raises(StoreUnavailable, match="whatever needs a yes waits"):
                await call(store)
        await asyncio.to_thread(up, server)
        assert await store.stopped() is None
        assert await store.received("Ev9") is None
        await store.close()


@pytest.mark.loopback
async def test_a_session_that_the_server_ends_is_replaced(postgres: Server) -> None:
    store = await open_store(f"postgresql+asyncpg://postgres@127.0.0.1:{postgres.port}/dw")
    await store.ping()
    with pytest.raises(StoreUnavailable):
        async with store.database.write() as connection:
            await connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
    await store.ping()
    await store.close()


@pytest.mark.loopback
async def test_a_server_that_is_not_there_is_unavailable() -> None:
    with pytest.raises(StoreUnavailable, match="could not be read or written"):
        await open_store(f"postgresql+asyncpg://postgres@127.0.0.1:{free_port()}/dw")


async def test_a_folder_that_is_not_there_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="unable to open database file"):
        await open_store(f"sqlite+aiosqlite:///{tmp_path}/none/dw.db")


async def test_a_file_that_is_no_database_is_unavailable(tmp_path: Path) -> None:
    file = tmp_path / "dw.db"
    await asyncio.to_thread(file.write_text, "not a database at all, whatever it is called" * 99)
    with pytest.raises(StoreUnavailable, match="not a database"):
        await open_store(f"sqlite+aiosqlite:///{file}")


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("nonsense", "can't be read"),
        ("oracle+nothing://x", "can't be read"),
        ("sqlite:///dw.db", "sqlite\\+aiosqlite:///dw.db"),
        ("mysql+aiomysql://x/y", "postgresql\\+asyncpg"),
        ("sqlite+aiosqlite:///:memory:", "Name a file"),
        ("sqlite+aiosqlite://", "Name a file"),
    ],
)
async def test_an_address_that_can_not_be_used_says_what_to_write(url: str, says: str) -> None:
    with pytest.raises(StoreUnavailable, match=says):
        await open_store(url)


async def test_a_full_disk_stores_nothing_and_readers_go_on(tmp_path: Path) -> None:
    store = await open_store(f"sqlite+aiosqlite:///{tmp_path}/dw.db")
    await store.receive(received("Ev1"), due("intake:Ev1"))
    await limit_pages(store)
    with pytest.raises(StoreUnavailable, match="full"):
        await store.receive(received("Ev2", raw="x" * 10_000_000), due("intake:Ev2"))
    assert await store.received("Ev1") is not None
    assert await store.received("Ev2") is None
    assert (await store.stats(NOW)).waiting == 1
    await store.close()


async def limit_pages(store: SqlStore) -> None:
    """As if the disk had room for a few pages more."""

    def limit(connection: Any, _record: object) -> None:
        connection.cursor().execute("PRAGMA max_page_count = 60")

    event.listen(store.database.engine.sync_engine, "connect", limit)
    await store.database.engine.dispose()


async def test_writers_of_one_process_never_meet_a_locked_database(tmp_path: Path) -> None:
    store = await open_store(f"sqlite+aiosqlite:///{tmp_path}/dw.db")
    await store.commit(opening("DW-1"))
    calls = [store.add([due(f"d{n}")]) for n in range(60)]
    looks = [store.stats(NOW) for _ in range(60)]
    claims = [store.claim(NOW, limit=1, lease=LEASE) for _ in range(60)]
    await asyncio.gather(*calls, *looks, *claims)
    await store.close()


async def test_a_writer_in_another_process_that_holds_on_makes_it_unavailable(
    tmp_path: Path,
) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path}/dw.db"
    store = await open_store(url)
    other = Database(url)
    async with other.write():
        assert await store.stopped() is None
        with pytest.raises(StoreUnavailable, match="locked"):
            await store.add([due("d")])
    await store.add([due("d")])
    await other.close()
    await store.close()


async def test_what_was_acknowledged_survives_a_power_cut(tmp_path: Path) -> None:
    store = await open_store(f"sqlite+aiosqlite:///{tmp_path}/dw.db")
    async with store.database.write() as connection:
        said = [
            (await connection.execute(text(f"PRAGMA {name}"))).scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    assert said == ["wal", 2, 1]
    await store.close()

"""A store over each database: SQLite in a folder of its own, PostgreSQL emptied before each test."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg
import pytest

from bot.store.schema import migrate
from bot.store.store import SqlStore, open_store
from bot.store.tables import METADATA
from tests.postgres_server import Server, running, sql

BOTH = ["sqlite", pytest.param("postgres", marks=pytest.mark.loopback)]
_EMPTY = f"TRUNCATE {', '.join(METADATA.tables)} RESTART IDENTITY"
_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """One server for all tests of this worker; its database `dw` is upgraded."""
    with running() as server:
        sql(server, "CREATE DATABASE dw")
        asyncio.run(migrate(address(server, "dw")))
        yield server


@pytest.fixture(params=BOTH)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database without tables."""
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{tmp_path / 'dw.db'}"
    server: Server = request.getfixturevalue("postgres")
    name = f"empty{next(_numbers)}"
    sql(server, f"CREATE DATABASE {name}")
    return address(server, name)


@pytest.fixture(params=BOTH)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database with tables (SQLite: once it is opened) and nothing in them."""
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{tmp_path / 'dw.db'}"
    server: Server = request.getfixturevalue("postgres")
    asyncio.run(empty(server.dsn("dw")))
    return address(server, "dw")


@pytest.fixture
async def store(url: str) -> AsyncIterator[SqlStore]:
    opened = await open_store(url)
    yield opened
    await opened.close()


async def empty(dsn: str) -> None:
    connection = await asyncpg.connect(dsn)
    await connection.execute(_EMPTY)
    await connection.close()


def address(server: Server, database: str) -> str:
    return server.dsn(database).replace("postgresql://", "postgresql+asyncpg://")

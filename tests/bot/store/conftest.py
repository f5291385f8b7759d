"""A store over each database: SQLite in a folder of its own, PostgreSQL in a database of its own."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bot.store.schema import migrate
from bot.store.store import SqlStore, open_store
from tests.postgres_server import Server, running, sql

BOTH = ["sqlite", pytest.param("postgres", marks=pytest.mark.loopback)]
_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """One server for all tests of this worker, with an empty database `upgraded` to copy from."""
    with running() as server:
        sql(server, "CREATE DATABASE upgraded")
        asyncio.run(migrate(address(server, "upgraded")))
        yield server


@pytest.fixture(params=BOTH)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database without tables."""
    return fresh(request, tmp_path, "template0")


@pytest.fixture(params=BOTH)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database that is ready, or (SQLite) will be when it is opened."""
    return fresh(request, tmp_path, "upgraded")


@pytest.fixture
async def store(url: str) -> AsyncIterator[SqlStore]:
    opened = await open_store(url)
    yield opened
    await opened.close()


def fresh(request: pytest.FixtureRequest, folder: Path, template: str) -> str:
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{folder / 'dw.db'}"
    server: Server = request.getfixturevalue("postgres")
    name = f"t{next(_numbers)}"
    sql(server, f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
    return address(server, name)


def address(server: Server, database: str) -> str:
    return server.dsn(database).replace("postgresql://", "postgresql+asyncpg://")

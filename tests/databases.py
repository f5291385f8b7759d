"""The two databases that everything stored is tested over: SQLite, and one real PostgreSQL a worker.

PostgreSQL is emptied before each test, and SQLite is a copy of one that was upgraded once: a fresh
database each would cost more than the test.
"""

import asyncio
import functools
import itertools
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import asyncpg
import pytest

from bot.store.schema import migrate
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
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database with tables and nothing in them."""
    if request.param == "sqlite":
        return upgraded(tmp_path)
    server: Server = request.getfixturevalue("postgres")
    asyncio.run(_empty(server.dsn("dw")))
    return address(server, "dw")


def without_tables(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of its own that nobody has upgraded."""
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{tmp_path / 'dw.db'}"
    server: Server = request.getfixturevalue("postgres")
    name = f"empty{next(_numbers)}"
    sql(server, f"CREATE DATABASE {name}")
    return address(server, name)


def address(server: Server, database: str) -> str:
    """The URL of one database of the server."""
    return server.dsn(database).replace("postgresql://", "postgresql+asyncpg://")


def emptied(url: str, folder: Path) -> str:
    """The database at `url` with nothing in it; of SQLite a new file in `folder`."""
    if url.startswith("sqlite"):
        folder.mkdir()
        return upgraded(folder)
    asyncio.run(_empty(url.replace("+asyncpg", "")))
    return url


def upgraded(folder: Path) -> str:
    """The address of an SQLite file there, with tables; what is there already stays as it is."""
    file = folder / "dw.db"
    if not file.exists():
        file.write_bytes(_template())
    return f"sqlite+aiosqlite:///{file}"


@functools.cache
def _template() -> bytes:
    """Made beside whatever loop is running."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as beside:
        file = Path(folder) / "dw.db"
        beside.submit(asyncio.run, migrate(f"sqlite+aiosqlite:///{file}")).result()
        return file.read_bytes()


async def _empty(dsn: str) -> None:
    connection = await asyncpg.connect(dsn)
    await connection.execute(_EMPTY)
    await connection.close()

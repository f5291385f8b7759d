"""Both databases for any test: SQLite in a folder of its own, PostgreSQL in a database of its own.

The fixtures are taken into `tests/conftest.py`, so that there is one server for each worker.
"""

import asyncio
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.store.schema import migrate
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
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database that is ready, or (SQLite) will be when it is opened."""
    return fresh(request, tmp_path, "upgraded")


def fresh(request: pytest.FixtureRequest, folder: Path, template: str) -> str:
    """The address of a new database in the engine that the fixture's parameter names."""
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{folder / 'dw.db'}"
    server: Server = request.getfixturevalue("postgres")
    name = f"t{next(_numbers)}"
    sql(server, f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
    return address(server, name)


def address(server: Server, database: str) -> str:
    """As our settings have it."""
    return server.dsn(database).replace("postgresql://", "postgresql+asyncpg://")

"""One database behind two doors: `read()` and `write()`, each one transaction, errors translated.

SQLite has one writer. Its writers queue here, in the process, and say BEGIN IMMEDIATE, so that
"database is locked" can only come from another process that writes for longer than `_PATIENCE`.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, closing, nullcontext
from typing import Any

from sqlalchemy import Connection, Table, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_random

from bot.ports import StoreUnavailable
from bot.store.errors import translated, unavailable

#: seconds; Slack waits three for an ack, so a database that takes longer is as good as gone
_PATIENCE = 2.5
_POSTGRES_SAYS = {
    "application_name": "dw",
    "statement_timeout": "10s",
    "lock_timeout": "5s",
    "idle_in_transaction_session_timeout": "30s",
    "timezone": "UTC",
}


class Database:
    """The engine of one address, and the queue of its writers where it has but one."""

    def __init__(self, url: str) -> None:
        address = _checked(url)
        self.engine = _sqlite(address) if _is_sqlite(address) else _postgres(address)
        self.closed = False
        self._file = address.database if _is_sqlite(address) else None
        self._writer = self.engine.execution_options(writes=True)
        self._turn = asyncio.Lock() if _is_sqlite(address) else nullcontext()

    @property
    def alone(self) -> bool:
        """True for SQLite: one process has it to itself."""
        return self._file is not None

    async def reach(self) -> None:
        """Raise `StoreUnavailable` when there is no file to open.

        The driver would do so too, but leaves a thread behind that speaks up when the process ends.
        """
        if self._file is not None:
            await asyncio.to_thread(_touch, self._file)

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """One transaction that sees one state. Raises what `errors.translated` raises."""
        with translated():
            self._check_open()
            async with self.engine.begin() as connection:
                yield connection

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """One transaction that is stored when the block ends, and not at all when it raises."""
        async with self._turn:
            with translated():
                self._check_open()
                async with self._writer.begin() as connection:
                    yield connection

    async def close(self) -> None:
        """Let go of every connection; whatever comes later is refused."""
        self.closed = True
        async with self._turn:
            await self.engine.dispose()

    def _check_open(self) -> None:
        if self.closed:
            raise StoreUnavailable("The store was closed. Nothing was stored. Start dw again.")


def insert(connection: AsyncConnection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """An INSERT that knows ON CONFLICT in the dialect of this connection."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table)
    return postgresql.insert(table)


def _checked(url: str) -> URL:
    try:
        address = make_url(url)
        driver = address.get_dialect().driver
    except (ArgumentError, NoSuchModuleError) as error:
        raise StoreUnavailable(f"The database address can't be read: {error}.") from error
    if driver not in ("aiosqlite", "asyncpg"):
        raise StoreUnavailable(
            f"The database address begins with {address.drivername!r}. Nothing was opened. "
            "Write sqlite+aiosqlite:///dw.db or postgresql+asyncpg://user@host/name."
        )
    if _is_sqlite(address) and address.database in (None, "", ":memory:"):
        raise StoreUnavailable(
            "An SQLite database in memory forgets every decision. Nothing was opened. Name a file."
        )
    return address


def _touch(file: str) -> None:
    """Open it and turn its log on: the one change for which SQLite does not wait for another process."""
    patient = Retrying(
        retry=retry_if_exception_type(sqlite3.OperationalError),
        wait=wait_random(0.005, 0.02),
        stop=stop_after_delay(_PATIENCE),
        reraise=True,
    )
    try:
        with closing(sqlite3.connect(file, uri=file.startswith("file:"))) as opened:
            patient(opened.execute, "PRAGMA journal_mode=WAL")
    except sqlite3.Error as error:
        raise unavailable(error) from error


def _is_sqlite(address: URL) -> bool:
    return address.get_backend_name() == "sqlite"


def _sqlite(address: URL) -> AsyncEngine:
    # No isolation level: transactions begin where `_begin` says so, not where the driver guesses.
    words = {"timeout": _PATIENCE, "isolation_level": None}
    engine = create_async_engine(address, pool_timeout=_PATIENCE, connect_args=words)
    event.listen(engine.sync_engine, "connect", _prepare)
    event.listen(engine.sync_engine, "begin", _begin)
    event.listen(engine.sync_engine, "invalidate", _let_go)
    return engine


def _postgres(address: URL) -> AsyncEngine:
    return create_async_engine(
        address,
        pool_size=5,
        max_overflow=10,
        pool_timeout=_PATIENCE,
        pool_pre_ping=True,
        connect_args={
            "timeout": _PATIENCE,
            "command_timeout": 15,
            "server_settings": _POSTGRES_SAYS,
        },
    )


def _prepare(connection: Any, _record: object) -> None:
    """FULL, because a click that was acked must survive a power cut: WAL with NORMAL would lose it."""
    with ExitStack() as refused:
        refused.callback(connection.close)  # a file that is no database leaves no thread behind
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()
        refused.pop_all()


def _let_go(connection: Any, _record: object, _why: BaseException | None) -> None:
    """A cancelled write must not keep its lock: closing alone leaves it while any cursor is remembered."""
    connection.rollback()


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

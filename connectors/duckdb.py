"""Reads one DuckDB file, opened read-only and for one question only, so that the pipeline can write it.

DuckDB locks a file for one writing process: while the pipeline holds it, a read waits and tries again.
Each question runs in a thread; a question that takes too long is interrupted, not left behind.
"""

import asyncio
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_delay, wait_fixed

from connectors.base import Health
from connectors.errors import Broken, ConnectorError, NotFound, Rejected, TooSlow, Unreachable
from connectors.http import Patience
from connectors.tables import Question, Rows, TableReader

_SAFE = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
    "threads": "2",
}
_RETRY_EVERY, _GRACE = 0.1, 5.0


@dataclass(kw_only=True, slots=True)
class _Running:
    """A question in its thread, and how to interrupt it."""

    session: Any = None
    cancelled: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    def opened(self, session: Any) -> None:
        with self.lock:
            self.session = session
            if self.cancelled:
                session.interrupt()

    def cancel(self) -> None:
        with self.lock:
            self.cancelled = True
            if self.session is not None:
                self.session.interrupt()


class _Held(Exception):
    """Another process writes the file."""


class DuckDBReader(TableReader):
    """The only half: nothing here can change."""

    dialect = "duckdb"

    def __init__(self, connection: str, file: Path, *, patience: Patience | None = None) -> None:
        super().__init__(connection)
        self._file = file
        self._patience = patience or Patience()
        try:
            self._duckdb = import_module("duckdb")
        except ImportError:
            says = "DuckDB is not installed here; install dw with its extra `duckdb`"
            raise NotFound(says, connection=connection) from None

    async def ping(self) -> Health:
        """The version, once the file could be opened."""
        [rows] = await self._ask([("select version()", ())])
        return Health(version=f"DuckDB {rows[0][0]}", says="opened read-only for each question")

    async def _ask(self, questions: Sequence[Question]) -> list[Rows]:
        """Waits for a process that writes the file, then asks; all of it within the time limit."""
        attempts = AsyncRetrying(
            wait=wait_fixed(_RETRY_EVERY),
            retry=retry_if_exception_type(_Held),
            stop=stop_after_delay(self._patience.whole),
            reraise=True,
        )
        try:
            return await attempts(self._ask_once, questions)
        except _Held:
            says = f"another process has held {self._file.name} open all the time; nothing was read"
            problem: ConnectorError = Unreachable(says, connection=self.connection)
        except self._duckdb.Error as error:
            problem = self._meaning(error)
        raise problem from None

    async def _ask_once(self, questions: Sequence[Question]) -> list[Rows]:
        running = _Running()
        loop = asyncio.get_running_loop()
        thread = loop.run_in_executor(None, self._in_thread, running, questions)
        try:
            async with asyncio.timeout(self._patience.whole):
                return await asyncio.shield(thread)
        except TimeoutError:
            says = f"no answer within {self._patience.whole:g} s; the question was stopped"
            problem = TooSlow(says, connection=self.connection)
        finally:
            await _ended(running, thread)
        raise problem

    def _in_thread(self, running: _Running, questions: Sequence[Question]) -> list[Rows]:
        session = self._open()
        try:
            running.opened(session)
            session.execute("set timezone = 'UTC'")
            return [session.execute(sql, list(args)).fetchmany(2) for sql, args in questions]
        finally:
            session.close()

    def _open(self) -> Any:
        if not self._file.is_file():
            says = f"there is no file {self._file.name}; check its path in dw.yml"
            raise NotFound(says, connection=self.connection)
        try:
            return self._duckdb.connect(str(self._file), read_only=True, config=_SAFE)
        except (self._duckdb.IOException, self._duckdb.ConnectionException) as error:
            held = "lock" in str(error).lower() or "configuration" in str(error).lower()
            if not held:
                raise
        raise _Held

    def _meaning(self, error: Exception) -> ConnectorError:
        """The engine's first line is kept where it can only name what was asked, never data."""
        first_line = str(error).strip().split("\n", maxsplit=1)[0][:300]
        if isinstance(error, self._duckdb.CatalogException):
            return NotFound(first_line, connection=self.connection)
        if isinstance(error, self._duckdb.BinderException):
            return Rejected(f"it refused the query: {first_line}", connection=self.connection)
        says = f"it could not answer ({type(error).__name__})"
        final = isinstance(error, self._duckdb.DataError | self._duckdb.ProgrammingError)
        return (Rejected if final else Broken)(says, connection=self.connection)


async def _ended(running: _Running, thread: asyncio.Future[list[Rows]]) -> None:
    """Nobody waits for this thread any more: interrupt it, and let it close the file."""
    if thread.done():
        return
    running.cancel()
    await asyncio.wait([thread], timeout=_GRACE)
    if thread.done():
        thread.exception()  # fetched, so that the loop does not complain of it later

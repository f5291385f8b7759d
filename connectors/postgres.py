"""Reads PostgreSQL: counts of a day, single numbers, and how far a replica is behind, honestly.

Every question has its own short connection and its own read-only transaction with time-outs, set inside
the transaction so that it works through a pooler too.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, ClassVar
from urllib.parse import urlsplit

import asyncpg
from pydantic import BaseModel, JsonValue
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt

from connectors.base import Health
from connectors.errors import (
    Broken,
    ConnectorError,
    Forbidden,
    NotFound,
    Rejected,
    TooSlow,
    Unreachable,
)
from connectors.http import Patience
from connectors.params import Params
from connectors.tables import Question, Rows, TableReader, moment_text

# SQLSTATE, or its class of two letters → what it means. The server's words are left out where they may
# quote data; they are kept where they only name a table or column.
_STATES: Mapping[str, tuple[type[ConnectorError], str]] = {
    "28": (Forbidden, "it refused the login; check the role and its password"),
    "42501": (Forbidden, "the role may not read this"),
    "25006": (Forbidden, "the session is read-only and stays so; nothing was changed"),
    "3D": (NotFound, "there is no such database"),
    "3F": (NotFound, "there is no such schema"),
    "42P01": (NotFound, ""),
    "42703": (NotFound, ""),
    "57014": (TooSlow, "the query was stopped at its time limit"),
    "55P03": (TooSlow, "a lock on the table was not released in time"),
    "57P03": (Unreachable, "it is starting up or shutting down"),
    "53": (Unreachable, "it has no connection or memory left for us"),
    "57P": (Broken, "it was shut down while it answered"),
    "08": (Broken, "the connection broke"),
    "40": (Broken, "the read was cancelled twice (conflict with recovery); try again later"),
    "XX": (Broken, "it reports a fault of its own"),
}
_REPLICATION = """
select pg_is_in_recovery() in_recovery,
  pg_last_xact_replay_timestamp() replayed_to,
  extract(epoch from now() - pg_last_xact_replay_timestamp())::float8 since_replayed,
  pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() replayed_all,
  pg_wal_lsn_diff(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn())::bigint unreplayed_bytes,
  case when pg_is_in_recovery() then pg_is_wal_replay_paused() end paused,
  current_setting('recovery_min_apply_delay') apply_delay,
  (select status from pg_stat_wal_receiver) receiver,
  (select extract(epoch from now() - last_msg_receipt_time)::float8 from pg_stat_wal_receiver) silent,
  pg_has_role(current_user, 'pg_read_all_stats', 'usage') receiver_known
"""
_QUIET_AT_MOST = 60.0
_LOCK_MS, _CLOSE_S = 2000, 2.0
_ABOUT = (
    "select version(), pg_is_in_recovery(), rolsuper from pg_roles where rolname = current_user"
)


class Replication(Params):
    """How far a replica is behind. Takes nothing."""


class PostgresReader(TableReader):
    """The only half: nothing here can change. `dsn` holds no password; it is given apart."""

    dialect = "postgres"
    probes: ClassVar[Mapping[str, type[BaseModel]]] = {
        **TableReader.probes,
        "replication": Replication,
    }

    def __init__(
        self,
        connection: str,
        dsn: str,
        password: str | None = None,
        *,
        patience: Patience | None = None,
    ) -> None:
        super().__init__(connection)
        self._dsn = dsn
        self._password = password
        self._patience = patience or Patience()

    async def ping(self) -> Health:
        """Version, primary or replica, and a word of warning when the role may do too much."""
        [(row,)] = await self._ask([(_ABOUT, ())])
        version, replica, superuser = row
        says = "replica" if replica else "primary"
        warning = "; this role is a superuser: give dw one that may only read" if superuser else ""
        return Health(version=" ".join(str(version).split()[:2]), says=says + warning)

    async def _answer(self, params: BaseModel) -> tuple[dict[str, JsonValue], str]:
        if not isinstance(params, Replication):
            return await super()._answer(params)
        [(row,)] = await self._ask([(_REPLICATION, ())])
        return _replication(row), _REPLICATION.strip()

    async def _ask(self, questions: Sequence[Question]) -> list[Rows]:
        """All answers from one transaction. A read that recovery cancelled is tried once more."""
        attempts = AsyncRetrying(
            stop=stop_after_attempt(2),
            retry=retry_if_exception_type(asyncpg.SerializationError),
            reraise=True,
        )
        try:
            return await attempts(self._ask_once, questions)
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
            problem = self._meaning(error)
        raise problem from None

    async def _ask_once(self, questions: Sequence[Question]) -> list[Rows]:
        """At most two rows of each answer are ever fetched: one is wanted, a second one is too many."""
        try:
            async with asyncio.timeout(self._patience.whole), self._session() as session:
                answers: list[Rows] = []
                for sql, args in questions:
                    cursor = await session.cursor(sql, *args)
                    answers.append(await cursor.fetch(2))
                return answers
        except TimeoutError:
            says = f"no answer within {self._patience.whole:g} s; the question was stopped"
            problem = TooSlow(says, connection=self.connection)
        raise problem

    @asynccontextmanager
    async def _session(self) -> AsyncIterator[Any]:
        session = await self._connect()
        limit = max(1, int(self._patience.whole * 1000) - 200)
        try:
            async with session.transaction(isolation="repeatable_read", readonly=True):
                await session.execute(
                    f"set local timezone = 'UTC'; set local lock_timeout = {_LOCK_MS};"
                    f"set local statement_timeout = {limit}"
                )
                yield session
            await session.close(timeout=_CLOSE_S)
        finally:
            session.terminate()

    async def _connect(self) -> Any:
        """A connection of its own. The library's words may hold the address, so they are left out."""
        try:
            return await asyncpg.connect(
                self._dsn,
                password=self._password,
                timeout=self._patience.connect,
                server_settings={"application_name": "dw"},
                statement_cache_size=0,
            )
        except TimeoutError:
            problem: ConnectorError = Unreachable(
                f"no connection to {self._where()} within the time limit; nothing was sent",
                connection=self.connection,
            )
        except (ValueError, asyncpg.ClientConfigurationError):
            says = "its dsn in dw.yml can't be used; write postgresql://role@host:port/database"
            problem = NotFound(says, connection=self.connection)
        raise problem

    def _meaning(self, error: Exception) -> ConnectorError:
        state = getattr(error, "sqlstate", None)
        if state is None:
            return self._without_state(error)
        known = next((_STATES[p] for p in (state, state[:3], state[:2]) if p in _STATES), None)
        kind, says = known or (Rejected, f"it refused the query (SQLSTATE {state})")
        return kind(says or str(error), connection=self.connection)

    def _without_state(self, error: Exception) -> ConnectorError:
        if isinstance(error, OSError):
            says = f"no connection to {self._where()}; nothing was sent"
            return Unreachable(says, connection=self.connection)
        return Broken("the connection broke", connection=self.connection)

    def _where(self) -> str:
        parts = urlsplit(self._dsn)
        return f"{parts.hostname}:{parts.port or 5432}"


def _replication(row: Mapping[str, Any]) -> dict[str, JsonValue]:
    return {
        "in_recovery": row["in_recovery"],
        "replayed_to": moment_text(row["replayed_to"]),
        "lag_upper_bound_s": _lag(row),
        "unreplayed_bytes": row["unreplayed_bytes"],
        "paused": row["paused"],
        "apply_delay": row["apply_delay"],
        "receiver": row["receiver"],
        "receiver_known": row["receiver_known"],
        "receiver_silent_s": row["silent"],
    }


def _lag(row: Mapping[str, Any]) -> float | None:
    """An upper bound in seconds; None where it can't be told.

    Having replayed all that was received is no lag only while something is received: with the primary
    gone it would be 0 for ever. After an idle stretch the bound is far too high, never too low.
    """
    if not row["in_recovery"]:
        return None
    if not row["replayed_all"]:
        return None if row["since_replayed"] is None else float(row["since_replayed"])
    hears = row["receiver"] == "streaming" and (row["silent"] or 0) <= _QUIET_AT_MOST
    return 0.0 if hears else None

"""A real PostgreSQL and its replica: honest lag, read-only sessions, and what goes wrong."""

import asyncio
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import asyncpg
import pytest

from connectors.errors import Forbidden, NotFound, TooSlow, Unreachable
from connectors.http import Patience
from connectors.postgres import PostgresReader
from policies.evidence import Probe
from tests import postgres_server as pg

pytestmark = pytest.mark.loopback
NOW = datetime(2026, 9, 29, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def pair() -> Iterator[tuple[pg.Server, pg.Server]]:
    with pg.running() as primary:
        pg.sql(primary, "create role reader login", "grant pg_monitor to reader")
        pg.sql(primary, "create role blind login", "create table t (a timestamp)")
        replica = pg.replica_of(primary)
        try:
            yield primary, replica
        finally:
            pg.remove(replica)


def all_replayed(value: Any) -> bool:
    return value["unreplayed_bytes"] == 0 and value["receiver"] is not None


async def lag(server: pg.Server, user: str = "reader") -> Any:
    reader = PostgresReader("app_replica", server.dsn(user=user))
    probe = Probe(connection="app_replica", name="replication")
    return (await reader.read(probe, evidence_id="E1", now=NOW)).value


async def until(server: pg.Server, holds: Callable[[Any], bool]) -> Any:
    """WAL travels in its own time."""
    for _ in range(200):
        value = await lag(server)
        if holds(value):
            return value
        await asyncio.sleep(0.05)
    pytest.fail(f"this never changed: {value}")


async def test_a_primary_is_not_behind_anything(pair: tuple[pg.Server, pg.Server]) -> None:
    value = await lag(pair[0])
    assert value["in_recovery"] is False
    assert value["lag_upper_bound_s"] is None


async def test_an_idle_replica_that_hears_its_primary_is_not_behind(
    pair: tuple[pg.Server, pg.Server],
) -> None:
    value = await until(pair[1], all_replayed)
    assert (value["receiver"], value["receiver_known"]) == ("streaming", True)
    assert value["lag_upper_bound_s"] == 0


async def test_a_paused_replica_says_so_and_how_many_bytes_it_holds_back(
    pair: tuple[pg.Server, pg.Server],
) -> None:
    primary, replica = pair
    pg.sql(primary, "insert into t values (now())")
    await until(replica, lambda value: value["replayed_to"] is not None)
    pg.sql(replica, "select pg_wal_replay_pause()")
    try:
        pg.sql(primary, "insert into t select now() from generate_series(1, 1000)")
        value = await until(replica, lambda value: value["unreplayed_bytes"])
        assert value["paused"] is True
        assert value["lag_upper_bound_s"] > 0
        assert datetime.fromisoformat(value["replayed_to"]).tzinfo is not None
    finally:
        pg.sql(replica, "select pg_wal_replay_resume()")


async def test_a_role_that_may_not_look_does_not_take_unknown_for_down(
    pair: tuple[pg.Server, pg.Server],
) -> None:
    await until(pair[1], all_replayed)
    value = await lag(pair[1], user="blind")
    assert value["receiver_known"] is False
    assert value["lag_upper_bound_s"] is None


async def test_a_replica_whose_primary_is_gone_is_never_told_to_be_up_to_date() -> None:
    with pg.running() as primary:
        pg.sql(primary, "create role reader login", "grant pg_monitor to reader")
        replica = pg.replica_of(primary)
        try:
            await until(replica, lambda value: value["receiver"] == "streaming")
            pg.down(primary)
            value = await until(replica, lambda value: value["receiver"] is None)
            assert value["lag_upper_bound_s"] is None
            assert value["receiver_known"] is True
        finally:
            pg.remove(replica)


async def test_ping_tells_version_and_role_and_warns_of_a_superuser(postgres: pg.Server) -> None:
    health = await PostgresReader("app", postgres.dsn(user="reader")).ping()
    assert (health.version, health.says) == ("PostgreSQL 18.6", "primary")
    assert "superuser" in (await PostgresReader("app", postgres.dsn()).ping()).says


@pytest.mark.parametrize("password", [None, "wrong"])
async def test_a_wrong_password_is_refused_and_not_repeated(
    postgres: pg.Server, password: str | None
) -> None:
    with pytest.raises(Forbidden, match="refused the login") as caught:
        await PostgresReader("app", postgres.dsn(user="locked"), password).ping()
    assert "wrong" not in str(caught.value)


async def test_the_right_password_is_enough(postgres: pg.Server) -> None:
    reader = PostgresReader("app", postgres.dsn(user="locked"), "planted-secret")
    assert (await reader.ping()).says == "primary"


async def test_a_table_the_role_may_not_read(postgres: pg.Server) -> None:
    probe = Probe(
        connection="app",
        name="rows_of_day",
        params={"table": "secrets", "time": "a", "day": "2026-09-28"},
    )
    with pytest.raises(Forbidden, match="may not read"):
        await PostgresReader("app", postgres.dsn(user="reader")).read(
            probe, evidence_id="E1", now=NOW
        )


async def test_no_server_there() -> None:
    dsn = f"postgresql://reader@127.0.0.1:{pg.free_port()}/shop"
    with pytest.raises(Unreachable, match="nothing was sent"):
        await PostgresReader("app", dsn, "planted-secret").ping()


async def test_no_such_database(postgres: pg.Server) -> None:
    with pytest.raises(NotFound, match="no such database"):
        await PostgresReader("app", postgres.dsn("nowhere", user="reader")).ping()


@pytest.mark.parametrize("dsn", ["mysql://x/y", "postgresql://a:planted-secret@h:not_a_port/d"])
async def test_a_dsn_that_can_not_be_read_is_not_repeated(dsn: str) -> None:
    with pytest.raises(NotFound, match="its dsn") as caught:
        await PostgresReader("app", dsn).ping()
    assert "planted-secret" not in str(caught.value)


async def test_a_locked_table_is_not_waited_for_long(postgres: pg.Server) -> None:
    holder = await asyncpg.connect(postgres.dsn())
    try:
        await holder.execute("begin; lock table orders")
        reader = PostgresReader("app", postgres.dsn(user="reader"), patience=Patience(whole=0.6))
        params = {"table": "orders", "time": "day", "day": "2026-09-28"}
        probe = Probe(connection="app", name="rows_of_day", params=params)
        with pytest.raises(TooSlow):
            await reader.read(probe, evidence_id="E1", now=NOW)
    finally:
        await holder.close()


async def test_the_session_itself_refuses_to_write(postgres: pg.Server) -> None:
    reader = PostgresReader("app", postgres.dsn())  # a superuser: only the session holds it back
    with pytest.raises(Forbidden, match="read-only"):
        await reader._ask([("select setval('numbers', 1)", ())])


async def test_a_read_that_recovery_cancelled_is_tried_once_more(postgres: pg.Server) -> None:
    class Cancelled(PostgresReader):
        tries = 0

        async def _ask_once(self, questions: Any) -> Any:
            self.tries += 1
            if self.tries == 1:
                raise asyncpg.SerializationError("conflict with recovery")
            return await super()._ask_once(questions)

    reader = Cancelled("app", postgres.dsn(user="reader"))
    assert (await reader.ping()).says == "primary"
    assert reader.tries == 2

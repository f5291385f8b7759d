"""A real primary and a real replica: the lag is made on purpose, and can be measured honestly."""

import asyncio
from datetime import UTC, date, datetime

import asyncpg
import duckdb
import pytest

from bot.sandbox.demo import shop, story, warehouse
from bot.sandbox.demo.postgres import Pair
from bot.sandbox.demo.waiting import until

pytestmark = pytest.mark.live

MONDAY = "select count(*), max(started_at) from sessions where started_at >= '2026-09-28'"
BY_DAY = """
select (started_at at time zone 'UTC')::date as day, count(*), count(distinct user_id), max(session_id)
from sessions group by 1 order by 1
"""
LAG = """
select pg_is_wal_replay_paused() as paused,
    pg_wal_lsn_diff(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn())::bigint as bytes,
    (select status from pg_stat_wal_receiver) as receiver,
    (select max(at) from heartbeat) as heartbeat
"""


async def ask(pair: Pair, which: str, sql: str) -> asyncpg.Record:
    connection = await asyncpg.connect(pair.dsn(which))
    try:
        return await connection.fetchrow(sql)
    finally:
        await connection.close()


async def started(pair: Pair) -> None:
    await pair.start_primary()
    await shop.make(pair)
    await pair.start_replica()


async def test_the_replica_stands_at_21_05_while_the_primary_has_the_whole_monday(
    pair: Pair,
) -> None:
    await started(pair)
    await shop.replica_falls_behind(pair)
    cut, end = datetime(2026, 9, 28, 21, 5, tzinfo=UTC), datetime(2026, 9, 28, 23, 59, tzinfo=UTC)
    assert tuple(await ask(pair, "replica", MONDAY)) == (23_100, cut)
    assert tuple(await ask(pair, "primary", MONDAY)) == (28_300, end)
    lag = await ask(pair, "replica", LAG)
    assert (lag["paused"], lag["receiver"], lag["heartbeat"]) == (True, "streaming", cut)

    await shop.replica_catches_up(pair)
    assert tuple(await ask(pair, "replica", MONDAY)) == (28_300, end)
    await caught_up(pair)


async def caught_up(pair: Pair) -> None:
    """A busy primary writes on by itself (vacuum, checkpoints): within seconds all of it is replayed."""

    async def look() -> bool:
        return tuple(await ask(pair, "replica", LAG))[:2] == (False, 0)

    await until("the replica to catch up", look, within_s=20, every_s=0.2)


async def test_the_reader_may_not_write(pair: Pair) -> None:
    await pair.start_primary()
    await shop.make(pair)
    with pytest.raises(asyncpg.ReadOnlySQLTransactionError):
        await ask(pair, "primary", "delete from heartbeat returning 1")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await ask(pair, "primary", "select pg_wal_replay_pause()")


async def test_the_warehouse_holds_what_the_primary_holds(pair: Pair, tmp_path) -> None:
    await started(pair)
    path = tmp_path / "warehouse.duckdb"
    await asyncio.to_thread(warehouse.make, path)
    connection = await asyncpg.connect(pair.dsn("primary"))
    source = [tuple(row) for row in await connection.fetch(BY_DAY)]
    await connection.close()
    with duckdb.connect(str(path), read_only=True) as db:
        raw = "select started_at::date, count(*), count(distinct user_id), max(session_id)"
        target = db.execute(f"{raw} from raw_sessions group by 1 order by 1").fetchall()
        users = db.execute("select day, dau from fct_daily_active_users order by 1").fetchall()
    assert target == source
    assert [(day, rows) for day, rows, *_ in target] == list(story.HISTORY.items())
    assert users == [(day, dau) for day, _, dau, _ in target]
    assert date(2026, 9, 28) not in dict(users)

"""Real stores for the connector tests: a PostgreSQL, and a DuckDB file."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from tests import postgres_server as pg

SEED = (
    "create role reader login",
    "create role blind login",
    "create role locked login password 'planted-secret'",
    "grant pg_monitor to reader",
    "create table sessions (id int, started_at timestamptz)",
    "create table events (at timestamp)",
    "create table orders (day date, amount numeric, note text)",
    # 1,000 sessions a minute apart, and one at the first moment of the next day
    "insert into sessions select i, '2026-09-28 00:00Z'::timestamptz + i * interval '1 minute' from generate_series(0, 999) i",
    "insert into sessions values (1000, timestamptz '2026-09-29 00:00Z')",
    "insert into events select at at time zone 'UTC' from (select started_at as at from sessions) s",
    "insert into orders values ('2026-09-28', 10.5, 'x'), ('2026-09-28', 4.5, 'y')",
    "insert into orders values ('2026-09-21', 7, 'z')",
    "grant select on sessions, events, orders to reader, blind",
    "create table secrets (a timestamp)",
    "create sequence numbers",
)


@pytest.fixture(scope="session")
def postgres() -> Iterator[pg.Server]:
    with pg.running() as server:
        pg.sql(server, *SEED)
        yield server


@pytest.fixture(scope="session")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("warehouse") / "warehouse.duckdb"
    with duckdb.connect(str(file)) as session:
        session.execute("set timezone = 'UTC'")
        session.execute(
            "create table sessions as select i as id,"
            " timestamptz '2026-09-28 00:00Z' + to_minutes(i) as started_at from range(1000) t(i)"
        )
        session.execute("insert into sessions values (1000, timestamptz '2026-09-29 00:00Z')")
        session.execute("create table events as select started_at::timestamp as at from sessions")
        session.execute("create table orders (day date, amount decimal(9, 2), note text)")
        session.execute("insert into orders values ('2026-09-28', 10.5, 'x')")
        session.execute(
            "insert into orders values ('2026-09-28', 4.5, 'y'), ('2026-09-21', 7, 'z')"
        )
    return file

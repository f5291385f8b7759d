"""What both stores answer about the same rows, and what they refuse."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from connectors.duckdb import DuckDBReader
from connectors.errors import NotFound, Rejected
from connectors.postgres import PostgresReader
from connectors.sql_guard import UnsafeSql
from connectors.tables import TableReader
from policies.evidence import Evidence, Probe
from tests.postgres_server import Server

pytestmark = pytest.mark.loopback
NOW = datetime(2026, 9, 29, 1, tzinfo=UTC)
MONDAY, WEEK_BEFORE, EMPTY = "2026-09-28", "2026-09-21", "2026-01-01"


@pytest.fixture(params=["postgres", "duckdb"])
def reader(request: pytest.FixtureRequest) -> TableReader:
    if request.param == "postgres":
        server: Server = request.getfixturevalue("postgres")
        return PostgresReader("store", server.dsn(user="reader"))
    file: Path = request.getfixturevalue("warehouse")
    return DuckDBReader("store", file)


async def ask(reader: TableReader, name: str, **params: Any) -> Evidence:
    probe = Probe(connection="store", name=name, params=params)
    return await reader.read(probe, evidence_id="E1", now=NOW)


@pytest.mark.parametrize(("table", "time"), [("sessions", "started_at"), ("events", "at")])
async def test_a_day_ends_before_the_first_moment_of_the_next(
    reader: TableReader, table: str, time: str
) -> None:
    value = (await ask(reader, "rows_of_day", table=table, time=time, day=MONDAY)).value
    assert value == {
        "rows": 1000,
        "first": "2026-09-28T00:00:00+00:00",
        "last": "2026-09-28T16:39:00+00:00",
    }


async def test_a_day_column_counts_as_well_as_a_time(reader: TableReader) -> None:
    value = (await ask(reader, "rows_of_day", table="orders", time="day", day=MONDAY)).value
    assert (value["rows"], value["first"]) == (2, "2026-09-28T00:00:00+00:00")


async def test_a_day_without_rows_has_no_first_and_no_last(reader: TableReader) -> None:
    value = (await ask(reader, "rows_of_day", table="orders", time="day", day=EMPTY)).value
    assert value == {"rows": 0, "first": None, "last": None}


async def test_rows_of_several_days_with_zero_where_there_are_none(reader: TableReader) -> None:
    days = [MONDAY, EMPTY, WEEK_BEFORE]
    value = (await ask(reader, "daily_rows", table="orders", time="day", days=days)).value
    assert value == {"values": {EMPTY: 0, WEEK_BEFORE: 1, MONDAY: 2}}


async def test_one_number_for_each_day(reader: TableReader) -> None:
    sql = "select sum(amount) from orders where day = :day"
    evidence = await ask(reader, "scalar_by_day", sql=sql, days=[MONDAY, WEEK_BEFORE, EMPTY])
    assert evidence.value == {"values": {EMPTY: None, WEEK_BEFORE: 7, MONDAY: 15}}
    assert evidence.query == "SELECT SUM(amount) FROM orders WHERE day = CAST($1 AS DATE)"


async def test_a_query_without_the_day_gives_the_same_for_each(reader: TableReader) -> None:
    sql = "select count(*) * 1.5 from orders"
    value = (await ask(reader, "scalar_by_day", sql=sql, days=[MONDAY, EMPTY])).value
    assert value == {"values": {EMPTY: 4.5, MONDAY: 4.5}}


async def test_no_row_is_no_number(reader: TableReader) -> None:
    sql = "select amount from orders where day = :day"
    value = (await ask(reader, "scalar_by_day", sql=sql, days=[EMPTY])).value
    assert value == {"values": {EMPTY: None}}


async def test_more_than_one_row_is_refused(reader: TableReader) -> None:
    sql = "select amount from orders where day = :day"
    with pytest.raises(Rejected, match="exactly one number"):
        await ask(reader, "scalar_by_day", sql=sql, days=[MONDAY])


async def test_a_text_is_refused_and_not_repeated(reader: TableReader) -> None:
    sql = "select max(note) from orders where day = :day"
    with pytest.raises(Rejected, match="gave a str") as caught:
        await ask(reader, "scalar_by_day", sql=sql, days=[MONDAY])
    assert "'y'" not in str(caught.value)


async def test_unsafe_sql_is_refused(reader: TableReader) -> None:
    with pytest.raises(UnsafeSql):
        await ask(reader, "scalar_by_day", sql="select pg_sleep(1)", days=[MONDAY])


@pytest.mark.parametrize(
    ("table", "time"), [("orders; drop table orders", "day"), ("orders", 'd"')]
)
async def test_names_that_are_not_names_are_refused(
    reader: TableReader, table: str, time: str
) -> None:
    with pytest.raises(UnsafeSql):
        await ask(reader, "rows_of_day", table=table, time=time, day=MONDAY)


async def test_a_table_that_is_not_there(reader: TableReader) -> None:
    with pytest.raises(NotFound, match="nowhere"):
        await ask(reader, "rows_of_day", table="nowhere", time="day", day=MONDAY)


async def test_a_column_that_is_not_there(reader: TableReader) -> None:
    with pytest.raises((NotFound, Rejected), match="nothing_like_it"):
        await ask(reader, "rows_of_day", table="orders", time="nothing_like_it", day=MONDAY)


async def test_more_days_than_anybody_needs_are_refused(reader: TableReader) -> None:
    days = [f"2026-{month:02}-{day:02}" for month in range(1, 7) for day in range(1, 28)]
    with pytest.raises(ValidationError):
        await ask(reader, "daily_rows", table="orders", time="day", days=days)

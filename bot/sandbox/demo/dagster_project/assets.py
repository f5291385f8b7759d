"""The growth assets: sessions of a day, from the application's replica to the numbers people read."""

import os
import tempfile
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import dagster as dg
import psycopg

from dagster_project.warehouse import warehouse

FIRST_DAY = date(2026, 8, 24)
LAST_DAY = date(2026, 9, 28)


def _days_still_to_come() -> int:
    """The night is dated; on a clock that runs before it, its partition must exist all the same."""
    return max(0, (LAST_DAY - datetime.now(UTC).date()).days + 1)


daily = dg.DailyPartitionsDefinition(
    start_date=FIRST_DAY.isoformat(), end_offset=_days_still_to_come()
)

SESSIONS = """
    select session_id, user_id, started_at at time zone 'UTC' as started_at
    from sessions where started_at >= %s and started_at < %s
"""
REPLAYED_TO = "select max(at) at time zone 'UTC' from heartbeat"


def _bounds(day: str) -> tuple[datetime, datetime]:
    start = datetime.fromisoformat(day).replace(tzinfo=UTC)
    return start, start + timedelta(days=1)


def _iso(moment: datetime | None) -> str:
    return "never" if moment is None else moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _fetch(day: str, into: Path) -> datetime | None:
    """Copy the day's sessions from the replica into a CSV file; returns how far the replica was."""
    with psycopg.connect(os.environ["DW_DEMO_REPLICA_DSN"]) as replica, replica.cursor() as cursor:
        replayed_to = cursor.execute(REPLAYED_TO).fetchone()[0]
        copy = f"copy ({SESSIONS}) to stdout (format csv)"
        with cursor.copy(copy, _bounds(day)) as rows, into.open("wb") as file:
            for row in rows:
                file.write(row)
    return replayed_to


def _load(day: str, csv: Path) -> tuple[int, datetime | None]:
    """Replace the day's rows; returns how many there are now and the last session's time."""
    columns = "{'session_id': 'BIGINT', 'user_id': 'BIGINT', 'started_at': 'TIMESTAMP'}"
    with warehouse() as db:
        db.execute("begin")
        db.execute("delete from raw_sessions where started_at::date = ?", [day])
        db.execute(
            f"insert into raw_sessions select * from read_csv(?, header=false, columns={columns})",
            [str(csv)],
        )
        db.execute("commit")
        return db.execute(
            "select count(*), max(started_at) from raw_sessions where started_at::date = ?", [day]
        ).fetchone()


@dg.asset(
    partitions_def=daily,
    group_name="growth",
    owners=["ana@example.com"],
    kinds={"python", "postgres"},
    code_version="12",
    metadata={"dagster/table_name": "raw_sessions"},
    description="Sessions of a day, read from the application's replica.",
)
def raw_sessions(context: dg.AssetExecutionContext) -> dg.MaterializeResult:
    day = context.partition_key
    with tempfile.TemporaryDirectory() as folder:
        csv = Path(folder) / "sessions.csv"
        replayed_to = _fetch(day, csv)
        rows, last = _load(day, csv)
    return dg.MaterializeResult(
        metadata={
            "rows": rows,
            "last_session_at": _iso(last),
            "source_replayed_to": _iso(replayed_to),
        }
    )


TRAILING = """
    select median(n) from (
        select count(*) as n from raw_sessions
        where started_at::date >= ?::date - 7 and started_at::date < ?::date group by started_at::date
    )
"""


@dg.asset_check(
    asset=raw_sessions,
    blocking=True,
    partitions_def=daily,
    description="A day holds at least 95 % of the rows of the seven days before it (median).",
)
def raw_sessions_complete(context: dg.AssetCheckExecutionContext) -> dg.AssetCheckResult:
    day = context.partition_key
    with warehouse() as db:
        rows, last = db.execute(
            "select count(*), max(started_at) from raw_sessions where started_at::date = ?", [day]
        ).fetchone()
        median = int(db.execute(TRAILING, [day, day]).fetchone()[0] or 0)
    return dg.AssetCheckResult(
        passed=rows >= 0.95 * median,
        severity=dg.AssetCheckSeverity.ERROR,
        description=f"{rows:,} rows against a trailing median of {median:,}; last session {_iso(last)}",
        metadata={"loaded_rows": rows, "trailing_median": median, "last_session_at": _iso(last)},
    )


def _rebuild_day(table: str, select: str, day: str) -> dg.MaterializeResult:
    with warehouse() as db:
        db.execute("begin")
        db.execute(f"delete from {table} where day = ?", [day])
        db.execute(f"insert into {table} {select}", [day])
        db.execute("commit")
        rows = db.execute(f"select count(*) from {table} where day = ?", [day]).fetchone()[0]
    return dg.MaterializeResult(metadata={"rows": rows})


@dg.asset(
    partitions_def=daily,
    deps=[raw_sessions],
    group_name="growth",
    owners=["bo@example.com"],
    kinds={"dbt"},
    code_version="7",
    metadata={"dagster/table_name": "stg_sessions"},
)
def stg_sessions(context: dg.AssetExecutionContext) -> dg.MaterializeResult:
    select = """
        select session_id, user_id, started_at::date as day, started_at
        from raw_sessions where started_at::date = ?
    """
    return _rebuild_day("stg_sessions", select, context.partition_key)


@dg.asset(
    partitions_def=daily,
    deps=[stg_sessions],
    group_name="growth",
    owners=["bo@example.com"],
    kinds={"dbt"},
    code_version="9",
    metadata={"dagster/table_name": "fct_daily_active_users"},
)
def fct_daily_active_users(context: dg.AssetExecutionContext) -> dg.MaterializeResult:
    select = "select day, count(distinct user_id) as dau from stg_sessions where day = ? group by day"
    return _rebuild_day("fct_daily_active_users", select, context.partition_key)


@dg.asset(
    deps=[fct_daily_active_users],
    group_name="growth",
    owners=["bo@example.com"],
    kinds={"python"},
    code_version="4",
    metadata={"dagster/table_name": "agg_weekly_engagement"},
    description="Weekly engagement, rebuilt as a whole by growth_rollups_job.",
)
def agg_weekly_engagement() -> dg.MaterializeResult:
    with warehouse() as db:
        db.execute(
            "create or replace table agg_weekly_engagement as"
            " select date_trunc('week', day)::date as week, count(*) as days, avg(dau) as mean_dau"
            " from fct_daily_active_users group by 1 order by 1"
        )
        rows = db.execute("select count(*) from agg_weekly_engagement").fetchone()[0]
    return dg.MaterializeResult(metadata={"rows": rows})

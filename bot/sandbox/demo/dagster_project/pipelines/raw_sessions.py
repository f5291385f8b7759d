"""Sessions of a day, from the application's replica into the warehouse, and the check that gates them."""

import os
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import dagster as dg
import psycopg

from pipelines.calendar import daily
from pipelines.warehouse import warehouse

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

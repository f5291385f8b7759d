"""The warehouse: one DuckDB file with the days before the night, as the pipeline left them."""

from pathlib import Path

import duckdb

from bot.sandbox.demo import story

_TABLES = """
create table raw_sessions (session_id bigint, user_id bigint, started_at timestamp);
create table stg_sessions (session_id bigint, user_id bigint, day date, started_at timestamp);
create table fct_daily_active_users (day date, dau bigint);
create table agg_weekly_engagement (week date, days bigint, mean_dau double);
"""
_RAW = """
insert into raw_sessions
select $first + i, ($first + i) // 3,
       $day::date + to_seconds($from_s + i * $span // ($rows - 1))
from range($rows) as r(i)
"""
_MODELS = """
insert into stg_sessions select session_id, user_id, started_at::date, started_at from raw_sessions;
insert into fct_daily_active_users
    select day, count(distinct user_id) from stg_sessions group by day order by day;
insert into agg_weekly_engagement
    select date_trunc('week', day)::date, count(*), avg(dau)
    from fct_daily_active_users group by 1 order by 1;
"""


def make(path: Path) -> None:
    """A fresh file. Blocking: call it in a thread."""
    for old in (path, path.with_name(path.name + ".wal")):
        old.unlink(missing_ok=True)
    with duckdb.connect(str(path)) as db:
        db.execute(_TABLES)
        for stretch in story.history():
            db.execute(_RAW, _params(stretch))
        db.execute(_MODELS)


def _params(stretch: story.Stretch) -> dict[str, object]:
    return {
        "first": stretch.first_id,
        "day": stretch.day.isoformat(),
        "from_s": stretch.from_s,
        "span": stretch.until_s - stretch.from_s,
        "rows": stretch.rows,
    }

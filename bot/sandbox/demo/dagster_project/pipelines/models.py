"""The models on top of the sessions: SQL over the warehouse, as dbt would run it."""

import dagster as dg

from pipelines.calendar import daily
from pipelines.raw_sessions import raw_sessions
from pipelines.warehouse import warehouse


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

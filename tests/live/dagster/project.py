"""The code location of the live tests: a daily pipeline whose check fails on one day, and odd jobs.

Only Dagster's own process imports this file.
"""

import time
from datetime import timedelta
from pathlib import Path

import dagster as dg

BAD_DAY = "2026-09-28"
daily = dg.DailyPartitionsDefinition(start_date="2026-09-01", end_date="2026-10-05")
own_process = dg.in_process_executor  # a process for each step would cost seconds each


@dg.asset(partitions_def=daily, owners=["ana@example.com", "team:growth"])
def raw_sessions(context: dg.AssetExecutionContext) -> dg.MaterializeResult:
    rows = 23_100 if context.partition_key == BAD_DAY else 28_400
    return dg.MaterializeResult(
        metadata={
            "rows": rows,
            "bytes": 5_000_000_000,
            "last_session_at": dg.MetadataValue.timestamp(1_790_629_500.0),
            "source_replayed_to": f"{context.partition_key}T21:05:00+00:00",
        }
    )


@dg.asset_check(asset=raw_sessions, blocking=True, partitions_def=daily)
def raw_sessions_complete(context: dg.AssetCheckExecutionContext) -> dg.AssetCheckResult:
    good = context.partition_key != BAD_DAY
    rows = 28_400 if good else 23_100
    return dg.AssetCheckResult(
        passed=good, description=f"{rows} rows, 28400 expected", metadata={"rows": rows}
    )


@dg.asset_check(asset=raw_sessions, partitions_def=daily)
def raw_sessions_fresh() -> dg.AssetCheckResult:
    return dg.AssetCheckResult(passed=False, severity=dg.AssetCheckSeverity.WARN)


@dg.asset(partitions_def=daily, deps=[raw_sessions], owners=["team:growth"])
def stg_sessions() -> None: ...


@dg.asset(partitions_def=daily, deps=[stg_sessions], owners=["bo@example.com"])
def fct_daily_active_users() -> None: ...


@dg.asset(
    deps=[fct_daily_active_users],
    freshness_policy=dg.FreshnessPolicy.time_window(
        fail_window=timedelta(hours=36), warn_window=timedelta(hours=24)
    ),
)
def agg_weekly_engagement() -> None: ...


@dg.asset(partitions_def=daily)
def orders(context: dg.AssetExecutionContext) -> None:
    bad = Path(context.instance.root_directory) / "orders_are_broken"
    if bad.exists() and context.partition_key in bad.read_text():
        raise ValueError("the orders of that day are there twice")


@dg.op
def extract() -> int:
    return 1


@dg.op(retry_policy=dg.RetryPolicy(max_retries=1, delay=0))
def load(_one: int) -> int:
    row: dict[str, int] = {}
    try:
        return row["event_id"]
    except KeyError as error:
        msg = "no column event_id in the source"
        raise ValueError(msg) from error


@dg.op
def report(one: int) -> int:
    return one


@dg.job(executor_def=own_process)
def always_fails_job() -> None:
    report(load(extract()))


@dg.op(config_schema={"good": dg.Field(bool, default_value=False)})
def breaks_unless_told(context: dg.OpExecutionContext) -> None:
    if not context.op_config["good"]:
        raise ValueError("3,100,000 event ids are there twice")


@dg.job(executor_def=own_process)
def billing_job() -> None:
    breaks_unless_told()


@dg.job(executor_def=own_process)
def untold_job() -> None:
    """Nobody posts anything when it fails."""
    breaks_unless_told()


@dg.job(executor_def=own_process, tags={"dagster/max_retries": "1"})
def retried_job() -> None:
    breaks_unless_told()


@dg.op(config_schema={"target": str})
def needs_target() -> None: ...


@dg.job(executor_def=own_process)
def strict_config_job() -> None:
    needs_target()


@dg.op(config_schema={"seconds": dg.Field(float, default_value=0.0)})
def rest(context: dg.OpExecutionContext) -> None:
    time.sleep(context.op_config["seconds"])


@dg.job(executor_def=own_process)
def rest_job() -> None:
    rest()


sessions_job = dg.define_asset_job(
    "sessions_job",
    selection=["raw_sessions", "stg_sessions", "fct_daily_active_users"],
    partitions_def=daily,
)
growth_rollups_job = dg.define_asset_job("growth_rollups_job", selection=["agg_weekly_engagement"])

yearly = dg.ScheduleDefinition(
    job=growth_rollups_job,
    cron_schedule="0 0 1 1 *",
    default_status=dg.DefaultScheduleStatus.RUNNING,
)
switched_off = dg.ScheduleDefinition(job=always_fails_job, cron_schedule="0 * * * *")


@dg.sensor(job=rest_job, default_status=dg.DefaultSensorStatus.RUNNING)
def quiet_sensor() -> dg.SkipReason:
    return dg.SkipReason("nothing to do")


defs = dg.Definitions(
    schedules=[yearly, switched_off],
    sensors=[quiet_sensor],
    assets=[raw_sessions, stg_sessions, fct_daily_active_users, agg_weekly_engagement, orders],
    asset_checks=[raw_sessions_complete, raw_sessions_fresh],
    jobs=[
        always_fails_job,
        billing_job,
        growth_rollups_job,
        rest_job,
        retried_job,
        sessions_job,
        strict_config_job,
        untold_job,
    ],
    executor=own_process,
)

"""What the demo's code server serves."""

import dagster as dg

from pipelines.calendar import daily
from pipelines.models import agg_weekly_engagement, fct_daily_active_users, stg_sessions
from pipelines.raw_sessions import raw_sessions, raw_sessions_complete

sessions_job = dg.define_asset_job(
    "sessions_job",
    selection=dg.AssetSelection.assets(raw_sessions, stg_sessions, fct_daily_active_users),
    partitions_def=daily,
    description="The night's load: yesterday's sessions and the models on top.",
)
growth_rollups_job = dg.define_asset_job(
    "growth_rollups_job",
    selection=dg.AssetSelection.assets(agg_weekly_engagement),
    description="Rebuilds the weekly rollups from the daily numbers.",
)

defs = dg.Definitions(
    assets=[raw_sessions, stg_sessions, fct_daily_active_users, agg_weekly_engagement],
    asset_checks=[raw_sessions_complete],
    jobs=[sessions_job, growth_rollups_job],
    schedules=[
        dg.build_schedule_from_partitioned_job(sessions_job, hour_of_day=0, minute_of_hour=30)
    ],
    # one process a run: the default starts one more for every step, and each imports Dagster anew
    executor=dg.in_process_executor,
)

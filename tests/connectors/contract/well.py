"""Servers that are well: each answers every question of its reader, mostly in words that real ones gave."""

from collections.abc import Mapping
from typing import Any

import httpx

from tests.connectors.airflow.fake_airflow import DAG, FakeAirflow, Major, response
from tests.connectors.airflow.fake_airflow import URL as AIRFLOW
from tests.connectors.dagster.fake_dagster import URL as DAGSTER
from tests.connectors.dagster.fake_dagster import FakeDagster
from tests.connectors.dbt_cloud.account import ROOT, Account
from tests.connectors.dbt_cloud.account import URL as DBT_CLOUD
from tests.connectors.prefect.fake_prefect import BUILDS, DEPLOYMENT, NAMED, FakePrefect, recorded
from tests.connectors.prefect.fake_prefect import FAILED_RUN as PREFECT_RUN
from tests.connectors.prefect.fake_prefect import URL as PREFECT

__all__ = ["AIRFLOW", "BUILDS", "DAGSTER", "DBT_CLOUD", "PREFECT", "PREFECT_RUN", "ROOT"]

Questions = Mapping[str, Mapping[str, Any]]
DAGSTER_RUN = "00000000-0000-0000-0000-000000000000"
DBT_RUN = "70403110001"
_RUN = f"{DAG}/story-1"
_RUNS = f"dags/{DAG}/dagRuns"
_TASKS = f"{_RUNS}/story-1/taskInstances"

OF_AIRFLOW: Questions = {
    "run_failure": {"run_id": _RUN},
    "task_log": {"run_id": _RUN, "task": "stg_usage_events", "try_number": 2},
    "last_success": {"job": DAG},
    "find_run": {"job": DAG, "ended_at": "2026-11-30T20:00:00Z"},
    "expected": {"job": DAG, "at": "2026-11-30T21:00:00Z"},
    "can_run": {"job": DAG},
    "import_errors": {},
    "materialization": {"asset": "fct_daily_usage"},
    "asset_states": {"assets": ["fct_daily_usage"]},
}
OF_DAGSTER: Questions = {
    "run_failure": {"run_id": DAGSTER_RUN},
    "asset_check": {"asset": "raw_sessions", "check": "raw_sessions_complete"},
    "check_history": {"asset": "raw_sessions", "check": "raw_sessions_complete"},
    "materialization": {"asset": "raw_sessions"},
    "freshness": {"asset": "raw_sessions"},
    "asset_states": {"assets": ["raw_sessions", "stg_sessions"]},
    "last_success": {"job": "growth_rollups_job"},
    "expected": {"job": "growth_rollups_job", "at": "2026-09-29T00:00:00Z"},
    "can_run": {"job": "growth_rollups_job"},
    "find_run": {"short": "00000000"},
}
OF_PREFECT: Questions = {
    "run_failure": {"run_id": PREFECT_RUN},
    "task_log": {"run_id": PREFECT_RUN},
    "last_success": {"job": "growth-rollups/prod"},
    "find_run": {"short": "a4fbc0a1"},
    "expected": {"job": "growth-rollups/prod"},
    "can_run": {"job": "growth-rollups/prod"},
    "materialization": {"asset": "agg_weekly_engagement"},
    "asset_states": {"assets": ["agg_weekly_engagement"]},
}
_TEST = {"asset": "stg_usage_events", "check": "unique_stg_usage_events_event_id"}
OF_DBT_CLOUD: Questions = {
    "run_failure": {"run_id": DBT_RUN},
    "task_log": {"run_id": DBT_RUN},
    "last_success": {"job": "Daily build"},
    "find_run": {"short": DBT_RUN},
    "can_run": {"job": "Daily build"},
    "materialization": {"asset": "stg_usage_events"},
    "asset_states": {"assets": ["stg_usage_events"]},
    "asset_check": _TEST,
    "check_history": _TEST,
}


def airflow(major: Major) -> FakeAirflow:
    sign = {"status": "healthy", "latest_scheduler_heartbeat": "2026-11-30T20:10:00Z"}
    due = {"next_dagrun_create_after": "2026-11-30T20:00:00Z"}
    due |= {"next_dagrun_run_after": due["next_dagrun_create_after"]}
    dag = response(f"v{major - 1}_dag", **due)
    source = httpx.Response(200, json={"content": "dag = 1\n"})
    versions = httpx.Response(200, json={"dag_versions": [{"version_number": 3, "id": "x"}]})
    fake = FakeAirflow(major).gets("dags", "failed_none").gets("dags/~/dagRuns", "failed_runs")
    fake.gets(f"dags/{DAG}", lambda _: dag).gets(f"dags/{DAG}/details", "details")
    fake.gets(_RUNS, "failed_runs").gets(f"{_RUNS}/story-1", "run_failed").gets(_TASKS, "tasks")
    fake.gets(f"{_TASKS}/stg_usage_events/logs/2", "log").gets("importErrors", "import_errors")
    for name in ("health", "monitor/health"):
        fake.gets(name, lambda _: httpx.Response(200, json={"scheduler": sign}))
    for name in ("masked_failure", "paused_export"):
        fake.gets(f"dags/{name}", "dag")
    token = response("v1_dag").json().get("file_token", "")
    fake.gets(f"dagSources/{token}", lambda _: source)
    return fake.gets(f"dags/{DAG}/dagVersions", lambda _: versions)


_TICK = {"timestamp": 1_790_000_000.0, "status": "FAILURE", "error": {"message": "SomeError: x"}}
_SCHEDULE = {
    "name": "nightly",
    "pipelineName": "growth_rollups_job",
    "potentialTickTimestamps": [1_790_000_000.0, 1_790_086_400.0],
    "scheduleState": {
        "status": "RUNNING",
        "ticks": [_TICK],
        "typeSpecificData": {"startTimestamp": 1.0},
    },
}
_POLICY = {"__typename": "TimeWindowFreshnessPolicy", "failWindowSeconds": 3600}
_FRESH = {
    "internalFreshnessPolicy": _POLICY,
    "freshnessStatusInfo": {
        "freshnessStatus": "DEGRADED",
        "freshnessStatusMetadata": {"lastMaterializedTimestamp": 1_790_000_000.0},
    },
}


def dagster() -> FakeDagster:
    found = {"__typename": "Repository", "schedules": [_SCHEDULE], "sensors": []}
    return FakeDagster(
        DwVersion="version",
        DwPermissions="permissions",
        DwDaemons="daemons_queued",
        DwWorkspace="workspace",
        DwJob="job",
        DwPartitions=lambda _: {"pipelineOrError": {"__typename": "Pipeline"}},
        DwConfigValid=lambda _: {
            "isPipelineConfigValid": {"__typename": "PipelineConfigValidationValid"}
        },
        DwRun="run_queued",
        DwRuns="runs_failures",
        DwLastRun="last_run",
        DwRunIds="run_ids",
        DwFailedRun="failed_run_check",
        DwEvents="events_check",
        DwChecks="checks_check",
        DwCheckRuns="check_runs_history",
        DwMaterialization="materialization",
        DwAssetStates="asset_states",
        DwFreshness=lambda _: {"assetNodes": [_FRESH]},
        DwAutomation=lambda _: {"repositoryOrError": found},
    )


def prefect() -> FakePrefect:
    return FakePrefect(
        {
            "/admin/version": "version",
            "/flow_runs/count": "count",
            f"/flow_runs/{PREFECT_RUN}": "run_failed",
            "/flow_runs/filter": "runs_failed",
            "/task_runs/filter": lambda _: recorded("task_runs")["body"][:1],
            "/logs/filter": "logs",
            NAMED: "deployment",
            f"/deployments/{DEPLOYMENT}": "deployment",
        }
    )


def dbt_cloud() -> Account:
    account = Account()
    account.ran(20)
    account.ran(10)
    return account


def pagerduty() -> httpx.MockTransport:
    user = {"id": "PXPGF42", "name": "Cleo Marsh", "email": "cleo@example.com"}

    def answer(request: httpx.Request) -> httpx.Response:
        whole = {"users": [user]} if request.url.path.endswith("/users") else {"schedules": []}
        return httpx.Response(200, json=whole)

    return httpx.MockTransport(answer)


def opsgenie() -> httpx.MockTransport:
    told = {"_parent": {"enabled": True}, "onCallRecipients": ["cleo@example.com"]}

    def answer(request: httpx.Request) -> httpx.Response:
        one = request.url.path.endswith("/on-calls")
        return httpx.Response(200, json={"data": told if one else [], "took": 0.1})

    return httpx.MockTransport(answer)

"""The questions a dbt Cloud reader answers, one row each. To add one: its parameters, its function, a row."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, JsonValue

from connectors.dbt_cloud import failure, params, runs, tables
from connectors.dbt_cloud.api import Api
from connectors.dbt_cloud.artifacts import Artifacts
from connectors.dbt_cloud.jobs import Jobs

Value = dict[str, JsonValue]


@dataclass(frozen=True, kw_only=True, slots=True)
class Scene:
    """What a question is asked with."""

    api: Api
    jobs: Jobs
    artifacts: Artifacts


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """How one probe is answered, and what is asked for it, for people who want to ask the same."""

    params: type[BaseModel]
    ask: Callable[[Scene, Any], Awaitable[Value]]
    asks: str


_NEWEST = "run_results.json of the newest runs"
QUESTIONS: Mapping[str, Question] = {
    "run_failure": Question(
        params=params.RunFailure,
        ask=lambda s, p: failure.run_failure(s.api, s.jobs, s.artifacts, p),
        asks="runs/{run_id}/ with its steps, and run_results.json of the one that failed",
    ),
    "task_log": Question(
        params=params.TaskLog,
        ask=lambda s, p: failure.task_log(s.api, p),
        asks="runs/{run_id}/ with its steps",
    ),
    "last_success": Question(
        params=params.LastSuccess,
        ask=lambda s, p: runs.last_success(s.api, s.jobs, p),
        asks="runs/?status=10&order_by=-finished_at of {job}",
    ),
    "find_run": Question(
        params=params.FindRun, ask=lambda s, p: runs.find_run(s.api, p), asks="runs/{short}/"
    ),
    "can_run": Question(
        params=params.CanRun, ask=lambda s, p: s.jobs.can_run(p), asks="jobs/?name__icontains={job}"
    ),
    "materialization": Question(
        params=params.Materialization,
        ask=lambda s, p: tables.materialization(s.artifacts, p),
        asks=_NEWEST,
    ),
    "asset_states": Question(
        params=params.AssetStates,
        ask=lambda s, p: tables.asset_states(s.artifacts, p),
        asks=_NEWEST,
    ),
    "asset_check": Question(
        params=params.AssetCheck,
        ask=lambda s, p: tables.asset_check(s.api, s.artifacts, p),
        asks=_NEWEST,
    ),
    "check_history": Question(
        params=params.CheckHistory,
        ask=lambda s, p: tables.check_history(s.api, s.artifacts, p),
        asks=_NEWEST,
    ),
}

"""The questions an Airflow reader answers, one row each. To add one: its parameters, its function, a row."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, JsonValue

from connectors.airflow import assets, dags, expected, failure, logs, params, runs
from connectors.airflow.api import Api
from connectors.airflow.assets import Builds

Value = dict[str, JsonValue]
Ask = Callable[[Api, Any, Builds], Awaitable[Value]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """How one probe is answered, and what is asked for it, for people who want to ask the same."""

    params: type[BaseModel]
    ask: Ask
    asks: str


def _plain(ask: Callable[[Api, Any], Awaitable[Value]]) -> Ask:
    """For answers that need nothing of dw.yml."""
    return lambda api, given, _builds: ask(api, given)


QUESTIONS: Mapping[str, Question] = {
    "run_failure": Question(
        params=params.RunFailure,
        ask=failure.run_failure,
        asks="dagRuns/{run_id}, its taskInstances and the logs of those that failed",
    ),
    "task_log": Question(
        params=params.TaskLog, ask=_plain(logs.task_log), asks="{run_id}/{task}/logs"
    ),
    "last_success": Question(
        params=params.LastSuccess,
        ask=_plain(runs.last_success),
        asks="{job}/dagRuns?state=success&order_by=-end_date&limit=1",
    ),
    "find_run": Question(
        params=params.FindRun, ask=_plain(runs.find_run), asks="{job}/dagRuns by date"
    ),
    "expected": Question(
        params=params.ExpectedRun,
        ask=_plain(expected.expected),
        asks="dags/{job}, its newest run, and the scheduler's health",
    ),
    "can_run": Question(params=params.CanRun, ask=_plain(dags.can_run), asks="dags/{job}/details"),
    "import_errors": Question(
        params=params.ImportErrors, ask=_plain(dags.import_errors), asks="importErrors"
    ),
    "materialization": Question(
        params=params.Materialization,
        ask=assets.materialization,
        asks="the last good run of the DAG that builds {asset}",
    ),
    "asset_states": Question(
        params=params.AssetStates,
        ask=assets.asset_states,
        asks="the last good run of each DAG that builds one of them",
    ),
}

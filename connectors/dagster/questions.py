"""The questions a Dagster reader answers, one row each. To add one: its parameters, its function, a row."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, JsonValue

from connectors.dagster import (
    assets,
    expected,
    failure,
    freshness,
    history,
    params,
    queries,
    readiness,
)
from connectors.dagster.graphql import GraphQL


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """How one probe is answered. `page` is where a person sees the same, below the base URL."""

    params: type[BaseModel]
    ask: Callable[[GraphQL, Any], Awaitable[dict[str, JsonValue]]]
    document: str
    page: str


QUESTIONS: Mapping[str, Question] = {
    "run_failure": Question(
        params=params.RunFailure,
        ask=failure.run_failure,
        document=queries.FAILED_RUN,
        page="/runs/{run_id}",
    ),
    "asset_check": Question(
        params=params.AssetCheck,
        ask=assets.asset_check,
        document=queries.CHECK_RUNS,
        page="/assets/{asset}?view=checks",
    ),
    "check_history": Question(
        params=params.CheckHistory,
        ask=assets.check_history,
        document=queries.CHECK_RUNS,
        page="/assets/{asset}?view=checks",
    ),
    "materialization": Question(
        params=params.Materialization,
        ask=assets.materialization,
        document=queries.MATERIALIZATION,
        page="/assets/{asset}",
    ),
    "freshness": Question(
        params=params.Freshness,
        ask=freshness.freshness,
        document=queries.FRESHNESS,
        page="/assets/{asset}",
    ),
    "asset_states": Question(
        params=params.AssetStates,
        ask=assets.asset_states,
        document=queries.ASSET_STATES,
        page="/assets",
    ),
    "last_success": Question(
        params=params.LastSuccess,
        ask=history.last_success,
        document=queries.LAST_RUN,
        page="/runs",
    ),
    "expected": Question(
        params=params.ExpectedRun,
        ask=expected.expected,
        document=queries.AUTOMATION,
        page="/jobs/{job}",
    ),
    "can_run": Question(
        params=params.CanRun,
        ask=readiness.can_run,
        document=queries.PARTITIONS,
        page="/jobs/{job}",
    ),
    "find_run": Question(
        params=params.FindRun, ask=history.find_run, document=queries.RUN_IDS, page="/runs"
    ),
}

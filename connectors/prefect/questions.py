"""The questions a Prefect reader answers, one row each. To add one: its parameters, its function, a row."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, JsonValue

from connectors.prefect import assets, deployments, expected, failure, history, params
from connectors.prefect.api import Api
from connectors.prefect.failure import Builds
from connectors.prefect.names import Names

Value = dict[str, JsonValue]


@dataclass(frozen=True, kw_only=True, slots=True)
class Scene:
    """What a question is asked with: the door, the names behind ids, and what dw.yml says is built."""

    api: Api
    names: Names
    builds: Builds


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """How one probe is answered, what is asked for it, and the page where a person sees the same."""

    params: type[BaseModel]
    ask: Callable[[Scene, Any], Awaitable[Value]]
    asks: str
    page: str = "/runs"


async def _failure(scene: Scene, given: params.RunFailure) -> Value:
    return await failure.run_failure(scene.api, scene.names, scene.builds, given)


def _plain(ask: Callable[[Api, Any], Awaitable[Value]]) -> Callable[[Scene, Any], Awaitable[Value]]:
    return lambda scene, given: ask(scene.api, given)


def _built(
    ask: Callable[[Api, Any, Builds], Awaitable[Value]],
) -> Callable[[Scene, Any], Awaitable[Value]]:
    return lambda scene, given: ask(scene.api, given, scene.builds)


_RUN_PAGE = "/runs/flow-run/{run_id}"
QUESTIONS: Mapping[str, Question] = {
    "run_failure": Question(
        params=params.RunFailure,
        ask=_failure,
        asks="flow_runs/{run_id} and its task runs that failed",
        page=_RUN_PAGE,
    ),
    "task_log": Question(
        params=params.TaskLog,
        ask=_plain(failure.task_log),
        asks="logs of {run_id}, newest first",
        page=_RUN_PAGE,
    ),
    "last_success": Question(
        params=params.LastSuccess,
        ask=_plain(history.last_success),
        asks="the newest COMPLETED flow run of {job}",
    ),
    "find_run": Question(
        params=params.FindRun,
        ask=_plain(history.find_run),
        asks="flow runs named {short}, or whose id begins so",
    ),
    "expected": Question(
        params=params.ExpectedRun,
        ask=_plain(expected.expected),
        asks="the oldest SCHEDULED flow run of {job}, and its deployment",
        page="/deployments",
    ),
    "can_run": Question(
        params=params.CanRun,
        ask=_plain(deployments.can_run),
        asks="deployments/name/{job}",
        page="/deployments",
    ),
    "materialization": Question(
        params=params.Materialization,
        ask=_built(assets.materialization),
        asks="the newest COMPLETED flow run of the deployment that builds {asset}",
    ),
    "asset_states": Question(
        params=params.AssetStates,
        ask=_built(assets.asset_states),
        asks="the newest COMPLETED flow run of each deployment that builds one of them",
    ),
}

"""Why a flow run failed: the tasks that failed, what they raised, and the errors in its log."""

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from connectors.masking import holds_secret
from connectors.prefect.api import PAGE, Api
from connectors.prefect.history import flow_run
from connectors.prefect.names import Names, parts
from connectors.prefect.params import RunFailure, TaskLog
from connectors.prefect.wire import FAILED, FlowRun, Log, TaskRun, iso

Builds = Mapping[str, Sequence[str]]
_TASKS, _LOGS = "task_runs/filter", "logs/filter"
_MOST_LINES_ASKED = 200
_WIDEST, _LONGEST = 1000, 1000
_NO_WORDS = "it left no words behind; look at its log"


async def run_failure(
    api: Api, names: Names, builds: Builds, params: RunFailure
) -> dict[str, JsonValue]:
    """The value of the probe `run_failure`. `builds` are the assets of the deployments dw.yml names."""
    run = await flow_run(api, params.run_id)
    job = await names.of(run)
    planned: list[JsonValue] = [*builds.get(job, ())]
    return {
        **_about(api, run, job),
        "steps_failed": await _failed(api, run, job),
        "steps_not_run": [],
        "assets_planned": planned,
        "assets_materialized": planned if run.state_type == "COMPLETED" else [],
        "checks": [],
        "error": api.clean(run.message, _LONGEST) if run.state_type in FAILED else None,
    }


async def task_log(api: Api, params: TaskLog) -> dict[str, JsonValue]:
    """The value of the probe `task_log`: the newest lines, oldest first, without secrets."""
    run = await flow_run(api, params.run_id)
    tasks = await _task_runs(api, run, ()) if params.task else []
    named = [each for each in tasks if params.task in (each.name, each.task)]
    wanted = {"level": {"ge_": params.level}, **_written_by(run, params.task, named)}
    body = {"logs": wanted, "sort": "TIMESTAMP_DESC", "limit": params.lines}
    lines = api.models(Log, await api.ask(_LOGS, body)) if named or not params.task else []
    tail: list[JsonValue] = [
        f"{line.timestamp:%H:%M:%S} {api.clean(line.message, _WIDEST)}" for line in reversed(lines)
    ]
    return {"run_id": run.id, "task": params.task, "level": params.level, "tail": tail}


def _written_by(run: FlowRun, task: str | None, named: Sequence[TaskRun]) -> dict[str, JsonValue]:
    """The filter of the log for a whole run, for runs of a task, or for those of a flow that it called."""
    children: list[JsonValue] = [each.child for each in named if each.child]
    if children:
        return {"flow_run_id": {"any_": children}}
    ids: list[JsonValue] = [each.id for each in named]
    of_task: dict[str, JsonValue] = {"task_run_id": {"any_": ids}} if task else {}
    return {"flow_run_id": {"any_": [run.id]}, **of_task}


def _about(api: Api, run: FlowRun, job: str) -> dict[str, JsonValue]:
    withheld = holds_secret(run.parameters)
    return {
        "run_id": run.id,
        "name": run.name,
        "job": job,
        "status": run.state_type,
        "state": run.state_name,
        "partition": run.partition,
        "url": api.address.run(run.id),
        "started_at": iso(run.started),
        "ended_at": iso(run.ended),
        "code_version": run.version,
        "commit": run.commit,
        "conf": None if withheld else run.parameters,
        "conf_withheld": withheld,
    }


async def _failed(api: Api, run: FlowRun, job: str) -> list[JsonValue]:
    """Failed tasks, first of all the one whose exception ended the flow.

    A flow may fail with no failed task, or in spite of one that it caught: then the flow itself is named.
    """
    steps = [
        (task.task, api.clean(task.message, _LONGEST) or _NO_WORDS)
        for task in await _task_runs(api, run, FAILED)
    ]
    if run.state_type in FAILED:
        own = api.clean(run.message, _LONGEST) or _NO_WORDS
        told = [error for _, error in steps]
        if not steps or (run.raised and own not in told):
            steps.insert(0, (parts(job)[0], own))
        elif run.raised:
            steps.sort(key=lambda step: step[1] != own)
    return [{"step": step, "error": error} for step, error in steps]


async def _task_runs(api: Api, run: FlowRun, states: Sequence[str]) -> list[TaskRun]:
    state = {"task_runs": {"state": {"type": {"any_": list(states)}}}} if states else {}
    body = {"flow_runs": {"id": {"any_": [run.id]}}, "sort": "END_TIME_DESC", "limit": PAGE}
    found = api.models(TaskRun, await api.ask(_TASKS, {**body, **state}))
    return sorted(found, key=lambda task: str(task.ended))

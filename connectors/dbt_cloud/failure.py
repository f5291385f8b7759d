"""Why a run failed: the command, the nodes that broke, the tests that said no, and what never ran."""

from collections.abc import Sequence

from pydantic import JsonValue

from connectors.code_ids import commit_in
from connectors.dbt import Outcome, RunResults, outcome_of
from connectors.dbt.results import Checked, asks_manifest
from connectors.dbt_cloud import freshness
from connectors.dbt_cloud.api import Api
from connectors.dbt_cloud.artifacts import Artifacts
from connectors.dbt_cloud.jobs import Jobs
from connectors.dbt_cloud.params import RunFailure, TaskLog
from connectors.dbt_cloud.runs import wire_run
from connectors.dbt_cloud.wire import Step, WireRun, iso
from connectors.errors import Malformed, NotFound

_LONGEST, _WIDEST, _LAST_LINES = 1000, 400, 5
_UNREADABLE = "its run_results.json can't be understood: what is told comes from its log"
_NO_FILE = "it left no run_results.json behind: what is told comes from its log"


async def run_failure(
    api: Api, jobs: Jobs, artifacts: Artifacts, params: RunFailure
) -> dict[str, JsonValue]:
    """The value of the probe `run_failure`."""
    run = await wire_run(api, params.run_id, steps=True)
    failed = [step for step in run.steps or () if step.failed]
    culprit = failed[-1] if run.failed and failed else None
    results, lacks = await _results(artifacts, run, culprit)
    manifest = await artifacts.manifest(run) if results and asks_manifest(results) else None
    outcome = outcome_of(results or RunResults(results=[]), manifest)
    said_no = [_check(api, check) for check in outcome.checks if not check.passed]
    stale = await freshness.stale(api, run, failed, culprit)
    return {
        **_about(api, run, await jobs.of(run)),
        "steps_failed": _failed(api, outcome, None if said_no else culprit, stale),
        "steps_not_run": [*outcome.skipped],
        "assets_planned": [*outcome.planned],
        "assets_materialized": [*outcome.built],
        "checks": [*said_no, *stale],
        "error": api.clean(run.status_message or "", _LONGEST) or None,
        "artifacts": lacks,
    }


async def task_log(api: Api, params: TaskLog) -> dict[str, JsonValue]:
    """The value of the probe `task_log`: the last lines of a step, without secrets."""
    run = await wire_run(api, params.run_id, steps=True)
    wanted = params.task
    steps = [step for step in run.steps or () if _is(step, wanted)]
    if not steps:
        says = f"run {run.id} has no step {wanted or 'that failed'}"
        raise NotFound(says, connection=api.connection)
    tail: list[JsonValue] = [*_tail(api, steps[-1], params.lines)]
    return {"run_id": str(run.id), "task": steps[-1].name, "tail": tail}


def _about(api: Api, run: WireRun, job: str) -> dict[str, JsonValue]:
    told = run.run(api.connection, job, api.address.run(run.project_id, run.id))
    return {
        "run_id": told.id,
        "job": job,
        "status": told.state.value,
        "partition": None,
        "url": told.url,
        "started_at": iso(run.started),
        "ended_at": iso(run.ended),
        "code_version": run.git_sha,
        "commit": commit_in(run.git_sha),
    }


async def _results(
    artifacts: Artifacts, run: WireRun, culprit: Step | None
) -> tuple[RunResults | None, str | None]:
    """Of the step that ended the run, and what is to be said where there is nothing to read.

    The file of the whole run is that of its last step only. A step may fail and the run go on: the last
    one that failed is what ended it.
    """
    if not run.complete or (culprit is not None and freshness.looks_at_sources(culprit)):
        return None, None
    try:
        found = await artifacts.of_step(run, culprit.index if culprit else None)
    except Malformed:
        return None, _UNREADABLE
    return found, None if found or not run.failed else _NO_FILE


def _failed(
    api: Api, outcome: Outcome, culprit: Step | None, stale: Sequence[JsonValue]
) -> list[JsonValue]:
    """The nodes that broke; without any, and without a check that says more, the command's last words."""
    if outcome.broke:
        return [{"step": n, "error": api.clean(says, _LONGEST)} for n, says in outcome.broke]
    if culprit is None or (stale and freshness.looks_at_sources(culprit)):
        return []
    error = "\n".join(_tail(api, culprit, _LAST_LINES)) or None
    return [{"step": culprit.name, "error": error}]


def _check(api: Api, check: Checked) -> JsonValue:
    return {
        "asset": check.asset,
        "check": check.check,
        "passed": check.passed,
        "severity": check.severity,
        "blocking": check.severity == "ERROR",
        "description": api.clean(check.says),
        "metadata": {"failures": check.failures},
    }


def _is(step: Step, wanted: str | None) -> bool:
    return step.failed if wanted is None else wanted in (str(step.index), step.name)


def _tail(api: Api, step: Step, lines: int) -> list[str]:
    said = [line for line in (step.logs or "").splitlines() if line.strip()]
    return [api.clean(line, _WIDEST) for line in said[-lines:]]

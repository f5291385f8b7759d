"""Why a run failed: the tasks that failed with what they raised, those held back, and what its state hides."""

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from connectors.airflow.api import Api
from connectors.airflow.logs import of_instance
from connectors.airflow.pages import run_page
from connectors.airflow.params import RunFailure
from connectors.airflow.runs import instances, wire_run
from connectors.airflow.wire import TaskInstance, WireRun, in_order, iso_or_none, span
from connectors.errors import ConnectorError, Throttled
from connectors.masking import holds_secret

Builds = Mapping[str, Sequence[str]]
_NOT_GREEN = (
    "failed",
    "upstream_failed",
    "up_for_retry",
    "up_for_reschedule",
    "running",
    "queued",
    "restarting",
)
_MOST_TASKS, _MOST_LOGS = 500, 3
_NO_WORDS = "it left no exception behind; look at its log"
_NOBODY = "the run is marked failed although no task of it failed: somebody set it so, or it ran out of time"
_GREEN = "the run ended green all the same: this DAG does not fail with that task"
_ENDED = ("failed", "success")


async def run_failure(api: Api, params: RunFailure, builds: Builds) -> dict[str, JsonValue]:
    """The value of the probe `run_failure`. `builds` are the assets of the DAGs that dw.yml names.

    `Throttled` while the run goes on: a task that failed may be tried again, so nothing is said of it yet.
    """
    wire = await wire_run(api, params.id)
    tasks = in_order(await instances(api, wire.id, _NOT_GREEN, most=_MOST_TASKS))
    if wire.state not in _ENDED:
        raise Throttled(_going(wire, tasks), connection=api.connection)
    failed = [one for one in tasks if one.state == "failed"]
    planned: list[JsonValue] = [*builds.get(wire.dag, ())]
    version = await api.version()
    return {
        **_about(wire),
        "url": run_page(api.base, version, wire.id),
        "airflow": version.text,
        "steps_failed": await _failed(api, wire.id, failed),
        "steps_not_run": _names(tasks, "upstream_failed"),
        "assets_planned": planned,
        "assets_materialized": planned if wire.state == "success" else [],
        "checks": [],
        "error": _hidden(wire, failed),
    }


def _about(wire: WireRun) -> dict[str, JsonValue]:
    conf = wire.conf or {}
    withheld = holds_secret(conf)
    return {
        "run_id": wire.id,
        "job": wire.dag,
        "status": wire.state,
        "partition": wire.partition,
        "started_at": iso_or_none(wire.started),
        "ended_at": iso_or_none(wire.ended),
        "code_version": wire.code_version,
        "commit": wire.commit,
        "logical_date": iso_or_none(wire.logical),
        "interval": span(wire.start, wire.end),
        "conf": None if withheld else conf,
        "conf_withheld": withheld,
    }


async def _failed(api: Api, run_id: str, failed: Sequence[TaskInstance]) -> list[JsonValue]:
    """Each failed task; the first few with what they raised, for each costs the server a log."""
    steps: list[JsonValue] = []
    for number, one in enumerate(failed):
        error = await _error(api, run_id, one) if number < _MOST_LOGS else "see its log"
        steps.append({"step": str(one), "error": error, "tries": one.tries})
    return steps


async def _error(api: Api, run_id: str, one: TaskInstance) -> str:
    """A log that can't be read does not hide the failure itself."""
    try:
        return (await of_instance(api, run_id, one)).error or _NO_WORDS
    except ConnectorError as problem:
        return f"its log could not be read ({problem})"


def _names(tasks: Sequence[TaskInstance], state: str) -> list[JsonValue]:
    return [str(one) for one in tasks if one.state == state]


def _hidden(wire: WireRun, failed: Sequence[TaskInstance]) -> str | None:
    """What the state of the run and the states of its tasks do not say together."""
    if wire.state == "failed":
        return None if failed else _NOBODY
    return _GREEN if failed else None


def _going(wire: WireRun, tasks: Sequence[TaskInstance]) -> str:
    waiting = [str(one) for one in tasks if one.state == "up_for_retry"]
    says = f"run {wire.id} has not ended"
    return f"{says}: {', '.join(waiting)} will be tried again" if waiting else says

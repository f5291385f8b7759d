"""Has the run that a DAG's schedule promises come? And if not, is there a scheduler at all?"""

from datetime import datetime

from pydantic import AwareDatetime, Field, JsonValue

from connectors.airflow.api import Api, Query, runs_of, segment
from connectors.airflow.pages import dag_page
from connectors.airflow.params import ExpectedRun
from connectors.airflow.wire import Dag, Wire, WireRun, iso_or_none
from connectors.errors import ConnectorError

_NEWEST: Query = {"order_by": "-id", "limit": 1}
_RUNNING: Query = {"state": "running", "limit": 1}
_OLD = 2
_PAUSED = "it is paused"


class _Runs(Wire):
    dag_runs: list[WireRun]
    total_entries: int = 0


class _Scheduler(Wire):
    status: str | None = None
    seen: AwareDatetime | None = Field(None, alias="latest_scheduler_heartbeat")


class _Health(Wire):
    scheduler: _Scheduler


async def expected(api: Api, params: ExpectedRun) -> dict[str, JsonValue]:
    """The value of the probe `expected`: `due_at` of the run that has not begun, None when none is missing.

    `held` says why no run is expected at all, `began_at` when the newest one began, `says` what is known of why.
    """
    version = await api.version()
    dag = api.model(Dag, await api.get(f"dags/{segment(params.job)}"))
    newest = await _newest(api, params.job)
    waits = newest if newest and newest.state == "queued" else None
    due = (waits.after or waits.queued) if waits else dag.next_due
    late = due is not None and params.at is not None and due <= params.at
    return {
        "due_at": iso_or_none(due),
        "held": _PAUSED if dag.paused else await _backlog(api, dag) if late else None,
        "partition": waits.partition if waits else dag.next_partition,
        "began_at": iso_or_none(newest.started) if newest else None,
        "says": await _why(api, dag, waits, due, params.at),
        "url": dag_page(api.base, version, params.job),
    }


async def _newest(api: Api, dag: str) -> WireRun | None:
    found = api.model(_Runs, await api.get(runs_of(dag), _NEWEST)).dag_runs
    return found[0] if found else None


async def _backlog(api: Api, dag: Dag) -> str | None:
    """As many of its runs are running as may be at once: the next waits for them, and nothing is broken."""
    if dag.most is None:
        return None
    running = api.model(_Runs, await api.get(runs_of(dag.dag), _RUNNING)).total_entries
    if running < dag.most:
        return None
    return f"{running} of its runs are running, as many as may at once; the next waits for them"


async def _why(
    api: Api, dag: Dag, waits: WireRun | None, due: datetime | None, at: datetime | None
) -> str:
    """What is in the way: only looked for when something may be."""
    if due is None or dag.paused or (at is not None and due > at):
        return ""
    told = [f"run {waits.run_id} is queued"] if waits else []
    told += [trouble] if (trouble := dag.trouble()) else []
    return "; ".join([*told, await _scheduler(api)])


async def _scheduler(api: Api) -> str:
    old = (await api.version()).major == _OLD
    try:
        answer = await api.get("health" if old else "monitor/health")
    except ConnectorError as problem:
        return f"whether its scheduler is alive could not be read ({problem})"
    scheduler = api.model(_Health, answer).scheduler
    seen = f", last sign at {scheduler.seen:%Y-%m-%d %H:%M} UTC" if scheduler.seen else ""
    return f"Airflow calls its scheduler {scheduler.status or 'unknown'}{seen}"

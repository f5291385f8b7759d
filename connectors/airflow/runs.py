"""Runs: one, those since a moment (a bounded number of requests however many DAGs there are), the last good one."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count

from pydantic import JsonValue

from connectors.airflow.answers import Version
from connectors.airflow.api import Api, Query, runs_of, segment
from connectors.airflow.pages import run_page
from connectors.airflow.params import FindRun, LastSuccess
from connectors.airflow.wire import Dag, TaskInstance, Wire, WireRun, iso, iso_or_none
from connectors.base import not_too_many
from connectors.errors import NoSuch, TooSlow
from policies.run import Run, RunState

PAGE, _MOST_PAGES = 100, 50
ALL_DAGS = "~"
_NEARLY = timedelta(seconds=2)
_LOOKED_AT = 5


class _Runs(Wire):
    dag_runs: list[WireRun]
    total_entries: int = 0


class _Instances(Wire):
    task_instances: list[TaskInstance]


def path_of(run_id: str) -> str:
    """Where a run is, by `dag/run id`."""
    dag, _, run = run_id.partition("/")
    return f"{runs_of(dag)}/{segment(run)}"


async def wire_run(api: Api, run_id: str) -> WireRun:
    """One run; `NotFound` when there is none."""
    if "/" not in run_id:
        says = f"a run of Airflow is named dag/run id, and {run_id} is not"
        raise NoSuch(says, connection=api.connection)
    return api.model(WireRun, await api.get(path_of(run_id)))


async def told(api: Api, wire: WireRun) -> Run:
    """In the house's words."""
    return wire.run(api.connection, run_page(api.base, await api.version(), wire.id))


async def instances(
    api: Api, run_id: str, states: Sequence[str], *, most: int = PAGE
) -> list[TaskInstance]:
    """Task instances of a run in any of these states, at most `most` of them."""
    found: list[TaskInstance] = []
    for offset in range(0, most, PAGE):
        query: Query = {"state": list(states), "limit": min(most, PAGE), "offset": offset}
        answer = await api.get(f"{path_of(run_id)}/taskInstances", query)
        page = api.model(_Instances, answer).task_instances
        found += page
        if len(page) < PAGE:
            break
    return found


async def since(
    api: Api, moment: datetime, *, job: str | None, failed_only: bool
) -> Sequence[WireRun]:
    """Failed ones by their end; others by their last change, then by when they were queued or started."""
    if failed_only:
        query: Query = {"state": "failed", "end_date_gte": iso(moment), "order_by": "end_date"}
        return [run async for run in _pages(api, job, query)]
    known = (await api.version()).since(2, 6)
    query = {("updated_at_gte" if known else "start_date_gte"): iso(moment), "order_by": "id"}
    runs = [run async for run in _pages(api, job, query)]
    return [run for run in runs if (run.queued or run.started or moment) >= moment]


async def failed(
    api: Api, since: datetime, until: datetime | None, most: int | None
) -> Sequence[WireRun]:
    """Those that ended then. The first page tells how many there are."""
    end = {"end_date_lte": iso(until)} if until else {}
    query: Query = {"state": "failed", "end_date_gte": iso(since), **end, "order_by": "end_date"}
    return [run async for run in _pages(api, None, query, most)]


async def last_success(api: Api, params: LastSuccess) -> dict[str, JsonValue]:
    """The value of the probe `last_success`; all None when there is none."""
    query: dict[str, str | int] = {"state": "success", "order_by": "-end_date", "limit": 1}
    if params.before:
        query["end_date_lte"] = iso(params.before)
    answer = api.model(_Runs, await api.get(runs_of(params.job), query))
    if not answer.dag_runs:
        return {"run_id": None, "code_version": None, "commit": None, "ended_at": None}
    run = answer.dag_runs[0]
    return {
        "run_id": run.id,
        "code_version": run.code_version,
        "commit": run.commit,
        "ended_at": iso_or_none(run.ended),
        "partition": run.partition,
    }


async def find_run(api: Api, params: FindRun) -> dict[str, JsonValue]:
    """The value of the probe `find_run`. `matches` counts the runs that fit; several are not guessed at."""
    query = _narrowed(await api.version(), params)
    if not query:
        return {"run_id": None, "matches": 0}
    answer = api.model(_Runs, await api.get(runs_of(params.job), {**query, "limit": _LOOKED_AT}))
    found = answer.dag_runs
    return {"run_id": found[0].id if len(found) == 1 else None, "matches": len(found)}


async def with_remarks(api: Api, run: Run) -> Run:
    """The run, with what its state alone hides: why it waits, or that something failed inside a green one."""
    says = ""
    if run.state is RunState.QUEUED:
        says = await _waits(api, run)
    elif run.state is RunState.SUCCEEDED:
        says = await _failed_inside(api, run)
    return replace(run, says=says)


async def _waits(api: Api, run: Run) -> str:
    dag = api.model(Dag, await api.get(f"dags/{segment(run.job)}"))
    when = f"queued since {run.created_at:%H:%M} UTC" if run.created_at else "queued"
    return f"{when}; {dag.trouble()}" if dag.trouble() else when


async def _failed_inside(api: Api, run: Run) -> str:
    failed = await instances(api, run.id, ["failed"], most=_LOOKED_AT)
    names = ", ".join(str(one) for one in failed if one.state == "failed")
    return f"the run is green although {names} failed in it" if names else ""


def _narrowed(version: Version, params: FindRun) -> dict[str, str]:
    logical = "execution_date" if version.major == 2 else "logical_date"  # noqa: PLR2004 - Airflow 2
    query: dict[str, str] = {}
    told = (
        (logical, params.logical_date),
        ("start_date", params.started_at),
        ("end_date", params.ended_at),
    )
    for name, at in told:
        slack = timedelta() if name == logical else _NEARLY
        if at is not None:
            query |= {f"{name}_gte": iso(at - slack), f"{name}_lte": iso(at + slack)}
    return query


async def _pages(
    api: Api, job: str | None, query: Query, most: int | None = None
) -> AsyncIterator[WireRun]:
    """Page after page, ascending, so that what is added meanwhile comes last; each run once."""
    seen: set[str] = set()
    for page in count():
        if page == _MOST_PAGES:
            says = f"more than {PAGE * _MOST_PAGES} runs fit; ask for a shorter time"
            raise TooSlow(says, connection=api.connection)
        asked = {**query, "limit": PAGE, "offset": page * PAGE}
        answer = api.model(_Runs, await api.get(runs_of(job or ALL_DAGS), asked))
        not_too_many(answer.dag_runs, answer.total_entries, most, api.connection)
        for run in answer.dag_runs:
            if run.id not in seen:
                seen.add(run.id)
                yield run
        if len(answer.dag_runs) < PAGE:
            return

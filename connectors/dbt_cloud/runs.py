"""Runs over time, and one run. Newest first by its number or its end; the server gives no cursor."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from datetime import datetime

from pydantic import JsonValue

from connectors.base import not_too_many
from connectors.code_ids import commit_in
from connectors.dbt_cloud.api import PAGE, Api
from connectors.dbt_cloud.jobs import Jobs
from connectors.dbt_cloud.params import FindRun, LastSuccess
from connectors.dbt_cloud.wire import WireRun, iso
from connectors.errors import NoSuch, TooSlow

Query = Mapping[str, str | int]
WITH_TRIGGER = '["trigger","job"]'
_WITH_STEPS = '["trigger","job","run_steps"]'
_FAILED: Query = {"status": 20, "order_by": "-finished_at"}
_GOOD: Query = {"status": 10, "order_by": "-finished_at"}
_MOST_PAGES = 100


async def wire_run(api: Api, run_id: str, *, steps: bool = False) -> WireRun:
    """One run; `NotFound` when there is none, or when this can't be the number of one."""
    if not run_id.isdecimal():
        raise NoSuch(
            f"{run_id[:60]!r} is no number of a run; nothing was asked", connection=api.connection
        )
    related = _WITH_STEPS if steps else WITH_TRIGGER
    return api.model(WireRun, await api.get(f"runs/{run_id}", {"include_related": related}))


async def failed_since(api: Api, jobs: Jobs, since: datetime, job: str | None) -> list[WireRun]:
    """Runs that ended badly since then, oldest first."""
    of_job = await only(jobs, job)
    return await _since(api, {**_FAILED, **of_job}, since, lambda run: run.ended)


async def failed_between(
    api: Api, since: datetime, until: datetime | None, most: int | None
) -> list[WireRun]:
    """Those that ended then, oldest first. No count is told, so they are read until they are too many.

    What is asked for only narrows: a server that leaves it unread is read to the same end, in more pages.
    """
    times = json.dumps([since.isoformat(), until.isoformat()]) if until else None
    query = {**_FAILED, **({"finished_at__range": times} if times else {})}
    return await _since(api, query, since, lambda run: run.ended, until=until, most=most)


async def begun_since(api: Api, jobs: Jobs, since: datetime, job: str | None) -> list[WireRun]:
    """Runs created since then, oldest first."""
    of_job = await only(jobs, job)
    return await _since(api, {"order_by": "-id", **of_job}, since, lambda run: run.created)


async def last_success(api: Api, jobs: Jobs, params: LastSuccess) -> dict[str, JsonValue]:
    """The value of the probe `last_success`; all None when there is none. The code is told by its commit."""
    async for page in pages(api, {**_GOOD, **await only(jobs, params.job)}):
        for run in page:
            if params.before is None or (run.ended and run.ended < params.before):
                return {
                    "run_id": str(run.id),
                    "code_version": run.git_sha,
                    "commit": commit_in(run.git_sha),
                    "ended_at": iso(run.ended),
                }
    return {"run_id": None, "code_version": None, "commit": None, "ended_at": None}


async def find_run(api: Api, params: FindRun) -> dict[str, JsonValue]:
    """The value of the probe `find_run`."""
    try:
        run = await wire_run(api, params.short)
    except NoSuch:
        return {"run_id": None, "matches": 0}
    return {"run_id": str(run.id), "matches": 1}


async def only(jobs: Jobs, job: str | None) -> Query:
    """The filter for the runs of one job."""
    return {"job_definition_id": (await jobs.locate(job)).id} if job else {}


async def pages(api: Api, query: Query) -> AsyncIterator[list[WireRun]]:
    """All pages. A run that starts meanwhile shifts the rest: one may come twice, none is missed."""
    for number in range(_MOST_PAGES):
        paged = {"include_related": WITH_TRIGGER, "limit": PAGE, "offset": number * PAGE, **query}
        page = api.models(WireRun, await api.get("runs", paged))
        yield page
        if len(page) < PAGE:
            return
    says = f"more than {PAGE * _MOST_PAGES} runs fit; ask for a shorter time"
    raise TooSlow(says, connection=api.connection)


async def _since(
    api: Api,
    query: Query,
    since: datetime,
    at: Callable[[WireRun], datetime | None],
    *,
    until: datetime | None = None,
    most: int | None = None,
) -> list[WireRun]:
    found: dict[int, WireRun] = {}
    async for page in pages(api, query):
        for run in page:
            when = at(run)
            if when is not None and since <= when and (until is None or when <= until):
                found[run.id] = run
        not_too_many((), len(found), most, api.connection)
        last = at(page[-1]) if page else None
        if last is not None and last < since:
            break
    return [found[key] for key in sorted(found)]

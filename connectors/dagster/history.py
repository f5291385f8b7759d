"""Runs over time. Dagster gives no cursor back, and an unknown one ends a listing without a word."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Any

from pydantic import JsonValue

from connectors.base import not_too_many
from connectors.dagster import queries
from connectors.dagster.graphql import GraphQL
from connectors.dagster.params import FindRun, LastSuccess
from connectors.dagster.wire import (
    LOCATION_TAG,
    PARTITION_TAG,
    RANGE_END_TAG,
    RANGE_START_TAG,
    Versioned,
    Wire,
    WireRun,
    iso,
)
from connectors.errors import Broken, TooSlow

PAGE = 25  # each run of a page costs the server a look into its events
_MOST_PAGES, _ROUNDS = 200, 3
_ID_PAGE, _MOST_ID_PAGES = 500, 4

Filter = dict[str, JsonValue]


class _Runs(Wire):
    count: int
    results: list[WireRun]


class _Ids(Wire):
    results: list[str]


class _Last(Wire):
    results: list[Versioned]


def since_filter(since: datetime, *, job: str | None, failed_only: bool) -> Filter:
    """Created since then; failures by their last change, so that a long run that fails is not missed.

    Seconds, not milliseconds: those are a year the server can't count to.
    """
    when = since.timestamp()
    base: Filter = (
        {"statuses": ["FAILURE"], "updatedAfter": when} if failed_only else {"createdAfter": when}
    )
    return base | ({"pipelineName": job} if job else {})


def partition_filters(base: Filter, partition: str | None) -> list[Filter]:
    """A partition is told by one tag, or by a range of one when a backfill ran it in a single run."""
    if partition is None:
        return [base]
    ranged: list[JsonValue] = [
        {"key": RANGE_START_TAG, "value": partition},
        {"key": RANGE_END_TAG, "value": partition},
    ]
    return [base | {"tags": [{"key": PARTITION_TAG, "value": partition}]}, base | {"tags": ranged}]


async def all_runs(
    graphql: GraphQL, wanted: Filter, *, page_size: int = PAGE, most: int | None = None
) -> Sequence[WireRun]:
    """Every run that fits, oldest first; `TooMany` when the first page counts more than `most`.

    The cursor is the last run of a page. When that run is deleted meanwhile the next page is empty,
    and fewer are found than the first page counted: then it starts over and keeps what it has.
    """
    found: dict[str, WireRun] = {}
    for _ in range(_ROUNDS):
        counted: int | None = None
        async for page in _pages(graphql, wanted, page_size):
            not_too_many(page.results, page.count, most, graphql.connection)
            found |= {run.run_id: run for run in page.results}
            counted = page.count if counted is None else counted
        if len(found) >= (counted or 0):
            return sorted(found.values(), key=lambda run: (run.created or 0, run.run_id))
    says = "the list of runs changed each time it was read; nothing is left out silently"
    raise Broken(says, connection=graphql.connection)


async def last_success(graphql: GraphQL, params: LastSuccess) -> dict[str, JsonValue]:
    """The value of the probe `last_success`; all None when there is none."""
    wanted: Filter = {"pipelineName": params.job, "statuses": ["SUCCESS"]}
    where = graphql.locations.get(params.job)
    if where:  # another location may have a job of this name
        wanted["tags"] = [{"key": LOCATION_TAG, "value": where}]
    if params.before:
        wanted["createdBefore"] = params.before.timestamp()
    data = await graphql.read(queries.LAST_RUN, filter=wanted)
    answer = graphql.wanted(data.get("runsOrError"), "Runs")
    runs = graphql.model(_Last, answer).results
    if not runs:
        return {"run_id": None, "code_version": None, "commit": None, "ended_at": None}
    last = runs[0]
    return {
        "run_id": last.run_id,
        "code_version": last.code_version(),
        "commit": last.commit(),
        "ended_at": iso(last.ended),
    }


async def find_run(graphql: GraphQL, params: FindRun) -> dict[str, JsonValue]:
    """The value of the probe `find_run`, among the newest runs. `matches` counts those that begin so."""
    found: set[str] = set()
    cursor: str | None = None
    for _ in range(_MOST_ID_PAGES):
        data = await graphql.read(queries.RUN_IDS, cursor=cursor, limit=_ID_PAGE)
        answer = graphql.wanted(data.get("runIdsOrError"), "RunIds")
        ids = graphql.model(_Ids, answer).results
        found |= {run_id for run_id in ids if run_id.startswith(params.short)}
        if len(ids) < _ID_PAGE:
            break
        cursor = ids[-1]
    return {"run_id": next(iter(found)) if len(found) == 1 else None, "matches": len(found)}


async def _pages(graphql: GraphQL, wanted: Filter, size: int) -> AsyncIterator[_Runs]:
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        data: Any = await graphql.read(queries.RUNS, filter=wanted, cursor=cursor, limit=size)
        page = graphql.model(_Runs, graphql.wanted(data.get("runsOrError"), "Runs"))
        yield page
        if len(page.results) < size:
            return
        cursor = page.results[-1].run_id
    says = f"more than {size * _MOST_PAGES} runs fit; ask for a shorter time"
    raise TooSlow(says, connection=graphql.connection)

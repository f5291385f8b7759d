"""Runs over time. A list may change while it is read, so a page begins where the last one ended in time."""

import re
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import JsonValue

from connectors.base import not_too_many
from connectors.errors import NoSuch, TooSlow
from connectors.prefect.api import PAGE, Api
from connectors.prefect.names import only
from connectors.prefect.params import FindRun, LastSuccess
from connectors.prefect.wire import FAILED, FlowRun, iso

RUNS = "flow_runs/filter"
Filter = Mapping[str, Any]
_MOST_PAGES = 200
_LOOK_BACK_PAGES = 5
_BADLY = {"state": {"type": {"any_": list(FAILED)}}}
_BEGUN = ("RUNNING", "COMPLETED", "CANCELLED", "PAUSED", "CANCELLING", *FAILED)
_PREFIX = re.compile(r"^[0-9a-f]{4,8}(?:-[0-9a-f-]{0,28})?$")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Order:
    """By which time runs are listed, newest first, and how a filter and a run name that time."""

    sort: str
    filter: str
    attribute: str

    def at(self, run: FlowRun) -> datetime | None:
        found: datetime | None = getattr(run, self.attribute)
        return found


_ENDED = _Order(sort="END_TIME_DESC", filter="end_time", attribute="ended")
_EXPECTED = _Order(
    sort="EXPECTED_START_TIME_DESC", filter="expected_start_time", attribute="expected"
)


async def flow_run(api: Api, run_id: str) -> FlowRun:
    """One run; `NotFound` when there is none, or when this can't be the id of one."""
    try:
        UUID(run_id)
    except ValueError:
        says = f"{run_id[:60]!r} is no id of a flow run; nothing was asked"
    else:
        return api.model(FlowRun, await api.get(f"flow_runs/{run_id}"))
    raise NoSuch(says, connection=api.connection)


async def failed_since(api: Api, since: datetime, job: str | None) -> list[FlowRun]:
    """Runs that failed or crashed and ended since then, oldest first.

    By the type of their state: its name is free text. Unfiltered lists are cut off by the server and
    lose failures.
    """
    return _outer(await _since(api, since, _ENDED, _BADLY, job))


async def failed_between(
    api: Api, since: datetime, until: datetime | None, most: int | None
) -> list[FlowRun]:
    """Those that ended then, oldest first. They are counted before they are read, where that matters."""
    end = {"before_": until.isoformat()} if until else {}
    body = {"flow_runs": {**_BADLY, "end_time": {"after_": since.isoformat(), **end}}}
    if most is not None:
        count = int(await api.ask("flow_runs/count", body))
        not_too_many((), count, most, api.connection)
    return _outer(await _listed(api, body, _ENDED))


def _outer(runs: Sequence[FlowRun]) -> list[FlowRun]:
    """Without flows that a flow called: what they mean to it, a retry or a catch, its own state tells.

    Not asked for so, as Prefect can't leave out these and keep runs of deployments that a flow started.
    """
    return [run for run in runs if not run.inner]


async def begun_since(api: Api, since: datetime, job: str | None) -> list[FlowRun]:
    """Runs of any state that came to be since then, oldest first; not those that wait for their hour.

    Prefect can't be asked for the time a run was created: what is to start since then holds them all.
    """
    found = await _since(api, since, _EXPECTED, {}, job)
    return [run for run in found if not run.to_come and (run.began is None or run.began >= since)]


async def last_success(api: Api, params: LastSuccess) -> dict[str, JsonValue]:
    """The value of the probe `last_success`; all None when there is none."""
    ended = {"end_time": {"before_": params.before.isoformat()}} if params.before else {}
    last = await newest(api, params.job, ended)
    if last is None:
        return {"run_id": None, "code_version": None, "commit": None, "ended_at": None}
    return {
        "run_id": last.id,
        "code_version": last.version,
        "commit": last.commit,
        "ended_at": iso(last.ended),
    }


async def newest(api: Api, job: str, wanted: Filter) -> FlowRun | None:
    """The last good run of a deployment, or None."""
    good = {"state": {"type": {"any_": ["COMPLETED"]}}, **wanted}
    body = {"sort": "END_TIME_DESC", "limit": 1, "flow_runs": good, **only(job)}
    found = api.models(FlowRun, await api.ask(RUNS, body))
    return found[0] if found else None


async def begun(api: Api, job: str) -> FlowRun | None:
    """The newest run of a deployment that has begun, whatever came of it."""
    states = {"state": {"type": {"any_": list(_BEGUN)}}, "start_time": {"is_null_": False}}
    body = {"sort": "START_TIME_DESC", "limit": 1, "flow_runs": states, **only(job)}
    found = api.models(FlowRun, await api.ask(RUNS, body))
    return found[0] if found else None


async def find_run(api: Api, params: FindRun) -> dict[str, JsonValue]:
    """The value of the probe `find_run`, among the newest runs. `matches` counts those that fit."""
    by_name = {"flow_runs": {"name": {"any_": [params.short]}}, "limit": PAGE}
    found = {run.id for run in api.models(FlowRun, await api.ask(RUNS, by_name))}
    if not found and _PREFIX.match(params.short):
        found = await _beginning(api, params.short)
    return {"run_id": next(iter(found)) if len(found) == 1 else None, "matches": len(found)}


async def _beginning(api: Api, short: str) -> set[str]:
    begun = {"state": {"type": {"any_": list(_BEGUN)}}}
    found: set[str] = set()
    pages = 0
    async for page in _pages(api, {"flow_runs": begun}, _EXPECTED):
        found |= {run.id for run in page if run.id.startswith(short)}
        pages += 1
        if pages == _LOOK_BACK_PAGES:
            break
    return found


async def _since(
    api: Api, since: datetime, order: _Order, wanted: Filter, job: str | None
) -> list[FlowRun]:
    body = {
        "flow_runs": {**wanted, order.filter: {"after_": since.isoformat()}},
        **only(job),
    }
    return await _listed(api, body, order)


async def _listed(api: Api, body: Filter, order: _Order) -> list[FlowRun]:
    found = {run.id: run async for page in _pages(api, body, order) for run in page}
    return sorted(found.values(), key=lambda run: (str(order.at(run)), run.id))


async def _pages(api: Api, body: Filter, order: _Order) -> AsyncIterator[list[FlowRun]]:
    """Newest first. The same run may come twice; none is missed when others come or go meanwhile."""
    last: datetime | None = None
    offset = 0
    for _ in range(_MOST_PAGES):
        asked = {**body, "flow_runs": _until(body["flow_runs"], order, last)}
        paged = {**asked, "sort": order.sort, "limit": PAGE, "offset": offset}
        page = api.models(FlowRun, await api.ask(RUNS, paged))
        yield page
        if len(page) < PAGE:
            return
        end = order.at(page[-1])
        offset = offset + PAGE if end == last else 0  # a whole page of one moment: read on in it
        last = end
    says = f"more than {PAGE * _MOST_PAGES} runs fit; ask for a shorter time"
    raise TooSlow(says, connection=api.connection)


def _until(wanted: Filter, order: _Order, last: datetime | None) -> Filter:
    if last is None:
        return wanted
    return {**wanted, order.filter: {**wanted.get(order.filter, {}), "before_": last.isoformat()}}

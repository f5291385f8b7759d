"""Why a run failed: steps, the exception at the bottom, checks, and what never ran."""

from collections.abc import AsyncIterator, Iterable
from typing import Any

from pydantic import Field, JsonValue

from connectors.dagster import queries
from connectors.dagster.graphql import Data, GraphQL
from connectors.dagster.params import RunFailure
from connectors.dagster.retries import retry_of
from connectors.dagster.wire import (
    LOCATION_TAG,
    Key,
    Metadata,
    PythonError,
    Versioned,
    Wire,
    WireRun,
    iso,
    metadata,
    tag_map,
)
from connectors.errors import TooSlow

_PAGE, _MOST_PAGES = 1000, 100


class _StepStat(Wire):
    step: str = Field(alias="stepKey")
    status: str | None = None


class _Materialized(Wire):
    asset: Key | None = Field(None, alias="assetKey")


class _FailedRun(WireRun, Versioned):
    run_id: str = Field(alias="runId")
    to_execute: list[str] | None = Field(None, alias="stepKeysToExecute")
    stats: list[_StepStat] = Field(default_factory=list, alias="stepStats")
    materialized: list[_Materialized] = Field(default_factory=list, alias="assetMaterializations")

    def steps(self, status: str) -> list[str]:
        return [stat.step for stat in self.stats if stat.status == status]

    def not_run(self) -> list[str]:
        """Dagster says nothing of a step that never ran: it is only missing among the others."""
        ran = {stat.step for stat in self.stats if stat.status != "SKIPPED"}
        return [step for step in self.to_execute or () if step not in ran]

    def written(self) -> list[str]:
        return sorted({str(each.asset) for each in self.materialized if each.asset})


class _Evaluation(Wire):
    check: str = Field(alias="checkName")
    asset: Key = Field(alias="assetKey")
    success: bool
    severity: str
    description: str | None = None
    entries: list[Metadata] = Field(default_factory=list, alias="metadataEntries")


class _Event(Wire):
    kind: str = Field(alias="__typename")
    step: str | None = Field(None, alias="stepKey")
    error: PythonError | None = None
    evaluation: _Evaluation | None = None


class _Page(Wire):
    cursor: str
    more: bool = Field(alias="hasMore")
    events: list[_Event]


class _Check(Wire):
    name: str
    blocking: bool | None = None


class _Checks(Wire):
    checks: list[_Check] = Field(default_factory=list)


class _Checked(Wire):
    asset: Key = Field(alias="assetKey")
    known: _Checks = Field(alias="assetChecksOrError")


async def run_failure(graphql: GraphQL, params: RunFailure) -> dict[str, JsonValue]:
    """The value of the probe `run_failure`."""
    data = await graphql.read(queries.FAILED_RUN, id=params.run_id)
    run = graphql.model(_FailedRun, graphql.wanted(data.get("runOrError"), "Run"))
    events = [event async for event in _events(graphql, params.run_id)]
    evaluations = [event.evaluation for event in events if event.evaluation]
    blocking = await _blocking(graphql, {str(each.asset) for each in evaluations})
    return {
        **_about(graphql, run),
        "steps_failed": _failed(run, events),
        "steps_not_run": [*run.not_run()],
        "assets_planned": [*sorted(str(asset.key) for asset in run.assets)],
        "assets_materialized": [*run.written()],
        "checks": [_check(each, blocking) for each in evaluations],
        "error": next((e.error.root() for e in events if e.error and not e.step), None),
    }


def _about(graphql: GraphQL, wire: _FailedRun) -> dict[str, JsonValue]:
    run, tags = wire.run(graphql.connection, graphql.base), tag_map(wire.tags)
    return {
        "run_id": run.id,
        "job": run.job,
        "status": wire.status,
        "partition": run.partition,
        "url": run.url,
        "started_at": iso(wire.started),
        "ended_at": iso(wire.ended),
        "code_version": wire.code_version(),
        "commit": wire.commit(),
        "location": tags.get(LOCATION_TAG),
        "retry": retry_of(tags),
    }


def _failed(run: _FailedRun, events: Iterable[_Event]) -> list[JsonValue]:
    """Each failed step with its exception; None for a step that died without one."""
    errors = {event.step: event.error.root() for event in events if event.step and event.error}
    return [{"step": step, "error": errors.get(step)} for step in run.steps("FAILURE")]


def _check(each: _Evaluation, blocking: dict[tuple[str, str], bool]) -> JsonValue:
    return {
        "asset": str(each.asset),
        "check": each.check,
        "passed": each.success,
        "severity": each.severity,
        "blocking": blocking.get((str(each.asset), each.check)),
        "description": each.description,
        "metadata": metadata(each.entries),
    }


async def _events(graphql: GraphQL, run_id: str) -> AsyncIterator[_Event]:
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        data: Data = await graphql.read(queries.EVENTS, id=run_id, after=cursor, limit=_PAGE)
        answer: Any = graphql.wanted(data.get("logsForRun"), "EventConnection")
        page = graphql.model(_Page, answer)
        for event in page.events:
            yield event
        if not page.more:
            return
        cursor = page.cursor
    says = (
        f"the log of run {run_id} is longer than {_PAGE * _MOST_PAGES} events; read it in Dagster"
    )
    raise TooSlow(says, connection=graphql.connection)


async def _blocking(graphql: GraphQL, assets: set[str]) -> dict[tuple[str, str], bool]:
    """(asset, check) → whether its failure holds back what is downstream; absent where unknown."""
    if not assets:
        return {}
    keys: list[JsonValue] = [{"path": list(asset.split("/"))} for asset in sorted(assets)]
    data = await graphql.read(queries.CHECKS, keys=keys)
    nodes = graphql.models(_Checked, data.get("assetNodes"))
    return {
        (str(node.asset), check.name): check.blocking
        for node in nodes
        for check in node.known.checks
        if check.blocking is not None
    }

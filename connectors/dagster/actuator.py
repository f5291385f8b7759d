"""Starts named Dagster jobs, each wish once. Dagster has no idempotency key: a tag is ours."""

import asyncio
from collections.abc import Mapping
from typing import Any, ClassVar

import httpx
from pydantic import BaseModel, Field, JsonValue

from connectors.base import Actuator
from connectors.dagster import queries
from connectors.dagster.graphql import GraphQL
from connectors.dagster.wire import PARTITION_TAG, Fault, PythonError, Wire, WireRun
from connectors.dagster.workspace import Place, locate
from connectors.errors import (
    Broken,
    ConnectorError,
    Forbidden,
    Malformed,
    NotFound,
    Rejected,
    Transient,
)
from connectors.http import UNKNOWN, Patience
from connectors.params import Params
from connectors.refusing import no, refusal, unsent
from policies.plan import Step
from policies.run import Run

STEP_TAG, INCIDENT_TAG = "dw/step", "dw/incident"
_MOST_WITH_KEY = 50
_REFUSALS = (
    "RunConflict",
    "InvalidSubsetError",
    "PresetNotFoundError",
    "NoModeProvidedError",
    "ConflictingExecutionParamsError",
)


class RunJob(Params):
    """Which job, for which partition (told by a tag), with which run configuration."""

    job: str
    partition: str | None = None
    config: dict[str, JsonValue] = Field(default_factory=dict)


class _Runs(Wire):
    results: list[WireRun]


class _Started(Wire):
    run: WireRun


class _Invalid(Wire):
    errors: list[Fault]


class DagsterActuator(Actuator):
    """The changing half: one action, and only for the jobs that dw.yml names.

    `jobs` are these; where two code locations have one of that name, each with the one that is meant.
    """

    actions: ClassVar[Mapping[str, type[BaseModel]]] = {"run_job": RunJob}

    def __init__(
        self,
        connection: str,
        url: str,
        token: str | None,
        jobs: frozenset[str] | Mapping[str, str | None],
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        patience: Patience | None = None,
    ) -> None:
        super().__init__(connection)
        self._graphql = GraphQL(
            connection, url, token, writes=True, transport=transport, patience=patience
        )
        self._graphql.locations = jobs if isinstance(jobs, Mapping) else {}
        self._jobs = jobs
        self._one_at_a_time = asyncio.Lock()

    async def find(self, key: str, step: Step) -> Run | None:
        """The run with our tag, or None when there is none.

        Right after a start whose answer was lost, the server may still be busy with it: ask again for a
        while before believing a None. A re-execution inherits our tag, so the one without a parent counts; the oldest, were there two.
        """
        self._named(str(step.params.get("job")))
        wanted: dict[str, JsonValue] = {"tags": [{"key": STEP_TAG, "value": key}]}
        data = await self._graphql.read(
            queries.RUNS, filter=wanted, cursor=None, limit=_MOST_WITH_KEY
        )
        answer = self._graphql.wanted(data.get("runsOrError"), "Runs")
        runs = self._graphql.model(_Runs, answer).results
        runs.sort(key=lambda run: (run.parent is not None, run.created or 0))
        return self._run(runs[0]) if runs else None

    async def close(self) -> None:
        """Let go of the connections."""
        await self._graphql.close()

    async def _act(self, step: Step, params: BaseModel, *, key: str) -> Run:
        wish = RunJob.model_validate(params)
        self._named(wish.job)
        async with self._one_at_a_time:  # between looking and starting, nobody else of ours starts
            found, place = await self._look(wish, key, step)
            return found or await self._launch(wish, place, key)

    async def _look(self, wish: RunJob, key: str, step: Step) -> tuple[Run | None, Place]:
        """What is read before a start. When that fails for a while, nothing was sent: say so."""
        try:
            return await self.find(key, step), await locate(self._graphql, wish.job)
        except Transient as error:
            raise unsent(error) from error

    async def _launch(self, wish: RunJob, place: Place, key: str) -> Run:
        params: dict[str, JsonValue] = {
            "selector": place.selector(),
            "runConfigData": wish.config,
            "executionMetadata": {"tags": _tags(wish, key)},
        }
        try:
            data = await self._graphql.write(queries.LAUNCH, params=params)
        except ConnectorError as error:
            raise refusal(error, wish.job) from error
        try:
            return self._started(data.get("launchRun"), wish.job)
        except Malformed as error:
            raise refusal(error, wish.job) from error

    def _started(self, answer: Any, job: str) -> Run:
        kind = answer.get("__typename") if isinstance(answer, dict) else None
        if kind == "LaunchRunSuccess":
            return self._run(self._graphql.model(_Started, answer).run)
        raise self._refusal(kind, answer, job)

    def _refusal(self, kind: str | None, answer: Any, job: str) -> ConnectorError:
        """Each way to say no, in words for a person. What is not known to be a no counts as unknown."""
        match kind:
            case "RunConfigValidationInvalid":
                errors = self._graphql.model(_Invalid, answer).errors
                why = "; ".join(error.message for error in errors)
                return self._no(Rejected, f"the configuration of {job} is not valid: {why}")
            case "PipelineNotFoundError":
                return self._no(NotFound, f"it knows no job {job} any more")
            case "UnauthorizedError":
                return self._no(Forbidden, "it is read-only, or the token may not start runs")
            case "PythonError":
                why = self._graphql.clean(self._graphql.model(PythonError, answer).root())
                says = f"it stumbled while starting {job}: {why}. {UNKNOWN}"
                return Broken(says, connection=self.connection)
            case _:
                pass
        if kind in _REFUSALS:
            return self._no(Rejected, f"it refused {job}: {answer.get('message')}")
        return Malformed(f"it answered {str(kind)[:60]}", connection=self.connection)

    def _no(self, kind: type[ConnectorError], says: str) -> ConnectorError:
        return no(kind, self._graphql.clean(says), self.connection)

    def _named(self, job: str) -> None:
        if job in self._jobs:
            return
        known = ", ".join(sorted(self._jobs)) or "none"
        says = f"the job {job} is not among those dw.yml lets it run ({known})"
        raise self._no(Rejected, says)

    def _run(self, wire: WireRun) -> Run:
        return wire.run(self.connection, self._graphql.base)


def _tags(wish: RunJob, key: str) -> list[JsonValue]:
    tags = {STEP_TAG: key, INCIDENT_TAG: key.split(":", maxsplit=1)[0]}
    if wish.partition:
        tags[PARTITION_TAG] = wish.partition
    return [{"key": name, "value": value} for name, value in tags.items()]

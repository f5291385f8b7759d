"""Queues runs of named DAGs on Airflow 2, each wish once. For Airflow 3 there is no such thing.

The run id comes from the step's key, so that Airflow itself refuses a second one.
"""

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import httpx
from pydantic import AwareDatetime, BaseModel, Field, JsonValue

from connectors.airflow import runs
from connectors.airflow.answers import Version
from connectors.airflow.api import Api, segment
from connectors.airflow.dags import dated
from connectors.airflow.doors import Door
from connectors.airflow.params import INTERVAL
from connectors.airflow.wire import OURS, Dag, WireRun
from connectors.base import Actuator
from connectors.errors import (
    ConnectorError,
    Forbidden,
    Malformed,
    NoSuch,
    NotFound,
    Rejected,
    Transient,
)
from connectors.http import Answer, Patience
from connectors.params import Params
from connectors.refusing import no, reason, refusal, unsent
from policies.plan import Step
from policies.run import Run, within

_OLD, _CONFLICT, _FORBIDDEN = 2, 409, 403
_ADOPTED = {"dw/adopted": "yes"}


class RunDag(Params):
    """Which DAG, with which configuration, and for which interval: that of the run it `replaces`."""

    job: str
    config: dict[str, JsonValue] = Field(default_factory=dict)
    partition: str | None = None
    interval: str | None = Field(None, pattern=INTERVAL)
    logical_date: AwareDatetime | None = None
    defaults: dict[str, JsonValue] | None = None
    replaces: str | None = None


class AirflowActuator(Actuator):
    """The changing half: one action, only for the DAGs that dw.yml names, and only on Airflow 2."""

    actions: ClassVar[Mapping[str, type[BaseModel]]] = {"run_dag": RunDag}

    def __init__(
        self,
        connection: str,
        url: str,
        door: Door,
        dags: frozenset[str],
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        patience: Patience | None = None,
    ) -> None:
        super().__init__(connection)
        self._api = Api(connection, url, door, dags=dags, transport=transport, patience=patience)
        self._dags = dags
        self._one_at_a_time = asyncio.Lock()

    async def find(self, key: str, step: Step) -> Run | None:
        """The run with our id, or None when Airflow itself says that there is none."""
        dag = str(step.params.get("job"))
        self._named(dag)
        try:
            wire = await runs.wire_run(self._api, within(dag, run_id_of(key)))
        except NoSuch:
            return None
        run = await runs.told(self._api, wire)
        return replace(run, tags=run.tags | _ADOPTED)

    async def close(self) -> None:
        """Let go of the connections."""
        await self._api.close()

    async def _act(self, step: Step, params: BaseModel, *, key: str) -> Run:
        wish = RunDag.model_validate(params)
        async with self._one_at_a_time:  # between looking and queueing, nobody else of ours queues
            found = await self.find(key, step)
            if found is not None:
                return found
            await self._may(wish)
            return await self._queue(wish, step, key)

    async def _may(self, wish: RunDag) -> None:
        try:
            await self._ready(wish)
        except Transient as error:
            raise unsent(error) from error

    async def _queue(self, wish: RunDag, step: Step, key: str) -> Run:
        try:
            answer = await self._api.queue(wish.job, wanted_body(wish, key))
        except ConnectorError as error:
            raise refusal(error, wish.job) from error
        problem = self._api.problem(answer)
        if problem is None:
            return await self._accepted(answer, wish.job)
        if answer.status == _CONFLICT:
            return await self._conflict(wish, step, key)
        raise self._refused(problem, wish.job, answer.status)

    async def _ready(self, wish: RunDag) -> None:
        """Looks once more at what would make a run wait for ever, be refused, or be another run."""
        version = await self._api.version(fresh=True)
        if version.major != _OLD:
            says = f"it is Airflow {version.text} by now: its runs are started by their owner"
            raise self._no(Forbidden, says)
        if wish.interval and not version.since(2, 10):
            raise self._no(Rejected, _too_old(version))
        dag = self._api.model(Dag, await self._api.get(f"dags/{segment(wish.job)}"))
        trouble = dag.trouble()
        if trouble:
            raise self._no(Rejected, f"{wish.job} can't be run: {trouble}")

    def _refused(self, problem: ConnectorError, job: str, status: int) -> ConnectorError:
        if status == _FORBIDDEN:
            says = f"the credential may read {job} but not run it; it needs to create runs and to edit this DAG"
            return self._no(Forbidden, says)
        if isinstance(problem, NotFound):
            says = f"it knows no DAG {job} that can be run ({reason(problem)})"
            return self._no(NotFound, says)
        return refusal(problem, job)

    async def _accepted(self, answer: Answer, job: str) -> Run:
        """It took the run, whatever else it says: an answer that can't be read leaves the outcome open."""
        try:
            return await runs.told(self._api, self._api.model(WireRun, answer.json()))
        except Malformed as error:
            raise refusal(error, job) from error

    async def _conflict(self, wish: RunDag, step: Step, key: str) -> Run:
        """409 says either that our run is there already, or that another holds its logical date."""
        found = await self.find(key, step)
        if found is not None:
            return found
        says = f"another run of {wish.job} holds the logical date this one would have had"
        raise self._no(Rejected, says)

    def _no(self, kind: type[ConnectorError], says: str) -> ConnectorError:
        return no(kind, self._api.clean(says), self.connection)

    def _named(self, dag: str) -> None:
        if dag in self._dags:
            return
        known = ", ".join(sorted(self._dags)) or "none"
        raise self._no(Rejected, f"the DAG {dag} is not among those dw.yml lets it run ({known})")


def run_id_of(key: str) -> str:
    """The run id of a step: the incident, for people, and what makes the step this one and no other."""
    return f"{OURS}{key.partition(':')[0]}__{_mark(key)}"


def _mark(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:12]


def wanted_body(wish: RunDag, key: str) -> dict[str, JsonValue]:
    """What is posted: the same for the same wish and key, each time."""
    body: dict[str, JsonValue] = {"dag_run_id": run_id_of(key), "conf": wish.config}
    if wish.interval:
        beside = int(_mark(key), 16) % 999 + 1  # not every rerun may have the same logical date
        body |= dated(wish.interval, wish.logical_date, beside)
    return body


def _too_old(version: Version) -> str:
    return (
        f"Airflow {version.text} can't be told for which interval a new run is (2.10 and later can), "
        "and a plain run would be for another one"
    )

"""Triggers named dbt Cloud jobs, each wish once. dbt Cloud has no idempotency key: the cause of a run is ours."""

import asyncio
from collections.abc import Mapping
from typing import Any, ClassVar

import httpx
from pydantic import BaseModel

from connectors.base import Actuator
from connectors.dbt_cloud.api import Api
from connectors.dbt_cloud.jobs import Jobs, in_our_words
from connectors.dbt_cloud.runs import pages
from connectors.dbt_cloud.wire import OURS, Job, WireRun
from connectors.errors import ConnectorError, Forbidden, Malformed, Rejected, Transient
from connectors.http import Patience
from connectors.params import Params
from connectors.refusing import no, reason, refusal, unsent
from policies.plan import Step
from policies.run import Run

_LOOK_BACK_PAGES = 3
_ROLE = "A token that may start runs needs Job Admin, or Job Runner, on the project"
_UNTOLD = (
    "it does not tell what triggered its runs, so whether this one runs already can't be known"
)


class RunDbtJob(Params):
    """Which job. It runs as it is set up in dbt Cloud: its commands are never changed."""

    job: str


class DbtCloudActuator(Actuator):
    """The changing half: one action, and only for the jobs that dw.yml names."""

    actions: ClassVar[Mapping[str, type[BaseModel]]] = {"run_dbt_job": RunDbtJob}

    def __init__(
        self,
        connection: str,
        url: str,
        token: str | None,
        jobs: frozenset[str],
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        patience: Patience | None = None,
    ) -> None:
        super().__init__(connection)
        self._api = Api(connection, url, token, writes=True, transport=transport, patience=patience)
        self._jobs = Jobs(self._api)
        self._named_jobs = jobs
        self._one_at_a_time = asyncio.Lock()

    async def find(self, key: str, step: Step) -> Run | None:
        """The run whose cause holds our key, or None when none of the job's newest runs does.

        Right after a start whose answer was lost, the server may still be busy with it: ask again for a
        while before believing a None. Raises `Malformed` when it does not tell causes at all.
        """
        name = str(step.params.get("job"))
        self._named(name)
        found = await self._carrying(key, await self._jobs.locate(name))
        return self._run(found, name) if found else None

    async def close(self) -> None:
        """Let go of the connections."""
        await self._api.close()

    async def _act(self, step: Step, params: BaseModel, *, key: str) -> Run:  # noqa: ARG002 - all of it is in the parameters
        wish = RunDbtJob.model_validate(params)
        async with self._one_at_a_time:  # between looking and starting, nobody else of ours starts
            found, job = await self._look(wish, key)
            return self._run(found, wish.job) if found else await self._trigger(wish, job, key)

    async def _look(self, wish: RunDbtJob, key: str) -> tuple[WireRun | None, Job]:
        """What is read before a start. When that fails for a while, nothing was sent: say so."""
        try:
            job = await self._jobs.locate(wish.job)
            return await self._carrying(key, job), job
        except Transient as error:
            raise unsent(error) from error

    async def _carrying(self, key: str, job: Job) -> WireRun | None:
        """The oldest, were there two: both are of this wish."""
        looked, found = 0, []
        async for page in pages(self._api, {"job_definition_id": job.id, "order_by": "-id"}):
            if page and all(run.trigger is None for run in page):
                raise self._no(Malformed, _UNTOLD)
            found += [run for run in page if run.key == key]
            looked += 1
            if looked == _LOOK_BACK_PAGES:
                break
        return min(found, key=lambda run: run.id, default=None)

    async def _trigger(self, wish: RunDbtJob, job: Job, key: str) -> Run:
        try:
            answer: Any = await self._api.trigger(job.id, {"cause": f"{OURS}{key}"})
            return self._run(self._api.model(WireRun, answer), wish.job)
        except ConnectorError as error:
            raise self._refusal(error, wish.job) from error

    def _refusal(self, error: ConnectorError, job: str) -> ConnectorError:
        if isinstance(error, Forbidden):
            return self._no(Forbidden, f"{reason(error)}. {_ROLE}")
        return refusal(error, job)

    def _run(self, run: WireRun, job: str) -> Run:
        return in_our_words(self._api, run, job)

    def _no(self, kind: type[ConnectorError], says: str) -> ConnectorError:
        return no(kind, self._api.clean(says), self.connection)

    def _named(self, job: str) -> None:
        if job in self._named_jobs:
            return
        known = ", ".join(sorted(self._named_jobs)) or "none"
        raise self._no(Rejected, f"the job {job} is not among those dw.yml lets it run ({known})")

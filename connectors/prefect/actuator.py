"""Creates runs of named Prefect deployments, each wish once: Prefect itself keeps the key of a run.

It keeps it for the whole flow, not for the deployment: what comes back must be looked at.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, ClassVar

import httpx
from pydantic import BaseModel, Field, JsonValue

from connectors.base import Actuator
from connectors.errors import ConnectorError, NotFound, Rejected, Transient
from connectors.http import Patience
from connectors.params import Params
from connectors.prefect.api import Api
from connectors.prefect.deployments import held, locate, unfit
from connectors.prefect.history import RUNS
from connectors.prefect.names import Names, in_our_words
from connectors.prefect.wire import INCIDENT_TAG, PARTITION_TAG, STEP_TAG, Deployment, FlowRun
from connectors.refusing import no, reason, refusal, unsent
from policies.plan import Step
from policies.run import Run


class RunDeployment(Params):
    """Which deployment (`flow/deployment`), with which parameters; the partition must be among them."""

    job: str
    config: dict[str, JsonValue] = Field(default_factory=dict)
    partition: str | None = None


class PrefectActuator(Actuator):
    """The changing half: one action, and only for the deployments that dw.yml names."""

    actions: ClassVar[Mapping[str, type[BaseModel]]] = {"run_deployment": RunDeployment}

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
        self._names = Names(self._api)
        self._jobs = jobs
        self._one_at_a_time = asyncio.Lock()

    async def find(self, key: str, step: Step) -> Run | None:
        """The run with our key, or None when there is none.

        Right after a start whose answer was lost, the server may still be busy with it: ask again for a
        while before believing a None. Raises `Rejected` when a run of another deployment has the key.
        """
        job = str(step.params.get("job"))
        self._named(job)
        wanted = {"flow_runs": {"idempotency_key": {"any_": [_key(job, key)]}}}
        found = self._api.models(FlowRun, await self._api.ask(RUNS, wanted))
        if not found:
            return None
        [run] = await self._names.told(found[:1])
        if (
            "/" in run.job and run.job != job
        ):  # no slash: its deployment is gone, its key still ours
            raise self._taken(run.job, job)
        return run

    async def close(self) -> None:
        """Let go of the connections."""
        await self._api.close()

    async def _act(self, step: Step, params: BaseModel, *, key: str) -> Run:
        wish = RunDeployment.model_validate(params)
        async with self._one_at_a_time:  # between looking and starting, nobody else of ours starts
            found, deployment = await self._look(wish, key, step)
            return found or await self._create(wish, deployment, key)

    async def _look(
        self, wish: RunDeployment, key: str, step: Step
    ) -> tuple[Run | None, Deployment]:
        """What is read before a start. When that fails for a while, nothing was sent: say so."""
        try:
            found, deployment = await self.find(key, step), await locate(self._api, wish.job)
            why = unfit(deployment, wish.config, wish.partition) or await held(
                self._api, deployment
            )
        except NotFound as unknown:
            raise self._no(NotFound, reason(unknown)) from unknown
        except Transient as error:
            raise unsent(error) from error
        if found is None and why is not None:
            raise self._no(Rejected, f"{wish.job} can't be run: {why}")
        return found, deployment

    async def _create(self, wish: RunDeployment, deployment: Deployment, key: str) -> Run:
        try:
            answer = await self._api.create_run(deployment.id, _body(wish, key))
            created = self._api.model(FlowRun, answer)
        except ConnectorError as error:
            raise refusal(error, wish.job) from error
        if created.deployment_id != deployment.id:
            raise self._taken(await self._job_of(created), wish.job)
        return in_our_words(self._api, created, wish.job)

    async def _job_of(self, run: FlowRun) -> str:
        """For words only: when it can't be read, the run itself is named."""
        try:
            return await self._names.of(run)
        except ConnectorError:
            return f"run {run.id}"

    def _taken(self, other: str, job: str) -> ConnectorError:
        says = (
            f"its key for this step of {job} is held by a run of {other}: Prefect keeps a key once for a "
            "whole flow, and somebody used this one elsewhere"
        )
        return self._no(Rejected, says)

    def _no(self, kind: type[ConnectorError], says: str) -> ConnectorError:
        return no(kind, self._api.clean(says), self.connection)

    def _named(self, job: str) -> None:
        if job in self._jobs:
            return
        known = ", ".join(sorted(self._jobs)) or "none"
        says = f"the deployment {job} is not among those dw.yml lets it run ({known})"
        raise self._no(Rejected, says)


def _key(job: str, key: str) -> str:
    """The deployment by its name: it stays the same when it is made anew, its id does not."""
    return f"dw:{job}:{key}"


def _body(wish: RunDeployment, key: str) -> dict[str, Any]:
    incident = key.split(":", maxsplit=1)[0]
    tags = {STEP_TAG: key, INCIDENT_TAG: incident, PARTITION_TAG: wish.partition}
    return {
        "name": key,
        "state": {"type": "SCHEDULED", "message": f"asked for by {incident}"},
        "parameters": wish.config,
        "tags": [f"{name}={value}" for name, value in tags.items() if value],
        "idempotency_key": _key(wish.job, key),
    }

"""Looks at Prefect: runs, tasks, logs, deployments. Its client can't create a run."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, ClassVar

import httpx
from pydantic import BaseModel

from connectors.base import Health, Orchestrator
from connectors.errors import NotFound
from connectors.http import Patience
from connectors.prefect import deployments, history
from connectors.prefect.api import Api
from connectors.prefect.failure import Builds
from connectors.prefect.names import Names
from connectors.prefect.questions import QUESTIONS, Scene
from policies.evidence import Evidence, Probe
from policies.lineage import Lineage
from policies.run import Run, RunState


class PrefectReader(Orchestrator):
    """The reading half. `token` is `user:password`, or an API key of Prefect Cloud; a server may need none.

    `builds` are the assets that dw.yml says a deployment builds.
    """

    probes: ClassVar[Mapping[str, type[BaseModel]]] = {
        name: question.params for name, question in QUESTIONS.items()
    }

    def __init__(
        self,
        connection: str,
        url: str,
        token: str | None = None,
        *,
        builds: Builds | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        patience: Patience | None = None,
    ) -> None:
        super().__init__(connection)
        self._api = Api(connection, url, token, transport=transport, patience=patience)
        self._scene = Scene(api=self._api, names=Names(self._api), builds=builds or {})

    async def ping(self) -> Health:
        """Version, and whether runs may be read. `/health` would say yes to a wrong login too."""
        try:
            version = self._api.plain(str, await self._api.get("admin/version"))
        except NotFound:
            version = "Prefect Cloud"
        count = self._api.plain(int, await self._api.ask("flow_runs/count", {}))
        return Health(version=self._api.clean(version, 60), says=f"{count} flow runs may be read")

    async def run(self, run_id: str) -> Run:
        """One run as it stands; `NotFound` when there is none."""
        wire = await history.flow_run(self._api, run_id)
        [run] = await self._scene.names.told([wire])
        if run.state is not RunState.QUEUED:
            return run
        return replace(run, says=await deployments.waiting(self._api, run, wire.deployment_id))

    async def runs_since(
        self,
        since: datetime,
        *,
        job: str | None = None,
        partition: str | None = None,
        failed_only: bool = False,
    ) -> Sequence[Run]:
        """Runs begun (or, with `failed_only`, ended badly) since then, oldest first, all pages.

        Prefect knows no partitions: with one, only runs that our tag says are about it.
        """
        look = history.failed_since if failed_only else history.begun_since
        runs = await self._scene.names.told(await look(self._api, since, job))
        return [run for run in runs if partition in (None, run.partition)]

    async def failed_between(
        self, since: datetime, until: datetime | None = None, *, most: int | None = None
    ) -> Sequence[Run]:
        """Runs that failed then, oldest first; `TooMany` when more than `most` did."""
        found = await history.failed_between(self._api, since, until, most)
        return await self._scene.names.told(found)

    async def lineage(self, asset: str) -> Lineage:  # noqa: ARG002 - there is none to look for
        """Nothing: Prefect does not tell what its flows read and write. See `lineage` in dw.yml."""
        return Lineage()

    async def code_version(self, job: str) -> str | None:
        """The version of the deployment; None for one that was made without."""
        return (await deployments.locate(self._api, job)).version

    async def close(self) -> None:
        """Let go of the connections."""
        await self._api.close()

    async def _read(
        self, probe: Probe, params: BaseModel, *, evidence_id: str, now: datetime
    ) -> Evidence:
        question = QUESTIONS[probe.name]
        told: dict[str, Any] = params.model_dump(mode="json", exclude_none=True)
        page = question.page.format_map(told)
        return Evidence(
            id=evidence_id,
            probe=probe,
            at=now,
            value=await question.ask(self._scene, params),
            query=f"{question.asks.format_map(told)} {json.dumps(dict(probe.params), sort_keys=True)}",
            link=f"{self._api.address.pages}{page}",
        )

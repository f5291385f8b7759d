"""Looks at dbt Cloud: runs, steps, jobs, and the files that runs leave behind. Its client can't trigger a run."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import ClassVar

import httpx
from pydantic import BaseModel

from connectors.base import Health, Orchestrator
from connectors.dbt_cloud import runs
from connectors.dbt_cloud.api import Api
from connectors.dbt_cloud.artifacts import WAITS, Artifacts
from connectors.dbt_cloud.jobs import Jobs
from connectors.dbt_cloud.questions import QUESTIONS, Scene
from connectors.dbt_cloud.wire import Wire, WireRun
from connectors.http import Patience
from policies.evidence import Evidence, Probe
from policies.lineage import Lineage
from policies.run import Run


class _Account(Wire):
    id: int
    name: str = ""


class DbtCloudReader(Orchestrator):
    """The reading half. `url` holds the account; `token` is a service token that may read jobs."""

    probes: ClassVar[Mapping[str, type[BaseModel]]] = {
        name: question.params for name, question in QUESTIONS.items()
    }

    def __init__(
        self,
        connection: str,
        url: str,
        token: str | None = None,
        *,
        waits: Sequence[float] = WAITS,
        transport: httpx.AsyncBaseTransport | None = None,
        patience: Patience | None = None,
    ) -> None:
        super().__init__(connection)
        self._api = Api(connection, url, token, transport=transport, patience=patience)
        self._jobs = Jobs(self._api)
        self._scene = Scene(api=self._api, jobs=self._jobs, artifacts=Artifacts(self._api, waits))

    async def ping(self) -> Health:
        """The account, and that its runs may be read. The API tells no version but its own."""
        account = self._api.model(_Account, await self._api.get(""))
        newest = await self._api.get("runs", {"limit": 1, "order_by": "-id"})
        self._api.models(WireRun, newest)
        name = self._api.clean(account.name, 100) or "without a name"
        return Health(version="API v2", says=f"account {name}")

    async def run(self, run_id: str) -> Run:
        """One run as it stands; `NotFound` when there is none."""
        [run] = await self._jobs.told([await runs.wire_run(self._api, run_id)])
        return run

    async def runs_since(
        self,
        since: datetime,
        *,
        job: str | None = None,
        partition: str | None = None,
        failed_only: bool = False,
    ) -> Sequence[Run]:
        """Runs created (or, with `failed_only`, ended badly) since then, oldest first, all pages.

        dbt knows no partitions: with one, there are none.
        """
        if partition is not None:
            return []
        look = runs.failed_since if failed_only else runs.begun_since
        return await self._jobs.told(await look(self._api, self._jobs, since, job))

    async def failed_between(
        self, since: datetime, until: datetime | None = None, *, most: int | None = None
    ) -> Sequence[Run]:
        """Runs that ended badly then, oldest first; `TooMany` as soon as more than `most` did."""
        found = await runs.failed_between(self._api, since, until, most)
        return await self._jobs.told(found)

    async def lineage(self, asset: str) -> Lineage:  # noqa: ARG002 - the manifest in dw.yml tells it
        """Nothing: a manifest may be 70 MB, so it is read from a file. See `lineage` in dw.yml."""
        return Lineage()

    async def code_version(self, job: str) -> str | None:  # noqa: ARG002 - there is none to tell
        """None: dbt Cloud tells the commit of a run only once it has begun."""
        return None

    async def close(self) -> None:
        """Let go of the connections."""
        await self._api.close()

    async def _read(
        self, probe: Probe, params: BaseModel, *, evidence_id: str, now: datetime
    ) -> Evidence:
        question = QUESTIONS[probe.name]
        value = await question.ask(self._scene, params)
        asked = question.asks.format_map(params.model_dump(mode="json"))
        link = value.get("url") or value.get("link")
        return Evidence(
            id=evidence_id,
            probe=probe,
            at=now,
            value=value,
            query=f"{asked} {json.dumps(dict(probe.params), sort_keys=True)}",
            link=str(link) if link else self._api.address.pages,
        )

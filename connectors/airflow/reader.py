"""Looks at Airflow: runs, tasks, logs. Its client can send GET, and what its login needs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar

import httpx
from pydantic import BaseModel

from connectors.airflow import dags, runs
from connectors.airflow.api import Api, segment
from connectors.airflow.assets import Builds
from connectors.airflow.doors import Door
from connectors.airflow.pages import dag_page, run_page
from connectors.airflow.questions import QUESTIONS
from connectors.airflow.wire import Dag, Wire
from connectors.base import Health, Orchestrator
from connectors.errors import ConnectorError
from connectors.http import Patience
from policies.evidence import Evidence, Probe
from policies.lineage import Lineage
from policies.run import Run


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """What dw.yml says of it: the named DAGs with the assets each builds, and its version."""

    builds: Builds = field(default_factory=dict)
    version: int | None = None


class _Counted(Wire):
    total_entries: int


class AirflowReader(Orchestrator):
    """The reading half."""

    probes: ClassVar[Mapping[str, type[BaseModel]]] = {
        name: question.params for name, question in QUESTIONS.items()
    }

    def __init__(
        self,
        connection: str,
        url: str,
        door: Door,
        *,
        known: Known | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        patience: Patience | None = None,
    ) -> None:
        super().__init__(connection)
        self._api = Api(connection, url, door, transport=transport, patience=patience)
        self._known = known or Known()

    async def ping(self) -> Health:
        """Its version, once a request with our credential was answered; and each named DAG in trouble."""
        version = await self._api.version(fresh=True)
        self._api.model(_Counted, await self._api.get("dags", {"limit": 1}))
        found = [await self._named(dag) for dag in self._known.builds]
        pinned = self._known.version
        other = f"dw.yml says version: {pinned}" if pinned not in (None, version.major) else ""
        says = "; ".join(told for told in (other, *found) if told)
        return Health(version=f"Airflow {version.text}", says=says)

    async def run(self, run_id: str) -> Run:
        """One run as it stands, by `dag/run id`; `NotFound` when there is none."""
        wire = await runs.wire_run(self._api, run_id)
        return await runs.with_remarks(self._api, await runs.told(self._api, wire))

    async def runs_since(
        self,
        since: datetime,
        *,
        job: str | None = None,
        partition: str | None = None,
        failed_only: bool = False,
    ) -> Sequence[Run]:
        """Runs queued or started (or, with `failed_only`, failed) since then, oldest first, all pages."""
        found = await runs.since(self._api, since, job=job, failed_only=failed_only)
        fitting = [wire for wire in found if partition in (None, wire.partition)]
        return [await runs.told(self._api, wire) for wire in fitting]

    async def failed_between(
        self, since: datetime, until: datetime | None = None, *, most: int | None = None
    ) -> Sequence[Run]:
        """Runs that failed then, oldest first; `TooMany` when more than `most` did."""
        found = await runs.failed(self._api, since, until, most)
        return [await runs.told(self._api, wire) for wire in found]

    async def lineage(self, asset: str) -> Lineage:  # noqa: ARG002 - the same for every asset
        """None: what DAGs read and write is told by dw.yml, dbt or notes, not by Airflow."""
        return Lineage()

    async def code_version(self, job: str) -> str | None:
        """The DAG's version (Airflow 3), or a hash of its source (Airflow 2)."""
        return await dags.code_version(self._api, job)

    async def close(self) -> None:
        """Let go of the connections."""
        await self._api.close()

    async def _read(
        self, probe: Probe, params: BaseModel, *, evidence_id: str, now: datetime
    ) -> Evidence:
        question = QUESTIONS[probe.name]
        value = await question.ask(self._api, params, self._known.builds)
        told = {key: str(given) for key, given in probe.params.items()}
        return Evidence(
            id=evidence_id,
            probe=probe,
            at=now,
            value=value,
            query=question.asks.format_map(_Blank(told)),
            link=await self._page(probe),
        )

    async def _page(self, probe: Probe) -> str:
        """The page of the run or DAG that was asked about."""
        version, base = await self._api.version(), self._api.base
        run_id, job = probe.params.get("run_id"), probe.params.get("job")
        if isinstance(run_id, str) and "/" in run_id:
            return run_page(base, version, run_id)
        return dag_page(base, version, job) if isinstance(job, str) else base

    async def _named(self, dag: str) -> str:
        try:
            found = self._api.model(Dag, await self._api.get(f"dags/{segment(dag)}"))
        except ConnectorError as problem:
            return f"{dag}: {problem}"
        return f"{dag}: {found.trouble()}" if found.trouble() else ""


class _Blank(dict[str, str]):
    """Leaves out what a question was not given."""

    def __missing__(self, key: str) -> str:
        return "…"

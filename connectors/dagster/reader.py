"""Looks at Dagster: runs, steps, checks, assets. Its client can't send a mutation."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import ClassVar
from urllib.parse import quote

import httpx
from pydantic import BaseModel

from connectors.base import Health, Orchestrator
from connectors.dagster import assets, history, queries, retries, workspace
from connectors.dagster.daemons import QUEUE, last_sign
from connectors.dagster.graphql import GraphQL, asked
from connectors.dagster.params import CanRun
from connectors.dagster.questions import QUESTIONS
from connectors.dagster.wire import Wire, WireRun
from connectors.errors import Rejected
from connectors.http import Patience
from policies.evidence import Evidence, Probe
from policies.lineage import Lineage
from policies.run import Run, RunState

_LAUNCH_PERMISSION = "launch_pipeline_execution"


class _Permission(Wire):
    permission: str
    value: bool


class _Permissions(Wire):
    permissions: list[_Permission]


class DagsterReader(Orchestrator):
    """The reading half. `token` is only needed for Dagster+, or where a proxy asks for one."""

    probes: ClassVar[Mapping[str, type[BaseModel]]] = {
        name: question.params for name, question in QUESTIONS.items()
    }

    def __init__(
        self,
        connection: str,
        url: str,
        token: str | None = None,
        *,
        locations: Mapping[str, str | None] | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        patience: Patience | None = None,
    ) -> None:
        super().__init__(connection)
        self._graphql = GraphQL(connection, url, token, transport=transport, patience=patience)
        self._graphql.locations = locations or {}

    async def ping(self) -> Health:
        """Version, and whether this server and token let runs be started at all."""
        data = await self._graphql.read(queries.VERSION)
        version = self._graphql.plain(str, data.get("version"))
        return Health(version=self._graphql.clean(version, 60), says=await self._may_launch())

    async def run(self, run_id: str) -> Run:
        """One run as it stands; `NotFound` when there is none."""
        data = await self._graphql.read(queries.RUN, id=run_id)
        wire = self._graphql.model(WireRun, self._graphql.wanted(data.get("runOrError"), "Run"))
        run = wire.run(self.connection, self._graphql.base)
        return await self._queued(run) if run.state is RunState.QUEUED else run

    async def runs_since(
        self,
        since: datetime,
        *,
        job: str | None = None,
        partition: str | None = None,
        failed_only: bool = False,
    ) -> Sequence[Run]:
        """Runs created (or, with `failed_only`, updated) since then, oldest first, all pages."""
        base = history.since_filter(since, job=job, failed_only=failed_only)
        found: dict[str, WireRun] = {}
        for wanted in history.partition_filters(base, partition):
            runs = await history.all_runs(self._graphql, wanted)
            found |= {run.run_id: run for run in runs}
        in_order = sorted(found.values(), key=lambda run: (run.created or 0, run.run_id))
        return [run.run(self.connection, self._graphql.base) for run in in_order]

    async def failed_between(
        self, since: datetime, until: datetime | None = None, *, most: int | None = None
    ) -> Sequence[Run]:
        """Runs that failed then for good, oldest first; `TooMany` when more than `most` failed.

        One that Dagster starts again by itself is left to its retry, unless that never comes.
        """
        wanted = history.since_filter(since, job=None, failed_only=True)
        wanted |= {"updatedBefore": until.timestamp()} if until else {}
        found = retries.told(await history.all_runs(self._graphql, wanted, most=most))
        late = await retries.never_came(self._graphql, since)
        every = {run.run_id: run for run in (*late, *found)}
        return [run.run(self.connection, self._graphql.base) for run in every.values()]

    async def lineage(self, asset: str) -> Lineage:
        """Assets downstream of `asset`, with owners and jobs; `NotFound` for one nobody knows."""
        return await assets.lineage(self._graphql, asset)

    async def code_version(self, job: str) -> str | None:
        """Commit or image of the job's code location, else the snapshot of the job's shape."""
        return await workspace.code_version(self._graphql, job)

    async def close(self) -> None:
        """Let go of the connections."""
        await self._graphql.close()

    async def _read(
        self, probe: Probe, params: BaseModel, *, evidence_id: str, now: datetime
    ) -> Evidence:
        question = QUESTIONS[probe.name]
        if isinstance(params, CanRun):
            params = params.model_copy(update={"at": now})
        page = question.page.format_map({k: quote(str(v)) for k, v in probe.params.items()})
        return Evidence(
            id=evidence_id,
            probe=probe,
            at=now,
            value=await question.ask(self._graphql, params),
            query=asked(question.document, **probe.params),
            link=f"{self._graphql.base}{page}",
        )

    async def _may_launch(self) -> str:
        """Versions differ in whether they tell; not being told is no reason to fail."""
        try:
            data = await self._graphql.read(queries.PERMISSIONS)
        except Rejected:
            return "it does not tell whether runs may be started"
        permissions = self._graphql.model(_Permissions, data).permissions
        may = any(each.permission == _LAUNCH_PERMISSION and each.value for each in permissions)
        return "runs may be started" if may else "read-only: no run may be started here"

    async def _queued(self, run: Run) -> Run:
        """A queued run with what a person wants to know of it: since when, and is anybody there.

        The health that Dagster gives its daemon stays good long after it died; its last sign does not lie.
        """
        since = f"queued since {run.created_at:%H:%M} UTC" if run.created_at else "queued"
        return replace(run, says=f"{since}; {await last_sign(self._graphql, QUEUE)}")

"""Every reader that speaks HTTP, with a server that answers each of its questions well. A new reader is one more row."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import httpx

from connectors.airflow import AirflowReader
from connectors.airflow.doors import Bearer, Door, Password
from connectors.base import Orchestrator, Reader
from connectors.dagster import DagsterReader
from connectors.dbt_cloud import DbtCloudReader
from connectors.http import Patience
from connectors.opsgenie import OpsgenieReader
from connectors.pagerduty import PagerDutyReader
from connectors.prefect import PrefectReader
from policies.evidence import Probe
from tests.connectors.airflow.fake_airflow import KNOWN, Major
from tests.connectors.contract import well
from tests.connectors.contract.shapes import Path

NOW = datetime(2026, 9, 29, 1, tzinfo=UTC)
SINCE = datetime(2026, 1, 1, tzinfo=UTC)
SECRET = "planted-secret"
HURRIED = Patience(whole=2, connect=1, tries=2, pause=0.001, most=300_000)
#: made anew for each test; nobody writes into it
Server = Callable[[], httpx.AsyncBaseTransport]
Ask = Callable[[Reader], Awaitable[object]]
Build = Callable[[str, httpx.AsyncBaseTransport | None, Patience], Reader]


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A reader over HTTP. `questions` holds good parameters for each of its probes.

    `job` is one whose code it can tell. `endures` says of a question in which words it tells that a part of its answer could not be read.
    """

    kind: str
    url: str
    server: Server
    build: Build
    questions: Mapping[str, Mapping[str, Any]]
    envelope: str | None = None
    run: str | None = None
    job: str | None = None
    endures: Mapping[str, str] = field(default_factory=dict)

    def reader(self, transport: httpx.AsyncBaseTransport, patience: Patience = HURRIED) -> Reader:
        return self.build(self.url, transport, patience)

    def spine(self, body: object) -> list[Path]:
        """The places of an answer without which it says nothing: itself, and what its envelope holds."""
        if not isinstance(body, dict) or self.envelope is None:
            return [()]
        inner = body.get(self.envelope)
        below = [(self.envelope, name) for name in inner] if isinstance(inner, dict) else []
        return [(), (self.envelope,), *(below if self.kind == "dagster" else [])]

    def asks(self) -> dict[str, Ask]:
        """Everything that can be asked of it, by name."""
        found: dict[str, Ask] = {"ping": lambda reader: reader.ping()}
        found |= {name: _question(name, params) for name, params in self.questions.items()}
        return found | (_orchestrator(self.run, self.job) if self.run else {})


def _question(name: str, params: Mapping[str, Any]) -> Ask:
    probe = Probe(connection="it", name=name, params=params)

    async def ask(reader: Reader) -> object:
        return (await reader.read(probe, evidence_id="E1", now=NOW)).value

    return ask


def _orchestrator(run: str, job: str | None) -> dict[str, Ask]:
    def runs(reader: Reader) -> Orchestrator:
        assert isinstance(reader, Orchestrator)
        return reader

    found: dict[str, Ask] = {
        "run": lambda reader: runs(reader).run(run),
        "runs_since": lambda reader: runs(reader).runs_since(SINCE, failed_only=True),
        "begun_since": lambda reader: runs(reader).runs_since(SINCE),
    }
    told: dict[str, Ask] = {"code_version": lambda reader: runs(reader).code_version(str(job))}
    return found | (told if job else {})


def _airflow(major: Major) -> Kind:
    door: Door = Password("it", well.AIRFLOW, "ana", SECRET) if major == 2 else Bearer(SECRET)

    def build(url: str, transport: httpx.AsyncBaseTransport | None, patience: Patience) -> Reader:
        return AirflowReader("it", url, door, known=KNOWN, transport=transport, patience=patience)

    return Kind(
        kind="airflow",
        url=well.AIRFLOW,
        server=lambda: well.airflow(major),
        build=build,
        questions=well.OF_AIRFLOW,
        run="usage_billing_daily/story-1",
        job="usage_billing_daily",
        endures={
            "ping": "usage_billing_daily: it:",
            "run_failure": "its log could not be read",
            "expected": "whether its scheduler is alive could not be read",
        },
    )


KINDS: Mapping[str, Kind] = {
    "airflow 2": _airflow(2),
    "airflow 3": _airflow(3),
    "dagster": Kind(
        kind="dagster",
        url=well.DAGSTER,
        server=well.dagster,
        build=lambda url, wire, patience: DagsterReader(
            "it", url, SECRET, transport=wire, patience=patience
        ),
        questions=well.OF_DAGSTER,
        envelope="data",
        run=well.DAGSTER_RUN,
        job="growth_rollups_job",
        endures={
            "ping": "version='x'",
            "expected": "whether its daemon is alive could not be read",
            "run": "whether its daemon is alive could not be read",
        },
    ),
    "prefect": Kind(
        kind="prefect",
        url=well.PREFECT,
        server=well.prefect,
        build=lambda url, wire, patience: PrefectReader(
            "it", url, f"dw:{SECRET}", builds=well.BUILDS, transport=wire, patience=patience
        ),
        questions=well.OF_PREFECT,
        run=well.PREFECT_RUN,
        job="growth-rollups/prod",
        endures={"ping": "version='x'"},
    ),
    "dbt cloud": Kind(
        kind="dbt_cloud",
        url=well.DBT_CLOUD,
        server=well.dbt_cloud,
        build=lambda url, wire, patience: DbtCloudReader(
            "it", url, SECRET, waits=(0,), transport=wire, patience=patience
        ),
        questions=well.OF_DBT_CLOUD,
        envelope="data",
        run=well.DBT_RUN,
        endures={"run_failure": "unique_stg_usage_events_event_id"},
    ),
    "pagerduty": Kind(
        kind="pagerduty",
        url="https://api.pagerduty.com",
        server=well.pagerduty,
        build=lambda url, wire, patience: PagerDutyReader(
            "it", url, SECRET, transport=wire, patience=patience
        ),
        questions={"on_call": {"schedule": "PSCHED1"}},
    ),
    "opsgenie": Kind(
        kind="opsgenie",
        url="https://api.opsgenie.com",
        server=well.opsgenie,
        build=lambda url, wire, patience: OpsgenieReader(
            "it", url, SECRET, transport=wire, patience=patience
        ),
        questions={"on_call": {"schedule": "Data nights"}},
    ),
}

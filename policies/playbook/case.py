"""All that a plan is drafted from, and the answer when there can be none."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from policies.evidence import Cause
from policies.facts import Facts
from policies.lineage import BlastRadius, Hit, Lineage
from policies.rules import Domain, Rules
from policies.systems import Job


@dataclass(frozen=True, kw_only=True, slots=True)
class NoPlan:
    """Why nothing is proposed: what is known, what was not done, what a person can do now."""

    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """The facts of an incident beside what dw.yml and the lineage know."""

    facts: Facts
    rules: Rules
    lineage: Lineage
    radius: BlastRadius
    code_versions: Mapping[str, str | None]

    @property
    def connection(self) -> str:
        """The orchestrator that the opening alert speaks about."""
        return self.facts.alert.connection

    @property
    def kind(self) -> str:
        """What kind of orchestrator it is."""
        connection = self.rules.connections.get(self.connection)
        return connection.kind if connection else ""

    @property
    def domain_name(self) -> str:
        """The incident's domain."""
        return self.facts.incident.domain

    @property
    def domain(self) -> Domain:
        """Its entry in dw.yml."""
        return self.rules.domains[self.domain_name]

    @property
    def cause(self) -> Cause | None:
        """The best-ranked cause."""
        diagnosis = self.facts.incident.diagnosis
        return diagnosis.cause if diagnosis else None

    @property
    def jobs(self) -> Mapping[str, Job]:
        """The jobs that dw.yml allows to be run on this orchestrator."""
        connection = self.rules.connections.get(self.connection)
        return connection.jobs if connection else {}

    @property
    def reach(self) -> tuple[str, ...]:
        """Every asset the trouble and the plan touch, sorted."""
        root = (self.facts.asset,) if self.facts.asset else ()
        return tuple(sorted({*root, *(hit.asset for hit in self.radius.hits)}))

    @property
    def for_day(self) -> str:
        """` for 2026-09-28`, or nothing."""
        return f" for {self.facts.partition}" if self.facts.partition else ""

    def job_building(self, asset: str) -> str | None:
        """The named job that builds an asset."""
        return next((name for name, job in self.jobs.items() if asset in job.builds), None)

    def built_by_jobs(self, hits: tuple[Hit, ...]) -> tuple[str, ...]:
        """The named jobs that build any of these, in the order of dw.yml."""
        hit = {one.asset for one in hits}
        return tuple(name for name, job in self.jobs.items() if hit & set(job.builds))

    def asset_link(self, asset: str) -> str | None:
        """Its page in the orchestrator, with the partition picked, where there is a base URL."""
        connection = self.rules.connections.get(self.connection)
        if connection is None or connection.url is None:
            return None
        picked = {"view": "partitions", "partition": self.facts.partition}
        query = f"?{urlencode(picked)}" if self.facts.partition else ""
        return f"{connection.url.rstrip('/')}/assets/{quote(asset)}{query}"

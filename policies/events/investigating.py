"""What arrived and what was found out."""

from dataclasses import dataclass

from policies.alert import Alert
from policies.evidence import Diagnosis, Evidence
from policies.lineage import BlastRadius
from policies.plan import Plan


@dataclass(frozen=True, kw_only=True, slots=True)
class IncidentOpened:
    """The first alert of a new trouble. `channel` is where it will be talked about."""

    alert: Alert
    domain: str
    level: str
    channel: str


@dataclass(frozen=True, kw_only=True, slots=True)
class AlertMatched:
    """One more alert of the same trouble, and why it is the same."""

    alert: Alert
    because: str


@dataclass(frozen=True, kw_only=True, slots=True)
class EvidenceFound:
    """A probe was answered, or could not be."""

    evidence: Evidence


@dataclass(frozen=True, kw_only=True, slots=True)
class Diagnosed:
    """The causes were ranked."""

    diagnosis: Diagnosis


@dataclass(frozen=True, kw_only=True, slots=True)
class RadiusDrawn:
    """What the trouble reaches was worked out."""

    radius: BlastRadius


@dataclass(frozen=True, kw_only=True, slots=True)
class Planned:
    """A plan was drafted; a later one replaces it."""

    plan: Plan

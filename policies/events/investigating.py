"""What arrived and what was found out."""

from dataclasses import dataclass

from policies.alert import Alert
from policies.evidence import Diagnosis, Evidence
from policies.lineage import BlastRadius
from policies.plan import Plan
from policies.recurrence import Recurrence


@dataclass(frozen=True, kw_only=True, slots=True)
class IncidentOpened:
    """The first alert of a new trouble. `channel` is where it will be talked about.

    `again`: the same error was there before.
    """

    alert: Alert
    domain: str
    level: str
    channel: str
    again: Recurrence | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class AlertMatched:
    """One more alert of the same trouble, and why it is the same.

    `root`: the trouble began there, further up than was known; what was found out so far was about a
    consequence of it. `domain` and `level` are then those of that root. `again`: the same error once more.
    """

    alert: Alert
    because: str
    root: bool = False
    domain: str | None = None
    level: str | None = None
    again: Recurrence | None = None


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
    """A plan was drafted; a later one replaces it.

    `named`: what those are called whom dw.yml and the systems write as addresses or ids.
    """

    plan: Plan
    named: tuple[tuple[str, str], ...] = ()

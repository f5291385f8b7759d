"""A read-only question and its answer, with where the answer came from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import JsonValue

Json = JsonValue


@dataclass(frozen=True, kw_only=True, slots=True)
class Probe:
    """A read-only question to one connection. `params` are plain JSON."""

    connection: str
    name: str
    params: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """The answer to a probe: counts, aggregates and states, never rows.

    `problem` is set when the question could not be answered; then `value` is empty and a
    diagnosis must say what is unknown instead of guessing.
    """

    id: str
    probe: Probe
    at: datetime
    value: Mapping[str, Json] = field(default_factory=dict)
    query: str = ""
    link: str | None = None
    problem: str | None = None

    @property
    def answered(self) -> bool:
        """True when the system answered."""
        return self.problem is None


@dataclass(frozen=True, kw_only=True, slots=True)
class Cause:
    """One possible cause. `for_` and `against` hold evidence ids with what each one shows."""

    name: str
    says: str
    confidence: float
    for_: tuple["Finding", ...] = ()
    against: tuple["Finding", ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """What one piece of evidence shows, in words a person can check."""

    evidence_id: str
    says: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Diagnosis:
    """Ranked causes, best first; empty when nothing fits. `unknown` lists what could not be read."""

    causes: tuple[Cause, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def cause(self) -> Cause | None:
        """The best-ranked cause, or None."""
        return self.causes[0] if self.causes else None

"""Requests that are the same question about different troubles: they may be answered together."""

import hashlib
from collections.abc import Hashable, Iterable

from policies.incident import Incident, RequestState

Member = tuple[Incident, RequestState]


def kind_of(incident: Incident, state: RequestState) -> Hashable:
    """Equal for requests that may be answered together.

    Same owner, rule, turn and cause, and steps of the same kind on the same systems.
    """
    cause = incident.diagnosis.cause if incident.diagnosis else None
    steps = sorted((s.change_class, s.connection, s.action, s.doer) for s in state.shown)
    said = cause.says if cause else (incident.plan.cause if incident.plan else "")
    asked = state.request
    return asked.owner, asked.rule, asked.hop, incident.domain, said, tuple(steps)


def group_of(incident: Incident, state: RequestState) -> str:
    """The same short name for requests of the same kind."""
    kind = repr((incident.domain, kind_of(incident, state)))
    return hashlib.sha256(kind.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def waits_for(state: RequestState, person: str) -> bool:
    """True while it is this person's turn."""
    return state.open and (person, state.request.hop) in state.asked


def digest_of(members: Iterable[Member]) -> str:
    """What exactly a list of requests shows: which, and of what content each."""
    shown = sorted(f"{state.request.id} {state.request.digest}" for _, state in members)
    return "sha256:" + hashlib.sha256("\n".join(shown).encode()).hexdigest()


def waiting(members: Iterable[Member]) -> tuple[Member, ...]:
    """Those that still wait for a decision."""
    return tuple((incident, state) for incident, state in members if state.open)


def takes_one_tap(state: RequestState) -> bool:
    """False where a yes needs more than a tap: that is given one by one."""
    return not (state.request.rule.reason_needed or state.request.rule.step_up)

"""A decision can be taken back by whoever made it, as long as nothing that it covers has begun."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from policies.approval import Decision
from policies.events import DecisionRevoked
from policies.incident import Incident, RequestState, StepPhase

_NOT_BEGUN = (StepPhase.ASKED, StepPhase.APPROVED, StepPhase.READY, StepPhase.REFUSED)


def too_late(incident: Incident, state: RequestState) -> str | None:
    """Why nobody can take back what was decided on this request any more, or None."""
    if incident.phase.closed:
        return "this incident is closed"
    if state.outcome not in (None, "approved", "refused"):
        return f"this request is {state.outcome}"
    if not set(state.request.step_ids) <= set(incident.steps):
        return "what it was about is not in the plan any more"
    begun = [
        step_id
        for step_id in state.request.step_ids
        if incident.steps[step_id].phase not in _NOT_BEGUN
    ]
    return f"{_named(incident, begun)} has begun already" if begun else None


def made_by(state: RequestState, person: str) -> Decision | None:
    """Their decision on this request that counts, or None."""
    return next((d for d in reversed(state.decisions) if d.person == person), None)


def revoke(state: RequestState, decision: Decision, now: datetime) -> DecisionRevoked:
    """The fact: whoever's turn it was has the whole of it again."""
    deadline = now + timedelta(seconds=state.request.turn.seconds)
    return DecisionRevoked(
        request_id=state.request.id,
        key=decision.key,
        person=decision.person,
        deadline=deadline,
    )


def _named(incident: Incident, step_ids: Iterable[str]) -> str:
    return " and ".join(f"“{incident.step(step_id).title}”" for step_id in step_ids)

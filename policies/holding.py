"""What a stop holds: steps that have their yes and have not begun."""

from collections.abc import Collection

from policies.incident import Incident, StepPhase
from policies.plan import Step

_HELD = (StepPhase.APPROVED, StepPhase.READY)
EVERYTHING = "*"


def held(incident: Incident, scopes: Collection[str]) -> tuple[Step, ...]:
    """The steps of an incident that these stops keep from starting. A person's own step is held too."""
    if incident.phase.closed or incident.plan is None:
        return ()
    wide = {EVERYTHING, f"domain:{incident.domain}"}
    return tuple(
        step
        for step in incident.plan.steps
        if incident.steps[step.id].phase in _HELD
        and not wide.union({f"connection:{step.connection}"}).isdisjoint(scopes)
    )

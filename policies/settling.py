"""When a trouble ended by itself: the run that was missing came after all, and nobody had begun anything."""

from policies.alert import Alert, AlertKind
from policies.events import Settled
from policies.incident import Incident, StepPhase

_UNTOUCHED = (StepPhase.PROPOSED, StepPhase.ASKED, StepPhase.VOID, StepPhase.EXPIRED)


def settled(incident: Incident, alert: Alert) -> tuple[Settled, ...]:
    """The fact that ends it, or nothing: a run that failed besides is a trouble of its own."""
    if alert.kind is not AlertKind.RUN_CAME:
        return ()
    only_missing = all(known.kind is AlertKind.RUN_ABSENT for known in incident.alerts)
    untouched = all(state.phase in _UNTOUCHED for state in incident.steps.values())
    return (Settled(why=alert.title, url=alert.url),) if only_missing and untouched else ()

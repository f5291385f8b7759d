"""What may follow what: a table each for incidents, steps and requests, and `advance`, which obeys all three.

Anything not in a table raises `InvalidTransition`. The only places that change a phase are here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from policies import events as e
from policies.folding import fold
from policies.incident import Incident, Phase, StepPhase, StepState

P, S = Phase, StepPhase
T = TypeVar("T", Phase, StepPhase, str)
_LIVE = (P.OPEN, P.DIAGNOSED, P.PLANNED, P.REPAIRING, P.VERIFYING)
_ACTIVE = (P.PLANNED, P.REPAIRING)


class InvalidTransition(RuntimeError):
    """This can't happen in the phase it is in. Nothing was stored."""

    def __init__(self, phase: str, event: str) -> None:
        self.phase, self.event = phase, event
        super().__init__(f"{event} can't follow in phase {phase}. Nothing was stored.")


def _stay(phases: Iterable[Phase]) -> dict[Phase, Phase]:
    return {phase: phase for phase in phases}


#: incident: event type → the phases it may come in, and where each leads
TRANSITIONS: Mapping[type[e.Event], Mapping[Phase, Phase]] = {
    e.AlertMatched: _stay((*_LIVE, P.HANDED_OVER)),
    e.EvidenceFound: _stay((*_LIVE, P.HANDED_OVER)),
    e.Diagnosed: {P.OPEN: P.DIAGNOSED, **_stay((P.DIAGNOSED, P.PLANNED, P.REPAIRING))},
    e.RadiusDrawn: _stay((P.DIAGNOSED, *_ACTIVE)),
    e.Planned: {P.DIAGNOSED: P.PLANNED, **_stay(_ACTIVE)},
    e.ApprovalRequested: _stay(_ACTIVE),
    e.PeopleAsked: _stay(_ACTIVE),
    e.MailRefused: _stay(_ACTIVE),
    e.Reminded: _stay(_ACTIVE),
    e.Escalated: _stay(_ACTIVE),
    e.HandedOn: _stay(_ACTIVE),
    e.DecisionMade: _stay(_ACTIVE),
    e.DecisionRefused: _stay(P),
    e.DecisionRevoked: _stay(_ACTIVE),
    e.ApprovalGranted: {P.PLANNED: P.REPAIRING, P.REPAIRING: P.REPAIRING},
    e.RequestRefused: _stay(_ACTIVE),
    e.RequestExpired: _stay(_ACTIVE),
    e.RequestVoided: _stay(_ACTIVE),
    e.QuestionAsked: _stay(_ACTIVE),
    e.StepReady: _stay((P.REPAIRING,)),
    e.StepHeld: _stay((P.REPAIRING,)),
    e.ActionStarted: _stay((P.REPAIRING,)),
    e.RunStarted: _stay((P.REPAIRING,)),
    e.RunRecognised: _stay((P.REPAIRING,)),
    e.PersonRunFailed: _stay((P.REPAIRING,)),
    e.StepDone: _stay((P.PLANNED, P.REPAIRING, P.VERIFYING, P.RESOLVED, P.HANDED_OVER)),
    e.StepFailed: _stay((P.REPAIRING,)),
    e.ActionUncertain: _stay((P.REPAIRING,)),
    e.VerificationStarted: {P.REPAIRING: P.VERIFYING},
    e.ChecksRun: _stay((P.OPEN, P.DIAGNOSED, P.PLANNED, P.REPAIRING, P.VERIFYING)),
    e.ReceiptIssued: _stay((P.VERIFYING, P.HANDED_OVER, P.DISMISSED)),
    e.IncidentResolved: {P.VERIFYING: P.RESOLVED},
    e.HandedOver: dict.fromkeys(_LIVE, P.HANDED_OVER),
    e.Dismissed: dict.fromkeys(_LIVE, P.DISMISSED),
    e.Settled: dict.fromkeys(_LIVE, P.DISMISSED),
    e.Reopened: {P.HANDED_OVER: P.OPEN},
    e.Joined: dict.fromkeys((P.OPEN, P.DIAGNOSED, P.PLANNED, P.HANDED_OVER), P.DISMISSED),
    e.TookIn: _stay((*_LIVE, P.HANDED_OVER)),
    e.Linked: _stay((*_LIVE, P.HANDED_OVER)),
    e.Observed: _stay((P.OPEN, *_ACTIVE)),
    e.ShadowSeen: _stay(_ACTIVE),
    e.LevelLowered: _stay((P.VERIFYING, P.HANDED_OVER)),
}

#: step: event type → the phases it may come in, and where each leads
STEP_TRANSITIONS: Mapping[type[e.Event], Mapping[StepPhase, StepPhase]] = {
    e.ApprovalRequested: {S.PROPOSED: S.ASKED, S.VOID: S.ASKED},
    e.ApprovalGranted: {S.ASKED: S.APPROVED},
    e.DecisionRevoked: dict.fromkeys((S.ASKED, S.APPROVED, S.READY, S.REFUSED), S.ASKED),
    e.RequestRefused: {S.ASKED: S.REFUSED},
    e.RequestExpired: {S.ASKED: S.EXPIRED},
    e.RequestVoided: {S.ASKED: S.VOID, S.APPROVED: S.VOID, S.READY: S.VOID},
    e.StepReady: {S.APPROVED: S.READY},
    e.StepHeld: {S.APPROVED: S.APPROVED, S.READY: S.READY},
    e.ActionStarted: {S.READY: S.STARTED},
    e.RunStarted: {S.STARTED: S.STARTED, S.UNCERTAIN: S.STARTED},
    e.RunRecognised: {S.READY: S.STARTED},
    e.PersonRunFailed: {S.STARTED: S.READY},
    e.StepDone: dict.fromkeys((S.PROPOSED, S.APPROVED, S.READY, S.STARTED, S.UNCERTAIN), S.DONE),
    e.StepFailed: {S.STARTED: S.FAILED, S.UNCERTAIN: S.FAILED, S.READY: S.FAILED},
    e.ActionUncertain: {S.STARTED: S.UNCERTAIN},
}

#: whose step it must be: the bot starts nothing that is a person's, and only a person's starts again
DOERS: Mapping[type[e.Event], str] = {
    e.ActionStarted: "bot",
    e.RunStarted: "bot",
    e.ActionUncertain: "bot",
    e.RunRecognised: "person",
    e.PersonRunFailed: "person",
}

_OPEN = {"open": "open"}
_ANY = {outcome: outcome for outcome in ("open", "approved", "refused", "expired", "void")}
#: request: event type → the outcomes it may come at, and where each leads; `open` is none yet
REQUEST_TRANSITIONS: Mapping[type[e.Event], Mapping[str, str]] = {
    e.PeopleAsked: _OPEN,
    e.MailRefused: _ANY,
    e.Reminded: _OPEN,
    e.Escalated: _OPEN,
    e.HandedOn: _OPEN,
    e.DecisionMade: _OPEN,
    e.DecisionRefused: _ANY,
    e.DecisionRevoked: dict.fromkeys(("open", "approved", "refused"), "open"),
    e.ApprovalGranted: {"open": "approved"},
    e.RequestRefused: {"open": "refused"},
    e.RequestExpired: {"open": "expired"},
    e.RequestVoided: dict.fromkeys(("open", "approved"), "void"),
    e.QuestionAsked: _OPEN,
}


def open_incident(incident_id: str, event: e.IncidentOpened, at: datetime) -> Incident:
    """The state after the first entry."""
    return Incident(
        id=incident_id,
        version=1,
        phase=P.OPEN,
        domain=event.domain,
        level=event.level,
        channel=event.channel,
        title=event.alert.title,
        opened_at=at,
        updated_at=at,
        alerts=(event.alert,),
        again=event.again,
    )


def advance(incident: Incident, event: e.Event, at: datetime) -> Incident:
    """The state after one more entry; `InvalidTransition` when the tables don't allow it."""
    phase = _next(incident.phase, TRANSITIONS.get(type(event), {}), event)
    _guard(incident, event)
    _guard_request(incident, event)
    steps = dict(incident.steps)
    for step_id in touched(incident, event):
        steps[step_id] = _moved(steps[step_id], event, at)
    moved = replace(incident, phase=phase, steps=steps, version=incident.version + 1, updated_at=at)
    return fold(moved, event, at)


def replay(incident_id: str, journal: Iterable[e.Entry]) -> Incident:
    """The state that a journal adds up to. Raises `InvalidTransition` on a journal that can't be true."""
    entries = iter(journal)
    first = next(entries)
    if not isinstance(first.event, e.IncidentOpened):
        raise InvalidTransition("new", type(first.event).__name__)
    incident = open_incident(incident_id, first.event, first.at)
    for entry in entries:
        incident = advance(incident, entry.event, entry.at)
    return incident


def touched(incident: Incident, event: e.Event) -> tuple[str, ...]:
    """The steps whose phase this event may move. What has started already is not voided any more."""
    if isinstance(event, e.ApprovalRequested):
        return event.request.step_ids
    if type(event) not in STEP_TRANSITIONS:
        return ()
    step_id = getattr(event, "step_id", None)
    if step_id is not None:
        return (step_id,)
    request_id = getattr(event, "request_id", "")
    if request_id not in incident.requests:
        raise InvalidTransition("no such request", type(event).__name__)
    step_ids = incident.requests[request_id].request.step_ids
    if isinstance(event, e.RequestVoided):
        voidable = STEP_TRANSITIONS[e.RequestVoided]
        return tuple(s for s in step_ids if incident.steps[s].phase in voidable)
    return step_ids


def _guard(incident: Incident, event: e.Event) -> None:
    """What a table can't say: whose step it must be, and that what has begun does not vanish into another trouble."""
    if isinstance(event, e.Joined) and incident.begun:
        raise InvalidTransition("a step has begun", type(event).__name__)
    step_id, whose = getattr(event, "step_id", None), DOERS.get(type(event))
    if isinstance(event, e.StepDone) and event.run is None:
        whose = "person"
    if step_id is None or whose is None:
        return
    if incident.step(step_id).doer != whose:
        raise InvalidTransition(f"no step of the {whose}", type(event).__name__)


def _guard_request(incident: Incident, event: e.Event) -> None:
    """The table of requests, and what it can't say: nothing is granted on which nobody said yes."""
    request_id = getattr(event, "request_id", None)
    if request_id is None or isinstance(event, e.DecisionRefused):
        return
    state = incident.requests.get(request_id)
    if state is None:
        raise InvalidTransition("no such request", type(event).__name__)
    _next(state.outcome or "open", REQUEST_TRANSITIONS[type(event)], event)
    if isinstance(event, e.ApprovalGranted) and "yes" not in {d.choice for d in state.decisions}:
        raise InvalidTransition("nobody said yes", type(event).__name__)


def _moved(state: StepState, event: e.Event, at: datetime) -> StepState:
    phase = _next(state.phase, STEP_TRANSITIONS[type(event)], event)
    return replace(state, phase=phase, since=at if phase != state.phase else state.since)


def _next(phase: T, table: Mapping[T, T], event: e.Event) -> T:
    if phase not in table:
        raise InvalidTransition(str(phase), type(event).__name__)
    return table[phase]

"""What each event adds to an incident beyond its phase. `lifecycle.advance` is the only caller."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from policies import events as e
from policies.handing import handed_on
from policies.incident import Incident, RequestState, StepState

E = TypeVar("E", bound=e.Event)
Fold = Callable[[Incident, Any, datetime], Incident]


def fold(incident: Incident, event: e.Event, at: datetime) -> Incident:
    """The incident with what this event says; phases are not this module's business."""
    return FOLDS[type(event)](incident, event, at)


def _alert(incident: Incident, event: e.AlertMatched, _at: datetime) -> Incident:
    more = replace(
        incident, alerts=(*incident.alerts, event.alert), again=event.again or incident.again
    )
    return _moved_up(more, event) if event.root else more


def _moved_up(incident: Incident, event: e.AlertMatched) -> Incident:
    """What is known is about a consequence: the cause is looked for afresh, from the new root."""
    return replace(
        incident,
        title=event.alert.title,
        domain=event.domain or incident.domain,
        level=event.level or incident.level,
        root=len(incident.alerts) - 1,
        known_before=len(incident.evidence),
        diagnosis=None,
    )


def _joined(incident: Incident, event: e.Joined, _at: datetime) -> Incident:
    because = f"one cause with {event.into}: {event.because}"
    return replace(incident, joined=event.into, closed_because=because)


def _took_in(incident: Incident, event: e.TookIn, _at: datetime) -> Incident:
    known = {alert.signal_key for alert in incident.alerts}
    more = tuple(alert for alert in event.alerts if alert.signal_key not in known)
    took_in = (*incident.took_in, event.incident)
    return replace(incident, alerts=(*incident.alerts, *more), took_in=took_in)


def _linked(incident: Incident, event: e.Linked, _at: datetime) -> Incident:
    return replace(incident, linked=(*incident.linked, event.incident))


def _evidence(incident: Incident, event: e.EvidenceFound, _at: datetime) -> Incident:
    return replace(incident, evidence=(*incident.evidence, event.evidence))


def _plan(incident: Incident, event: e.Planned, at: datetime) -> Incident:
    steps = {step.id: incident.steps.get(step.id, StepState(since=at)) for step in event.plan.steps}
    named = tuple(dict((*incident.named, *event.named)).items())
    return replace(incident, plan=event.plan, plan_root=incident.root, steps=steps, named=named)


def _asked(incident: Incident, event: e.ApprovalRequested, _at: datetime) -> Incident:
    steps = incident.plan.steps if incident.plan else ()
    shown = tuple(step for step in steps if step.id in event.request.step_ids)
    state = RequestState(request=event.request, shown=shown)
    return replace(incident, requests={**incident.requests, event.request.id: state})


def _request(incident: Incident, request_id: str, **changes: object) -> Incident:
    state = replace(incident.requests[request_id], **changes)  # type: ignore[arg-type]
    return replace(incident, requests={**incident.requests, request_id: state})


def _reminded(incident: Incident, event: e.Reminded, _at: datetime) -> Incident:
    state = incident.requests[event.request_id]
    more = (*state.reminders, (incident.version, state.request.hop))
    return _request(incident, event.request_id, reminded=True, reminders=more)


def _escalated(incident: Incident, event: e.Escalated, _at: datetime) -> Incident:
    asked = incident.requests[event.request_id].request
    moved = replace(asked, hop=event.hop, deadline=event.deadline, until=None)
    return _request(incident, event.request_id, request=moved, reminded=False)


def _handed_on(incident: Incident, event: e.HandedOn, _at: datetime) -> Incident:
    asked = handed_on(incident.requests[event.request_id].request, event)
    return _request(incident, event.request_id, request=asked, reminded=False, away=())


def _decision(incident: Incident, event: e.DecisionMade, _at: datetime) -> Incident:
    decisions = (*incident.requests[event.request_id].decisions, event.decision)
    return _request(incident, event.request_id, decisions=decisions)


def _revoked(incident: Incident, event: e.DecisionRevoked, _at: datetime) -> Incident:
    """It counts no more, whatever it led to is undone, and the turn begins again."""
    state = incident.requests[event.request_id]
    taken = tuple(d for d in state.decisions if d.key == event.key)
    again = _request(
        incident,
        event.request_id,
        request=replace(state.request, deadline=event.deadline, until=None),
        decisions=tuple(d for d in state.decisions if d.key != event.key),
        revoked=(*state.revoked, *taken),
        outcome=None,
        decided_at=None,
        reminded=False,
    )
    for step_id in state.request.step_ids:
        again = _step(again, step_id, held=None)
    return again


def _people(incident: Incident, event: e.PeopleAsked, _at: datetime) -> Incident:
    state = incident.requests[event.request_id]
    more = tuple((person, event.hop) for person in event.people if person not in dict(state.asked))
    request = state.request
    if event.until is not None:
        request = replace(request, until=event.until, deadline=event.until.at)
    asked = (*state.asked, *more)
    return _request(incident, event.request_id, request=request, asked=asked, away=event.away)


def _lost(incident: Incident, event: e.PersonRunFailed, _at: datetime) -> Incident:
    return _step(incident, event.step_id, run=event.run, why=event.why)


def _ended(outcome: str) -> Fold:
    def ended(incident: Incident, event: Any, at: datetime) -> Incident:
        why = getattr(event, "why", None)
        return _request(incident, event.request_id, outcome=outcome, decided_at=at, why=why)

    return ended


def _voided(incident: Incident, event: e.RequestVoided, at: datetime) -> Incident:
    """What held its steps is over with it: the next yes starts afresh."""
    after: Incident = _ended("void")(incident, event, at)
    for step_id in after.requests[event.request_id].request.step_ids:
        after = _step(after, step_id, held=None)
    return after


def _step(incident: Incident, step_id: str, **changes: object) -> Incident:
    state = replace(incident.steps[step_id], **changes)  # type: ignore[arg-type]
    return replace(incident, steps={**incident.steps, step_id: state})


def _run(incident: Incident, event: e.RunStarted | e.RunRecognised, _at: datetime) -> Incident:
    why = event.because if isinstance(event, e.RunRecognised) else None
    return _step(incident, event.step_id, run=event.run, held=None, why=why)


def _done(incident: Incident, event: e.StepDone, _at: datetime) -> Incident:
    run = event.run or incident.steps[event.step_id].run
    return _step(incident, event.step_id, run=run, held=None, by=event.by)


def _failed(incident: Incident, event: e.StepFailed, _at: datetime) -> Incident:
    run = event.run or incident.steps[event.step_id].run
    return _step(incident, event.step_id, run=run, held=None, why=event.why)


def _checks(incident: Incident, event: e.ChecksRun | e.StepReady, _at: datetime) -> Incident:
    return replace(incident, checks=(*incident.checks, *event.results))


def _ready(incident: Incident, event: e.StepReady, at: datetime) -> Incident:
    return _step(_checks(incident, event, at), event.step_id, held=None)


def _closed(
    incident: Incident, event: e.HandedOver | e.Dismissed | e.Settled, _at: datetime
) -> Incident:
    because = event.reason if isinstance(event, e.Dismissed) else event.why
    return replace(incident, closed_because=because)


def _same(incident: Incident, _event: object, _at: datetime) -> Incident:
    return incident


FOLDS: dict[type[e.Event], Fold] = {
    e.AlertMatched: _alert,
    e.EvidenceFound: _evidence,
    e.Diagnosed: lambda i, ev, _: replace(i, diagnosis=ev.diagnosis),
    e.RadiusDrawn: lambda i, ev, _: replace(i, radius=ev.radius, radius_root=i.root),
    e.Planned: _plan,
    e.ApprovalRequested: _asked,
    e.PeopleAsked: _people,
    e.MailRefused: _same,
    e.Reminded: _reminded,
    e.Escalated: _escalated,
    e.HandedOn: _handed_on,
    e.DecisionMade: _decision,
    e.DecisionRefused: _same,
    e.DecisionRevoked: _revoked,
    e.ApprovalGranted: _ended("approved"),
    e.RequestRefused: _ended("refused"),
    e.RequestExpired: _ended("expired"),
    e.RequestVoided: _voided,
    e.QuestionAsked: _same,
    e.StepReady: _ready,
    e.StepHeld: lambda i, ev, _: _step(i, ev.step_id, held=ev.why),
    e.ActionStarted: lambda i, ev, _: _step(i, ev.step_id, key=ev.key, held=None),
    e.RunStarted: _run,
    e.RunRecognised: _run,
    e.PersonRunFailed: _lost,
    e.StepDone: _done,
    e.StepFailed: _failed,
    e.ActionUncertain: lambda i, ev, _: _step(i, ev.step_id, why=ev.why),
    e.VerificationStarted: _same,
    e.ChecksRun: _checks,
    e.ReceiptIssued: lambda i, ev, _: replace(i, receipt=ev.number, receipt_hash=ev.hash),
    e.IncidentResolved: _same,
    e.HandedOver: _closed,
    e.Dismissed: _closed,
    e.Settled: _closed,
    e.Reopened: lambda i, _ev, _: replace(i, closed_because=None),
    e.Joined: _joined,
    e.TookIn: _took_in,
    e.Linked: _linked,
    e.Observed: lambda i, ev, _: replace(i, observed=ev),
    e.ShadowSeen: _same,
    e.LevelLowered: _same,
}

"""Wishes: which messages must be written or refreshed after which events, and what to look at again.

What the messages say is for `handlers`.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from bot.commands import Decide, Received, Revoke
from bot.ports import ASKED, REMINDER, Lane, LetterKind, NewDue
from policies import events as e
from policies.batch import group_of
from policies.events import Entry
from policies.incident import Incident, RequestState

#: so long an email waits for others of its kind: forty alerts of one cause take a moment to come in
_GATHERING = timedelta(seconds=20)

#: events that get a short reply of their own in the incident's thread
SPOKEN: tuple[type[e.Event], ...] = (
    e.AlertMatched,
    e.Diagnosed,
    e.RadiusDrawn,
    e.Planned,
    e.MailRefused,
    e.Reminded,
    e.Escalated,
    e.HandedOn,
    e.DecisionRevoked,
    e.ApprovalGranted,
    e.RequestRefused,
    e.RequestExpired,
    e.RequestVoided,
    e.QuestionAsked,
    e.StepReady,
    e.StepHeld,
    e.ActionStarted,
    e.RunStarted,
    e.RunRecognised,
    e.PersonRunFailed,
    e.StepDone,
    e.StepFailed,
    e.ActionUncertain,
    e.ReceiptIssued,
    e.HandedOver,
    e.Dismissed,
    e.Settled,
    e.Joined,
    e.TookIn,
    e.Linked,
    e.Observed,
    e.LevelLowered,
)


#: alerts of one trouble that the thread is told of one by one, the opening one included
TOLD = 6
_ROUND = (10, 50, 100, 250, 500)

#: the one row of an incident under which its replies are posted, in the journal's order
THREAD = "thread"


def told(entries: Sequence[Entry]) -> Iterator[Entry]:
    """What the thread is told: of many alerts the first ones, each that moves the cause, and round numbers."""
    alerts = 1
    for entry in entries:
        alerts += isinstance(entry.event, e.AlertMatched)
        if isinstance(entry.event, SPOKEN) and (_tells(entry.event, alerts)):
            yield entry


def alerts_until(entries: Sequence[Entry], seq: int) -> int:
    """How many alerts had joined when this entry was written."""
    return sum(isinstance(entry.event, e.AlertMatched) for entry in entries if entry.seq <= seq)


def _tells(event: e.Event, alerts: int) -> bool:
    if not isinstance(event, e.AlertMatched) or event.root or alerts <= TOLD:
        return True
    return alerts in _ROUND or alerts % _ROUND[-1] == 0


def show(incident_id: str, name: str, at: datetime, lane: Lane = Lane.STATUS) -> NewDue:
    """The wish to have one copy shown as things stand when it is sent."""
    return NewDue(
        kind="show",
        key=f"show:{incident_id}:{name}",
        at=at,
        lane=lane,
        incident_id=incident_id,
        payload={"name": name},
    )


def intake_due(item: Received) -> NewDue:
    """The wish to take up what arrived; a tap goes before everything else."""
    return NewDue(
        kind="intake",
        key=f"intake:{item.key}",
        at=item.at,
        lane=Lane.APPROVALS if isinstance(item.command, Decide | Revoke) else Lane.ACTIONS,
        incident_id=getattr(item.command, "incident_id", None),
        payload={"inbox": item.key},
    )


def steps_due(incident_id: str, at: datetime) -> NewDue:
    """The wish to look at an incident's steps again."""
    return NewDue(kind="steps", key=f"steps:{incident_id}", at=at, incident_id=incident_id)


def shows(incident: Incident, events: Sequence[e.Event], at: datetime) -> tuple[NewDue, ...]:
    """The card, what the thread has not been told yet, and every copy of each request that is touched."""
    if not events:
        return ()
    rows = [show(incident.id, "card", at)]
    if any(isinstance(event, SPOKEN) for event in events):
        rows.append(show(incident.id, THREAD, at, Lane.NOISE))
    names = [*_requests(incident, events), *_notes(incident, events)]
    rows += [show(incident.id, name, at, Lane.APPROVALS) for name in names]
    return tuple(rows)


def mails(incident: Incident, events: Sequence[e.Event], at: datetime) -> tuple[NewDue, ...]:
    """An email to each who is asked or reminded now; what is of one kind comes together in one row.

    So that it can, each waits a little.
    """
    return tuple(
        _letter(incident, request_id, person, kind, at + _GATHERING)
        for event in events
        for request_id, people, kind in _mailed(incident, event)
        for person in people
    )


def _mailed(incident: Incident, event: e.Event) -> Iterator[tuple[str, Sequence[str], LetterKind]]:
    if isinstance(event, e.PeopleAsked):
        yield event.request_id, event.people, ASKED
    elif isinstance(event, e.Reminded):
        yield event.request_id, _whose_turn(incident, event.request_id), REMINDER


def _letter(
    incident: Incident, request_id: str, person: str, kind: LetterKind, at: datetime
) -> NewDue:
    state = incident.requests.get(request_id)
    group = group_of(incident, state) if state else request_id
    return NewDue(
        kind="mail",
        key=f"mail:{kind}:{person}:{group}",
        at=at,
        lane=Lane.STATUS,
        incident_id=incident.id,
        payload={"request": request_id, "person": person, "kind": kind, "group": group},
    )


def refresh(incident: Incident, at: datetime) -> tuple[NewDue, ...]:
    """Every copy that shows how things stand: the card and all requests with their DMs."""
    names = [name for r in incident.requests for name in _copies(incident, r, ())]
    return (
        show(incident.id, "card", at),
        *(show(incident.id, name, at, Lane.APPROVALS) for name in names),
    )


def everywhere(at: datetime) -> NewDue:
    """The wish that every open incident shows how things stand now, and looks at its steps again."""
    return NewDue(kind="refresh", key="refresh", at=at, lane=Lane.APPROVALS)


def _requests(incident: Incident, events: Iterable[e.Event]) -> list[str]:
    names: dict[str, None] = {}
    moving = any(type(event) in _MOVES_STEPS for event in events)
    touched = list(incident.requests) if moving else []
    for event in events:
        request_id = getattr(event, "request_id", None)
        if isinstance(event, e.ApprovalRequested):
            request_id = event.request.id
        elif isinstance(event, e.DecisionRefused) and request_id not in incident.requests:
            request_id = None  # a forged one: there is nothing of it to show
        people = event.people if isinstance(event, e.PeopleAsked) else ()
        if request_id is not None:
            names.update(dict.fromkeys(_copies(incident, request_id, people)))
    for request_id in touched:
        names.update(dict.fromkeys(_copies(incident, request_id, ())))
    return list(names)


def _notes(incident: Incident, events: Sequence[e.Event]) -> list[str]:
    """A line of its own to each who is asked now: an update of a message notifies nobody.

    Once its turn is over the line says so: it is the last that they read.
    """
    names: list[str] = []
    for seq, event in enumerate(events, start=incident.version + 1):
        if isinstance(event, e.Reminded):
            names += [f"note:{seq}:{who}" for who in _whose_turn(incident, event.request_id)]
        elif isinstance(event, _MOVES_TURNS):
            names += _lines(incident.requests.get(event.request_id))
    return names


def _lines(state: RequestState | None) -> list[str]:
    """The reminders of a request that may stand somewhere."""
    known = (
        [(seq, who) for seq, at in state.reminders for who, hop in state.asked if hop == at]
        if state
        else []
    )
    return [f"note:{seq}:{who}" for seq, who in known]


_MOVES_TURNS = (
    e.PeopleAsked,
    e.Escalated,
    e.HandedOn,
    e.ApprovalGranted,
    e.RequestRefused,
    e.RequestExpired,
    e.RequestVoided,
    e.DecisionRevoked,
)


def _whose_turn(incident: Incident, request_id: str) -> list[str]:
    state = incident.requests[request_id]
    return [person for person, hop in state.asked if hop == state.request.hop]


_MOVES_STEPS = (
    e.ActionStarted,
    e.RunStarted,
    e.RunRecognised,
    e.PersonRunFailed,
    e.StepDone,
    e.StepFailed,
    e.StepHeld,
    e.StepReady,
    e.ActionUncertain,
    e.HandedOver,
    e.Dismissed,
    e.Settled,
    e.Joined,
    e.IncidentResolved,
)


def _copies(incident: Incident, request_id: str, people: Iterable[str]) -> list[str]:
    known = incident.requests.get(request_id)
    asked = [person for person, _ in known.asked] if known else []
    everybody = dict.fromkeys((*asked, *people))
    return [f"request:{request_id}", *(f"dm:{request_id}:{person}" for person in everybody)]


def join_due(incident_id: str, at: datetime) -> NewDue:
    """The wish to look whether this trouble and another one have one cause."""
    return NewDue(kind="join", key=f"join:{incident_id}", at=at, incident_id=incident_id)


def receipt_due(incident_id: str, at: datetime) -> NewDue:
    """The wish to write a receipt for what ended without one."""
    return NewDue(kind="receipt", key=f"receipt:{incident_id}", at=at, incident_id=incident_id)


def replan(incident_id: str, at: datetime) -> NewDue:
    """The wish to draft the plan again."""
    return NewDue(kind="plan", key=f"plan:{incident_id}", at=at, incident_id=incident_id)

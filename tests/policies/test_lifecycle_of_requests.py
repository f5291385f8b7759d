"""What may follow what on a request, over the whole product of outcomes and events; and what leads to a yes."""

from copy import deepcopy
from dataclasses import fields, replace
from itertools import product
from typing import get_args

import pytest

from policies import events as e
from policies.incident import Incident, Phase, StepPhase, StepState
from policies.lifecycle import (
    REQUEST_TRANSITIONS,
    STEP_TRANSITIONS,
    TRANSITIONS,
    InvalidTransition,
    advance,
)
from tests.building import NOW, a_decision, opened
from tests.policies.test_lifecycle import EXAMPLES, PLAN, REQUEST, incident_in

OUTCOMES = ("open", "approved", "refused", "expired", "void")
EVERYTHING: dict[type[e.Event], e.Event] = {e.IncidentOpened: opened(), **EXAMPLES}
OF_REQUESTS = [kind for kind in EVERYTHING if "request_id" in {f.name for f in fields(kind)}]
#: all that can happen while nobody decides
SILENCE = [kind for kind in EVERYTHING if kind is not e.DecisionMade]


def asked(outcome: str, phase: StepPhase = StepPhase.ASKED, *, yes: bool = True) -> Incident:
    """An incident whose one request ended like this, its steps in this phase."""
    incident = incident_in(Phase.REPAIRING, phase)
    state = replace(
        incident.requests[REQUEST.id],
        outcome=None if outcome == "open" else outcome,
        decisions=(a_decision(REQUEST),) if yes else (),
    )
    return replace(incident, requests={REQUEST.id: state})


def ended(incident: Incident) -> str:
    return incident.requests[REQUEST.id].outcome or "open"


def allowed(incident: Incident, event: e.Event) -> bool:
    """What the tables say: the phase of the incident, the outcome, and the phases of the steps."""
    kind = type(event)
    row = REQUEST_TRANSITIONS.get(kind)
    if incident.phase not in TRANSITIONS.get(kind, {}):
        return False
    if row is not None and ended(incident) not in row:
        return False
    moves = STEP_TRANSITIONS.get(kind)
    if moves is None or kind is e.RequestVoided:
        return True
    phases = {state.phase for state in incident.steps.values()}
    return phases <= set(moves)


def test_every_event_about_a_request_has_a_row() -> None:
    assert set(REQUEST_TRANSITIONS) == set(OF_REQUESTS)
    told = {o for row in REQUEST_TRANSITIONS.values() for pair in row.items() for o in pair}
    assert told == set(OUTCOMES)
    assert set(EVERYTHING) == set(get_args(e.Event))


@pytest.mark.parametrize(("outcome", "phase"), list(product(OUTCOMES, StepPhase)))
def test_exactly_the_listed_moves_of_a_request_succeed(outcome: str, phase: StepPhase) -> None:
    for kind in OF_REQUESTS:
        incident, event = asked(outcome, phase), EVERYTHING[kind]
        if allowed(incident, event):
            assert ended(advance(incident, event, NOW)) == REQUEST_TRANSITIONS[kind][outcome]
        else:
            with pytest.raises(InvalidTransition):
                advance(incident, event, NOW)


@pytest.mark.parametrize(("phase", "step"), list(product(Phase, StepPhase)))
def test_what_is_refused_leaves_everything_as_it_was(phase: Phase, step: StepPhase) -> None:
    refused = 0
    for outcome, event in product(OUTCOMES, EVERYTHING.values()):
        incident = replace(asked(outcome, step), phase=phase)
        before = deepcopy(incident)
        try:
            advance(incident, event, NOW)
        except InvalidTransition:
            refused += 1
        assert incident == before
    assert refused


@pytest.mark.parametrize("kind", [k for k in OF_REQUESTS if k is not e.DecisionRefused])
def test_nothing_is_said_about_a_request_that_nobody_made(kind: type[e.Event]) -> None:
    incident = replace(asked("open"), requests={})
    with pytest.raises(InvalidTransition):
        advance(incident, EVERYTHING[kind], NOW)


def test_nothing_but_a_grant_ends_a_request_as_approved() -> None:
    ways = [
        (kind, before)
        for kind, row in REQUEST_TRANSITIONS.items()
        for before, after in row.items()
        if after == "approved" and before != after
    ]
    assert ways == [(e.ApprovalGranted, "open")]


def test_a_grant_without_the_yes_of_anybody_is_refused() -> None:
    nobody = asked("open", yes=False)
    no = replace(a_decision(REQUEST), choice="no")
    state = replace(nobody.requests[REQUEST.id], decisions=(no,))
    for incident in (nobody, replace(nobody, requests={REQUEST.id: state})):
        with pytest.raises(InvalidTransition, match="nobody said yes"):
            advance(incident, EXAMPLES[e.ApprovalGranted], NOW)


def test_without_a_decision_no_order_of_events_leads_to_approved() -> None:
    """Every state that can be reached from a fresh request when nobody decides, whatever else happens."""
    fresh = asked("open", StepPhase.PROPOSED, yes=False)
    first = replace(fresh, phase=Phase.PLANNED)
    seen, waiting = {shape(first)}, [first]
    while waiting:
        incident = waiting.pop()
        for after in reached(incident):
            assert ended(after) != "approved"
            assert not {s.phase for s in after.steps.values()} & {
                StepPhase.APPROVED,
                StepPhase.READY,
                StepPhase.STARTED,
            }
            if shape(after) not in seen:
                seen.add(shape(after))
                waiting.append(after)
    assert {outcome for _, outcome, *_ in seen} == {"open", "expired", "refused", "void"}


def reached(incident: Incident) -> list[Incident]:
    """Where each event leads that may follow here, with as much of it as the tables ask about."""
    found = []
    for kind in SILENCE:
        try:
            after = advance(incident, EVERYTHING[kind], NOW)
        except InvalidTransition:
            continue
        kept = replace(incident, phase=after.phase, steps=after.steps, requests=after.requests)
        found.append(kept)
    return found


def shape(incident: Incident) -> tuple[object, ...]:
    """What the tables ask about."""
    steps = tuple(incident.steps.get(s.id, StepState(since=NOW)).phase for s in PLAN.steps)
    decided = bool(incident.requests[REQUEST.id].decisions)
    return incident.phase, ended(incident), decided, *steps

"""The whole product of states and events, for incident, step and request: allowed with the right end, or refused."""

from dataclasses import replace
from itertools import product
from typing import get_args

import pytest

from policies import events as e
from policies.incident import Incident, Phase, StepPhase, StepState
from policies.lifecycle import InvalidTransition, advance
from tests.building import ANA, NOW, a_decision
from tests.policies.as_agreed import Standing, after
from tests.policies.test_lifecycle import PLAN, REQUEST, RUN, STEP, incident_in
from tests.policies.test_lifecycle_of_requests import EVERYTHING, OUTCOMES

DOERS = {step.id: step.doer for step in PLAN.steps}
#: every kind of event, and those of a step about either of the two, with a run and without
EVENTS: tuple[e.Event, ...] = (
    *EVERYTHING.values(),
    *(
        event
        for step in DOERS
        for event in (
            e.ActionStarted(step_id=step, key="k", approved_by=(ANA,), digest=REQUEST.digest),
            e.RunStarted(step_id=step, run=RUN),
            e.RunRecognised(step_id=step, run=RUN, because="same partition"),
            e.PersonRunFailed(step_id=step, run=RUN, why="failed"),
            e.StepReady(step_id=step),
            e.StepHeld(step_id=step, why="gate"),
            e.StepDone(step_id=step, run=RUN),
            e.StepDone(step_id=step, by=ANA),
            e.StepFailed(step_id=step, why="failed"),
            e.ActionUncertain(step_id=step, why="no answer"),
        )
    ),
)
WITHOUT = incident_in(Phase.REPAIRING)


def put(standing: Standing) -> Incident:
    """An incident that stands like this, as no journal could make it; only for asking."""
    phases = dict(standing.steps)
    steps = {name: StepState(phase=StepPhase(phase), since=NOW) for name, phase in phases.items()}
    state = replace(
        WITHOUT.requests[REQUEST.id],
        outcome=None if standing.outcome == "open" else standing.outcome,
        decisions=(a_decision(REQUEST),) if standing.yes else (),
    )
    requests = {REQUEST.id: state}
    return replace(WITHOUT, phase=Phase(standing.phase), steps=steps, requests=requests)


def found(incident: Incident, event: e.Event, *, yes: bool) -> Standing | None:
    """What the code makes of it."""
    try:
        moved = advance(incident, event, NOW)
    except InvalidTransition:
        return None
    steps = tuple((name, str(moved.steps[name].phase)) for name in DOERS)
    return Standing(str(moved.phase), steps, moved.requests[REQUEST.id].outcome or "open", yes)


def check(standing: Standing) -> None:
    incident = put(standing)
    for event in EVENTS:
        wanted = after(standing, event, DOERS)
        assert found(incident, event, yes=standing.yes) == wanted, (standing, event)


def test_every_kind_of_event_is_asked_about() -> None:
    assert {type(event) for event in EVENTS} == set(get_args(e.Event))
    assert set(DOERS.values()) == {"person", "bot"}


@pytest.mark.parametrize("first", list(StepPhase))
def test_each_event_moves_steps_and_request_as_agreed_whatever_they_stand_at(
    first: StepPhase,
) -> None:
    for second, outcome, yes in product(StepPhase, OUTCOMES, (True, False)):
        steps = (("backfill", str(first)), (STEP, str(second)))
        check(Standing("repairing", steps, outcome, yes))


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.REPAIRING])
def test_each_event_moves_the_incident_as_agreed_whatever_its_steps_stand_at(phase: Phase) -> None:
    for step, outcome in product(StepPhase, OUTCOMES):
        steps = (("backfill", str(step)), (STEP, str(step)))
        check(Standing(str(phase), steps, outcome))

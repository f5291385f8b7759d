"""What may follow what, over the whole product of phases and events."""

from dataclasses import replace
from itertools import product
from typing import get_args

import pytest

from policies import events as e
from policies.checks import CheckResult
from policies.evidence import Evidence, Probe
from policies.folding import FOLDS
from policies.incident import Incident, Phase, StepPhase, StepState
from policies.lifecycle import (
    STEP_TRANSITIONS,
    TRANSITIONS,
    InvalidTransition,
    advance,
    open_incident,
    replay,
)
from policies.people import Seat
from policies.run import Run, RunState
from policies.standing import Refusal
from tests.building import (
    ANA,
    NOW,
    a_backfill,
    a_decision,
    a_diagnosis,
    a_plan,
    a_radius,
    a_request,
    a_step,
    an_alert,
    opened,
)

PLAN = a_plan(a_backfill(), a_step(after=("backfill",)))
REQUEST = a_request(PLAN)
RUN = Run(connection="dagster", id="r1", job="growth_rollups_job", state=RunState.SUCCEEDED)
RESULT = CheckResult(check="rows", passed=True, measured="1", expected="1", at=NOW)
STEP = "rollups"

EXAMPLES: dict[type[e.Event], e.Event] = {
    type(event): event
    for event in (
        e.AlertMatched(alert=an_alert(), because="same run"),
        e.EvidenceFound(evidence=Evidence(id="E1", probe=Probe(connection="d", name="p"), at=NOW)),
        e.Diagnosed(diagnosis=a_diagnosis()),
        e.RadiusDrawn(radius=a_radius()),
        e.Planned(plan=PLAN),
        e.ApprovalRequested(request=REQUEST),
        e.PeopleAsked(request_id=REQUEST.id, hop=0, people=(ANA,)),
        e.MailRefused(request_id=REQUEST.id, person=ANA, why="550 no such mailbox"),
        e.Reminded(request_id=REQUEST.id),
        e.Escalated(
            request_id=REQUEST.id,
            hop=1,
            to=Seat(kind="person", ref="dee@example.com", because="lead"),
            deadline=NOW,
        ),
        e.HandedOn(request_id=REQUEST.id, by=ANA, to="U0BO", deadline=NOW),
        e.DecisionMade(request_id=REQUEST.id, decision=a_decision(REQUEST)),
        e.DecisionRefused(
            request_id=REQUEST.id, key="k", refusal=Refusal(person="U0ELI", why="no", who_may=())
        ),
        e.DecisionRevoked(request_id=REQUEST.id, key="k", person=ANA, deadline=NOW),
        e.ApprovalGranted(request_id=REQUEST.id),
        e.RequestRefused(request_id=REQUEST.id),
        e.RequestExpired(request_id=REQUEST.id),
        e.RequestVoided(request_id=REQUEST.id, why="changed"),
        e.QuestionAsked(request_id=REQUEST.id, person=ANA, text="why?"),
        e.StepReady(step_id=STEP),
        e.StepHeld(step_id=STEP, why="gate"),
        e.ActionStarted(step_id=STEP, key="k", approved_by=(ANA,), digest=REQUEST.digest),
        e.RunStarted(step_id=STEP, run=RUN),
        e.RunRecognised(step_id="backfill", run=RUN, because="same partition"),
        e.PersonRunFailed(step_id="backfill", run=RUN, why="failed"),
        e.StepDone(step_id=STEP, run=RUN),
        e.StepFailed(step_id=STEP, why="failed", run=RUN),
        e.ActionUncertain(step_id=STEP, why="no answer"),
        e.VerificationStarted(step_ids=(STEP,)),
        e.ChecksRun(results=(RESULT,)),
        e.ReceiptIssued(number=1, hash="sha256:0"),
        e.IncidentResolved(receipt=1),
        e.HandedOver(to="ana", why="stuck"),
        e.Dismissed(by=ANA, reason="known"),
        e.Settled(why="the run came after all"),
        e.Reopened(why="it began further up"),
        e.Joined(into="DW-2", because="raw_sessions is built from shop.sessions"),
        e.TookIn(incident="DW-2", alerts=(an_alert(signal_key="Ev2"),), because="downstream"),
        e.Linked(incident="DW-2", because="downstream"),
        e.Observed(level="L1", owner="ana@example.com", would=((STEP, "would queue it"),)),
        e.ShadowSeen(step_id=STEP, change_class="run_job", run=RUN),
        e.LevelLowered(change_class="run_job", was="L3", level="L2", why="a check did not pass"),
    )
}
MOVES_STEPS = [kind for kind in STEP_TRANSITIONS if kind is not e.RequestVoided]


def incident_in(phase: Phase, step_phase: StepPhase | None = None) -> Incident:
    """A planned incident put into a phase, as no journal could; only for asking the tables."""
    incident = open_incident("DW-1", opened(), NOW)
    for event in (EXAMPLES[e.Diagnosed], EXAMPLES[e.RadiusDrawn], EXAMPLES[e.Planned]):
        incident = advance(incident, event, NOW)
    for event in (EXAMPLES[e.ApprovalRequested], EXAMPLES[e.DecisionMade]):
        incident = advance(incident, event, NOW)
    steps = {
        step.id: StepState(phase=step_phase or StepPhase.PROPOSED, since=NOW) for step in PLAN.steps
    }
    return replace(incident, phase=phase, steps=steps)


def test_every_event_has_an_example_a_row_and_a_fold() -> None:
    kinds = set(get_args(e.Event)) - {e.IncidentOpened}
    assert set(EXAMPLES) == kinds
    assert set(TRANSITIONS) == kinds
    assert set(FOLDS) == kinds


@pytest.mark.parametrize("phase", list(Phase))
def test_exactly_the_listed_incident_moves_succeed(phase: Phase) -> None:
    for kind, event in EXAMPLES.items():
        allowed = phase in TRANSITIONS[kind]
        fitting = next(iter(STEP_TRANSITIONS.get(kind, {StepPhase.PROPOSED: None})))
        incident = incident_in(phase, fitting)
        if allowed:
            assert advance(incident, event, NOW).phase is TRANSITIONS[kind][phase]
        else:
            with pytest.raises(InvalidTransition):
                advance(incident, event, NOW)


@pytest.mark.parametrize(("kind", "phase"), list(product(MOVES_STEPS, StepPhase)))
def test_exactly_the_listed_step_moves_succeed(kind: type[e.Event], phase: StepPhase) -> None:
    incident = incident_in(next(iter(TRANSITIONS[kind])), phase)
    event = EXAMPLES[kind]
    step = "backfill" if kind in (e.PersonRunFailed, e.RunRecognised) else STEP
    if phase in STEP_TRANSITIONS[kind]:
        assert advance(incident, event, NOW).steps[step].phase is STEP_TRANSITIONS[kind][phase]
    else:
        with pytest.raises(InvalidTransition):
            advance(incident, event, NOW)


def test_nothing_but_a_grant_leads_to_approved() -> None:
    ways = [
        (k, a)
        for k, row in STEP_TRANSITIONS.items()
        for a, b in row.items()
        if b is StepPhase.APPROVED and a is not b
    ]
    assert ways == [(e.ApprovalGranted, StepPhase.ASKED)]


def test_an_action_starts_only_from_ready_and_ready_only_from_approved() -> None:
    assert STEP_TRANSITIONS[e.ActionStarted] == {StepPhase.READY: StepPhase.STARTED}
    assert STEP_TRANSITIONS[e.StepReady] == {StepPhase.APPROVED: StepPhase.READY}


def test_a_step_of_the_bot_never_goes_back_to_ready_once_started() -> None:
    incident = incident_in(Phase.REPAIRING, StepPhase.STARTED)
    with pytest.raises(InvalidTransition):
        advance(incident, e.PersonRunFailed(step_id=STEP, run=RUN, why="failed"), NOW)


def test_a_step_of_the_bot_is_never_done_on_somebodys_word() -> None:
    incident = incident_in(Phase.REPAIRING, StepPhase.STARTED)
    with pytest.raises(InvalidTransition):
        advance(incident, e.StepDone(step_id=STEP, by=ANA), NOW)


def test_every_phase_can_be_reached() -> None:
    reached = {to for row in TRANSITIONS.values() for to in row.values()} | {Phase.OPEN}
    assert reached == set(Phase)
    steps = {to for row in STEP_TRANSITIONS.values() for to in row.values()} | {StepPhase.PROPOSED}
    assert steps == set(StepPhase)


def test_what_has_started_is_not_voided_with_its_request() -> None:
    incident = incident_in(Phase.REPAIRING, StepPhase.APPROVED)
    steps = {**incident.steps, "backfill": StepState(phase=StepPhase.DONE, since=NOW)}
    after = advance(replace(incident, steps=steps), EXAMPLES[e.RequestVoided], NOW)
    assert after.steps["backfill"].phase is StepPhase.DONE
    assert after.steps[STEP].phase is StepPhase.VOID


def test_a_journal_replays_to_the_state_it_made() -> None:
    events = [
        opened(),
        *(
            EXAMPLES[k]
            for k in (
                e.Diagnosed,
                e.RadiusDrawn,
                e.Planned,
                e.ApprovalRequested,
                e.DecisionMade,
                e.ApprovalGranted,
            )
        ),
    ]
    journal = [e.Entry(seq=n, at=NOW, event=event) for n, event in enumerate(events, start=1)]
    incident = replay("DW-1", journal)
    assert (incident.phase, incident.version) == (Phase.REPAIRING, len(events))


def test_a_journal_that_does_not_begin_at_the_beginning_is_refused() -> None:
    with pytest.raises(InvalidTransition):
        replay("DW-1", [e.Entry(seq=1, at=NOW, event=EXAMPLES[e.Planned])])

"""Any history that may happen: what is stored, what is loaded and what is replayed are one state."""

import itertools
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.store.store import SqlStore
from policies import events as e
from policies.approval import ApprovalRequest, ApprovalRule, Decision, Hop
from policies.incident import Incident
from policies.lifecycle import InvalidTransition, advance, open_incident, replay
from policies.people import Grant, Seat
from policies.plan import Plan, Step
from policies.run import Run, RunState
from tests.bot.store.builders import NOW, alert, change, diagnosed, later, opened

SEAT = Seat(kind="person", ref="ana@example.com", because="owner of raw_sessions")
RUN = Run(connection="dagster", id="r1", job="sessions_job", state=RunState.SUCCEEDED)
STEP = Step(
    id="s1",
    title="Run sessions_job",
    change_class="run_job",
    doer="bot",
    owner="ana@example.com",
    owner_because="dagster",
    connection="dagster",
    action="run_job",
    undo="run the day again",
    risk="low",
)
REQUEST = ApprovalRequest(
    id="R1",
    owner="ana@example.com",
    step_ids=("s1",),
    digest="sha256:0",
    reach=("raw_sessions",),
    plan_version=1,
    rule=ApprovalRule(chain=(Hop(seat=SEAT, seconds=300), Hop(seat=SEAT, seconds=60))),
    asked_at=NOW,
    deadline=later(300),
)
DECISION = Decision(
    key="k1",
    person="U0ANA",
    name="Ana",
    choice="yes",
    digest="sha256:0",
    at=NOW,
    where="C0ALERTS",
    grant=Grant(person="U0ANA", because="owner of raw_sessions", hop=0),
)
EVENTS: list[e.Event] = [
    e.AlertMatched(alert=alert("Ev2"), because="same run"),
    diagnosed(),
    e.Planned(plan=Plan(version=1, cause="late_source", steps=(STEP,), reach=("raw_sessions",))),
    e.ApprovalRequested(request=REQUEST),
    e.Reminded(request_id="R1"),
    e.Escalated(request_id="R1", hop=1, to=SEAT, deadline=later(360)),
    e.DecisionMade(request_id="R1", decision=DECISION),
    e.ApprovalGranted(request_id="R1"),
    e.RequestRefused(request_id="R1"),
    e.RequestVoided(request_id="R1", why="the code changed"),
    e.StepReady(step_id="s1"),
    e.StepHeld(step_id="s1", why="everything is stopped"),
    e.ActionStarted(step_id="s1", key="DW-1:s1:0", approved_by=("U0ANA",), digest="sha256:0"),
    e.RunStarted(step_id="s1", run=RUN),
    e.ActionUncertain(step_id="s1", why="no answer"),
    e.StepDone(step_id="s1", run=RUN),
    e.VerificationStarted(step_ids=("s1",)),
    e.ReceiptIssued(number=1, hash="sha256:1"),
    e.IncidentResolved(receipt=1),
    e.HandedOver(to="growth", why="it is beyond me"),
]
_numbers = itertools.count(1)


def history(name: str, choose: Callable[[Any], Any]) -> tuple[Incident, list[list[e.Event]]]:
    """A way through the tables, in portions as they would be committed."""
    state, portions = open_incident(name, opened(), NOW), [[opened()]]
    for _ in range(choose(st.integers(0, 25))):
        may = [(event, after) for event in EVENTS if (after := _next(state, event)) is not None]
        event, state = choose(st.sampled_from(may)) if may else (None, state)
        if event is not None and choose(st.booleans()):
            portions[-1].append(event)
        elif event is not None:
            portions.append([event])
    return state, portions


def _next(state: Incident, event: e.Event) -> Incident | None:
    try:
        return advance(state, event, NOW)
    except (InvalidTransition, KeyError):
        return None


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
async def test_stored_loaded_and_replayed_are_one_state(
    store: SqlStore, data: st.DataObject
) -> None:
    name = f"DW-{next(_numbers)}"
    state, portions = history(name, data.draw)
    for events in portions:
        loaded = await store.load(name)
        await store.commit(change(name, loaded.version if loaded else 0, *events))
    assert await store.load(name) == replay(name, await store.entries(name)) == state
    line = next(x for x in await store.incidents(open_only=False, limit=9999) if x.id == name)
    assert (line.phase, line.updated_at) == (state.phase, state.updated_at)

"""Who decided, who was turned away, and what ran: the part of a receipt about people and runs."""

from collections.abc import Sequence
from typing import Any

from policies import events as e
from policies.figures import stamp
from policies.incident import Incident, StepState
from policies.people import Grant
from policies.plan import Step
from policies.run import Run

Plain = dict[str, Any]


def decisions(entries: Sequence[e.Entry]) -> list[Plain]:
    """Each decision that counted: who, what, when, where from and by which right, and if it was taken back."""
    back = {x.event.key: x.at for x in entries if isinstance(x.event, e.DecisionRevoked)}
    return [
        {
            "request": entry.event.request_id,
            "person": entry.event.decision.person,
            "name": entry.event.decision.name,
            "choice": entry.event.decision.choice,
            "at": stamp(entry.event.decision.at),
            "where": entry.event.decision.where,
            "reason": entry.event.decision.reason,
            "right": entry.event.decision.grant.because,
            "hop": entry.event.decision.grant.hop,
            "delegate": _delegate(entry.event.decision.grant),
            "step_up": entry.event.decision.step_up,
            "digest": entry.event.decision.digest,
            "taken_back_at": stamp(back.get(entry.event.decision.key)),
        }
        for entry in entries
        if isinstance(entry.event, e.DecisionMade)
    ]


def _delegate(grant: Grant) -> Plain | None:
    """For whom somebody decided, and until when that person was away."""
    if grant.for_person is None:
        return None
    return {"for": grant.for_person, "away_until": stamp(grant.until)}


def refused(entries: Sequence[e.Entry]) -> list[Plain]:
    """Each attempt to decide that did not count, and why."""
    return [
        {
            "request": entry.event.request_id,
            "person": entry.event.refusal.person,
            "at": stamp(entry.at),
            "why": entry.event.refusal.why,
        }
        for entry in entries
        if isinstance(entry.event, e.DecisionRefused)
    ]


def runs(incident: Incident, entries: Sequence[e.Entry]) -> list[Plain]:
    """Each step that was started or done: by whom, under whose yes, and how it ended."""
    steps = incident.plan.steps if incident.plan else ()
    started = {x.event.step_id: x.event for x in entries if isinstance(x.event, e.ActionStarted)}
    return [
        _doing(step, state, started.get(step.id))
        for step in steps
        if (state := incident.steps[step.id]).run or state.by or step.id in started
    ]


def _doing(step: Step, state: StepState, started: e.ActionStarted | None) -> Plain:
    return {
        "step": step.id,
        "title": step.title,
        "doer": step.doer,
        "phase": state.phase.value,
        "by": state.by,
        "key": state.key,
        "approved_by": list(started.approved_by) if started else [],
        "digest": started.digest if started else None,
        "recognised_because": state.why if step.doer == "person" else None,
        "problem": state.why if step.doer == "bot" else None,
        "run": _run(state.run) if state.run else None,
    }


def _run(run: Run) -> Plain:
    return {
        "connection": run.connection,
        "id": run.id,
        "job": run.job,
        "state": run.state.value,
        "partition": run.partition,
        "assets": list(run.assets),
        "url": run.url,
        "started_at": stamp(run.started_at),
        "ended_at": stamp(run.ended_at),
    }

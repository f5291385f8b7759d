"""A tap becomes a decision, or a refusal that says why. The right is resolved now and recorded."""

import structlog

from bot.commands import Decide
from bot.outbox import steps_due
from bot.ports import Due, NewDue
from bot.worker.context import Context
from bot.worker.stepping import held_by
from bot.worker.telling import already, named, outcome, refusals, whisper, whispers
from policies import events as e
from policies.approval import (
    ApprovalRequest,
    Approved,
    Decision,
    Expired,
    Pending,
    Refused,
    Void,
    lacks,
    weigh,
)
from policies.incident import Incident, RequestState
from policies.people import Grant, Person
from policies.standing import Refusal, entitle

log = structlog.get_logger("deciding")


async def decide(context: Context, due: Due, command: Decide) -> None:
    """Weigh one tap. Whatever comes of it, the person is told."""
    incident = await context.store.load(command.incident_id)
    state = incident.requests.get(command.request_id) if incident else None
    if incident is None or state is None:
        return await _unknown(context, due, command, incident)
    if not state.open or incident.phase.closed:
        return await whisper(context, due, command, named(command, already(state)))
    if command.digest != state.request.digest:
        return await _stale(context, due, command, incident)
    grant = await right(context, command.person, incident, state.request)
    grant = _complete(command, state.request, grant)
    if isinstance(grant, Refusal):
        return await _refuse(context, due, command, incident, grant)
    return await _count(context, due, command, incident, grant)


async def _unknown(context: Context, due: Due, command: Decide, incident: Incident | None) -> None:
    """A request of another incident, or of none: recorded where there is an incident to record it in."""
    log.warning("decision_on_nothing", person=command.person, request=command.request_id)
    context.metrics.clicks.labels(result="refused").inc()
    rows = whispers(context, command, "This request is not known any more. Nothing changed.")
    if incident is None:
        return await context.store.finish(due, rows)
    refusal = Refusal(person=command.person, why="there is no such request here", who_may=())
    event = e.DecisionRefused(request_id=command.request_id, key=command.key, refusal=refusal)
    await context.commit(incident, event, done=due, due=rows)
    return None


async def _stale(context: Context, due: Due, command: Decide, incident: Incident) -> None:
    """An old screen, or one that was tampered with: recorded like any other refusal."""
    why = "what you saw is not what would run any more"
    refusal = Refusal(person=command.person, why=why, who_may=())
    event = e.DecisionRefused(request_id=command.request_id, key=command.key, refusal=refusal)
    words = f"W{why[1:]}. Your tap did not count and nothing changed. Look at the new request."
    rows = whispers(context, command, named(command, words))
    await context.commit(incident, event, done=due, due=rows)
    context.metrics.clicks.labels(result="refused").inc()
    log.info("decision_refused", person=command.person, why=why)


async def right(
    context: Context, person: str, incident: Incident, request: ApprovalRequest
) -> Grant | Refusal:
    """The right of somebody to decide this request now: everything about it is asked afresh."""
    stop = await context.stopped(incident)
    if stop is not None:
        return Refusal(person=person, why=f"{held_by(stop)}, by <@{stop.by}>", who_may=())
    seats = [
        (hop, await context.directory.seated(seat, fresh=True)) for hop, seat in request.seats()
    ]
    known = await context.directory.person(person, fresh=True)
    return entitle(request, known or Person(id=person, deactivated=True), seats)


def _complete(command: Decide, request: ApprovalRequest, grant: Grant | Refusal) -> Grant | Refusal:
    """The right, unless the yes lacks what the rule wants with it."""
    why = lacks(request.rule, command.choice, command.reason, command.step_up)
    if isinstance(grant, Refusal) or why is None:
        return grant
    return Refusal(person=command.person, why=why, who_may=(command.person,))


async def _refuse(
    context: Context, due: Due, command: Decide, incident: Incident, refusal: Refusal
) -> None:
    event = e.DecisionRefused(request_id=command.request_id, key=command.key, refusal=refusal)
    who = ", ".join(f"<@{person}>" for person in refusal.who_may) or "nobody just now"
    words = f"Your tap did not count and nothing changed: {refusal.why}. Who may decide: {who}."
    await context.commit(incident, event, done=due, due=refusals(context, command, words))
    context.metrics.clicks.labels(result="refused").inc()
    log.info("decision_refused", person=command.person, why=refusal.why)


async def _count(
    context: Context, due: Due, command: Decide, incident: Incident, grant: Grant
) -> None:
    state = incident.requests[command.request_id]
    decision = _decision(command, grant)
    made = e.DecisionMade(request_id=command.request_id, decision=decision)
    verdict = _verdict(context, incident, state, decision)
    rows = outcome(context, command, verdict)
    if isinstance(verdict, Void):
        voided = e.RequestVoided(
            request_id=command.request_id, why=verdict.why, lines=verdict.lines
        )
        again = NewDue(
            kind="plan", key=f"plan:{incident.id}", at=context.now(), incident_id=incident.id
        )
        await context.commit(incident, voided, done=due, due=(*rows, again))
        return
    events: list[e.Event] = [made]
    match verdict:
        case Approved():
            events.append(e.ApprovalGranted(request_id=command.request_id))
        case Refused():
            events.append(e.RequestRefused(request_id=command.request_id))
        case Pending() | Expired():
            pass
    await context.commit(
        incident, *events, done=due, due=(*rows, steps_due(incident.id, context.now()))
    )
    context.metrics.clicks.labels(result="counted").inc()
    context.metrics.decisions.labels(choice=command.choice).inc()
    log.info(
        "decision_made",
        person=command.person,
        choice=command.choice,
        verdict=type(verdict).__name__,
    )


def _decision(command: Decide, grant: Grant) -> Decision:
    return Decision(
        key=command.key,
        person=command.person,
        name=command.name,
        choice=command.choice,
        digest=command.digest,
        at=command.at,
        where=command.where,
        grant=grant,
        reason=command.reason,
        step_up=command.step_up,
    )


def _verdict(
    context: Context, incident: Incident, state: RequestState, decision: Decision
) -> Approved | Pending | Refused | Expired | Void:
    if incident.plan is None:
        return Void(why="there is no plan any more")
    until = context.now() + context.domain(incident).act_within
    decisions = (*state.decisions, decision)
    return weigh(state.request, decisions, incident.plan, until=until, shown=state.shown)

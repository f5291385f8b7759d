"""Asks, reminds, and moves on to the next in the chain. No path here leads to a yes."""

from dataclasses import replace
from datetime import datetime, timedelta

import structlog

from bot.outbox import replan, steps_due
from bot.ports import Due, Lane, NewDue
from bot.worker.context import Context
from policies import escalation
from policies import events as e
from policies.absence import seen, told
from policies.approval import ApprovalRequest
from policies.deadline import Deadline
from policies.incident import Incident, RequestState
from policies.people import Away
from policies.standing import nobody, standing

log = structlog.get_logger("asking")
#: a tap made in time is waited for, but one that can't be weighed must not hold up the chain for ever
_TAPS_IN_HAND = timedelta(minutes=10)


def asking_rows(
    context: Context,
    incident_id: str,
    request: ApprovalRequest,
    *,
    since: datetime | None = None,
) -> tuple[NewDue, ...]:
    """What one turn of one request needs: find the people, remind at half time, expire at the end.

    `since` is when a turn began whose time was running already.
    """
    reminder = escalation.reminder_at(request, since)
    return _rows(incident_id, request, ask=context.now(), remind=reminder, expire=request.deadline)


def _rows(incident_id: str, request: ApprovalRequest, **times: datetime) -> tuple[NewDue, ...]:
    about = {"request": request.id, "hop": request.hop}
    where = f"{request.id}:{request.hop}"
    return tuple(
        NewDue(
            kind=kind,
            key=f"{kind}:{where}",
            at=at,
            lane=Lane.APPROVALS if kind == "ask" else Lane.ACTIONS,
            incident_id=incident_id,
            payload=about,
        )
        for kind, at in times.items()
    )


async def ask(context: Context, due: Due) -> None:
    """Find who sits in the seat whose turn it is; a seat that holds nobody passes the turn at once."""
    incident = await context.incident(due)
    state = _turn(incident, due)
    if state is None:
        return await context.store.finish(due)
    if await context.stopped(incident) is not None:
        return await context.store.again(due, context.later(context.pace.gate))
    event = await _found(context, incident, state.request)
    log.info("asked", request=state.request.id, hop=state.request.hop, people=len(event.people))
    if event.people:
        rows = _turn_rows(incident, state.request, event.until)
        await context.commit(incident, event, done=due, due=rows)
        return None
    return await _move_on(context, due, incident, state, event)


def _turn_rows(
    incident: Incident, request: ApprovalRequest, until: Deadline | None
) -> tuple[NewDue, ...]:
    """When the turn really ends is known only now."""
    if until is None:
        return ()
    return _rows(incident.id, request, remind=until.remind_at, expire=until.at)


async def _found(context: Context, incident: Incident, request: ApprovalRequest) -> e.PeopleAsked:
    """Who is asked: those who may and are there, and the delegates of those who are not."""
    seated = await context.directory.seated(request.turn.seat)
    able = standing(request.rule, [(request.hop, seated)])
    absent = {absence.person: absence for absence in seated.absent}
    people = tuple(person for person in able.who() if person not in absent)
    away = [told(absence, seated) for absence in seated.absent]
    for person in seated.people:
        if person.id in people:
            quiet = await context.directory.quiet_until(person.id)
            says = seen(person, quiet, context.rules.away)
            away += [Away(person=person.id, says=says, until=quiet)] if says else []
    there = (*seated.people, *(delegate.person for delegate in seated.delegates))
    zones = sorted({person.tz for person in there if person.id in people})
    domain, radius = context.domain(incident), incident.radius
    until = escalation.turn(request, domain, zones, radius, context.now()) if people else None
    return e.PeopleAsked(
        request_id=request.id,
        hop=request.hop,
        people=people,
        problem=None if people else nobody(seated, able),
        until=until,
        away=tuple(away),
    )


async def remind(context: Context, due: Due) -> None:
    """Half of the time is gone: say so once."""
    incident = await context.incident(due)
    state = _turn(incident, due)
    if state is None or state.reminded:
        return await context.store.finish(due)
    if context.now() < escalation.reminder_at(state.request):
        return await context.store.again(due, escalation.reminder_at(state.request))
    if await context.stopped(incident) is not None:
        return await context.store.again(due, context.later(context.pace.gate))
    await context.commit(incident, e.Reminded(request_id=state.request.id), done=due)
    return None


async def expire(context: Context, due: Due) -> None:
    """The time of this turn is over: the next is asked, or it is a no. A tap made in time goes first."""
    incident = await context.incident(due)
    state = _turn(incident, due)
    if state is None:
        return await context.store.finish(due)
    if context.now() < state.request.deadline:  # the turn has begun again since
        return await context.store.again(due, state.request.deadline)
    patient = context.now() < state.request.deadline + _TAPS_IN_HAND
    if patient and await context.store.pending("intake", incident.id):
        return await context.store.again(due, context.later(0.5))
    if await context.stopped(incident) is not None:
        return await context.store.again(due, context.later(context.pace.gate))
    return await _end_turn(context, due, incident, state)


async def too_late(
    context: Context, due: Due, incident: Incident, state: RequestState, at: datetime
) -> bool:
    """True for a tap that came after the end of the turn, which no row has ended yet: it ends now.

    The tap is taken up again after that: somebody earlier in the chain may still decide, if there is a
    next turn; and after the last one nobody may.
    """
    if at <= state.request.deadline or await context.stopped(incident) is not None:
        return False
    tap = NewDue(
        kind=due.kind,
        key=due.key,
        at=context.now(),
        lane=due.lane,
        incident_id=due.incident_id,
        payload=due.payload,
    )
    await _end_turn(context, due, incident, state, tap)
    return True


async def _end_turn(
    context: Context, due: Due, incident: Incident, state: RequestState, *also: NewDue
) -> None:
    if await _was_stopped(context, incident, state):
        return await _ask_afresh(context, due, incident, state, *also)
    return await _move_on(context, due, incident, state, also=also)


async def _was_stopped(context: Context, incident: Incident, state: RequestState) -> bool:
    """A stop took part of this turn's time, in which nobody could decide."""
    asked = state.request
    began = asked.deadline - timedelta(seconds=asked.turn.seconds)
    began = asked.until.began if asked.until else began
    scopes = {"*", f"domain:{incident.domain}"}
    return any(s.scope in scopes for s in await context.store.stops(lifted_after=began))


async def _ask_afresh(
    context: Context, due: Due, incident: Incident, state: RequestState, *also: NewDue
) -> None:
    why = "a stop took part of the time to decide; it is asked once more, with all of it"
    voided = e.RequestVoided(request_id=state.request.id, why=why)
    rows = (replan(incident.id, context.now()), *also)
    await context.commit(incident, voided, done=due, due=rows)
    log.info("asked_afresh", request=state.request.id)


async def _move_on(
    context: Context,
    due: Due,
    incident: Incident,
    state: RequestState,
    *before: e.Event,
    also: tuple[NewDue, ...] = (),
) -> None:
    escalated = escalation.next_hop(state.request, context.now())
    if escalated is None:
        expired = e.RequestExpired(request_id=state.request.id)
        rows = (steps_due(incident.id, context.now()), *also)
        await context.commit(incident, *before, expired, done=due, due=rows)
        log.info("request_expired", request=state.request.id)
        return
    moved = _moved(state.request, escalated)
    rows = (*asking_rows(context, incident.id, moved), *also)
    await context.commit(incident, *before, escalated, done=due, due=rows)
    log.info("escalated", request=state.request.id, hop=escalated.hop)


def _moved(request: ApprovalRequest, escalated: e.Escalated) -> ApprovalRequest:
    return replace(request, hop=escalated.hop, deadline=escalated.deadline, until=None)


def _turn(incident: Incident, due: Due) -> RequestState | None:
    """The request, while it is open and still at the hop this row was written for."""
    state = incident.requests.get(due.payload["request"])
    if state is None or not state.open or incident.phase.closed:
        return None
    return state if state.request.hop == due.payload["hop"] else None

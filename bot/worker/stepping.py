"""Looks at an incident's steps: which may start, what holds them, and whether all is done or stuck."""

import structlog

from bot.outbox import replan, steps_due
from bot.ports import Due, NewDue, Stop
from bot.worker.context import Context
from bot.worker.probing import measure
from policies import events as e
from policies.incident import Incident, StepPhase
from policies.outlook import Going, ReadyToVerify, Stuck, outlook
from policies.plan import Step

log = structlog.get_logger("stepping")

STOPPED = "stopped"
_HELD = (StepPhase.APPROVED, StepPhase.READY)


async def steps(context: Context, due: Due) -> None:
    """One look. Whatever can move is moved in one transaction; what waits is looked at again later."""
    incident = await context.incident(due)
    if incident.phase.closed:
        return await context.store.finish(due)
    context.domain(incident)  # gone from dw.yml: a person must take over
    if incident.plan is None:
        return await context.store.finish(due)
    match outlook(incident):
        case ReadyToVerify(step_ids=step_ids):
            return await _verify(context, due, incident, step_ids)
        case Stuck(why=why):
            return await _hand_over(context, due, incident, why)
        case Going():
            return await _start_what_may(context, due, incident)


async def _verify(
    context: Context, due: Due, incident: Incident, step_ids: tuple[str, ...]
) -> None:
    if incident.phase.value != "repairing":
        return await context.store.finish(due)
    event = e.VerificationStarted(step_ids=step_ids)
    await context.commit(incident, event, done=due, due=(_row(context, incident, "verify"),))
    return None


async def _hand_over(context: Context, due: Due, incident: Incident, why: str) -> None:
    event = e.HandedOver(to=incident.alert.asset or incident.domain, why=why)
    rows = (_row(context, incident, "receipt"),) if acted(incident) else ()
    await context.commit(incident, event, done=due, due=rows)
    log.info("handed_over", why=why)


async def _start_what_may(context: Context, due: Due, incident: Incident) -> None:
    voided = await lifted(context, incident)
    if voided is not None:
        await context.commit(incident, voided, done=due, due=(replan(incident.id, context.now()),))
        return
    events: list[e.Event] = []
    rows: list[NewDue] = []
    for step in _waiting(incident):
        event = await _look(context, incident, step)
        if event is not None:
            events.append(event)
    begun = {event.step_id for event in events if isinstance(event, e.StepReady)}
    for step in incident.plan.steps if incident.plan else ():
        if step.id in begun or incident.steps[step.id].phase is StepPhase.READY:
            kind = "act" if step.doer == "bot" else "watch"
            rows.append(_row(context, incident, kind, step.id))
    if _still_waiting(incident, begun):
        rows.append(steps_due(incident.id, context.later(context.pace.gate)))
    await _finish(context, due, incident, events, rows)


async def _finish(
    context: Context, due: Due, incident: Incident, events: list[e.Event], rows: list[NewDue]
) -> None:
    """The row for the next look has this row's own key: it is written after this one is done."""
    if events:
        await context.commit(incident, *events, done=due, due=tuple(rows))
    else:
        await context.store.finish(due, tuple(rows))


async def _look(
    context: Context, incident: Incident, step: Step
) -> e.StepReady | e.StepHeld | None:
    """Ready, or held with a reason; None when nothing has changed since the last look."""
    held = incident.steps[step.id].held
    stopped = await context.stopped(incident, step.connection)
    if stopped is not None:
        why = held_by(stopped)
        return None if held == why else e.StepHeld(step_id=step.id, why=why)
    if held is not None and held.startswith(STOPPED):
        return None  # lifted a moment ago: the next look asks again, this one must not start it
    results, _, passing = await measure(context, step.gate, len(incident.evidence) + 1, "gate")
    short = [result for result in results if result.passed is not True]
    if not short:
        return e.StepReady(step_id=step.id, results=results)
    why = "; ".join(f"{r.check}: {r.measured} (expected {r.expected})" for r in short)
    why = why if not passing else f"{why}; {passing[0]}"
    return None if held == why else e.StepHeld(step_id=step.id, why=why)


def _waiting(incident: Incident) -> tuple[Step, ...]:
    """Approved steps whose turn it is: everything before them is done."""
    if incident.plan is None:
        return ()
    return tuple(
        step
        for step in incident.plan.steps
        if incident.steps[step.id].phase is StepPhase.APPROVED
        and all(incident.steps[before].phase is StepPhase.DONE for before in step.after)
    )


def _still_waiting(incident: Incident, begun: set[str]) -> bool:
    return any(step.id not in begun for step in _waiting(incident))


def held_by(stop: Stop) -> str:
    """Why a step does not start while a stop is in force."""
    what = "everything" if stop.scope == "*" else stop.scope.replace(":", " ")
    return f"{STOPPED}: {what} ({stop.reason or 'no reason given'})"


async def lifted(context: Context, incident: Incident) -> e.RequestVoided | None:
    """A step that a stop held needs a fresh look once the stop is lifted: its request is asked again."""
    for step_id, state in incident.steps.items():
        asked = incident.request_of(step_id)
        if not (asked and state.held and state.held.startswith(STOPPED) and state.phase in _HELD):
            continue
        if await context.stopped(incident, incident.step(step_id).connection) is None:
            why = "it was held by a stop that is lifted now; look once more before it starts"
            return e.RequestVoided(request_id=asked.request.id, why=why)
    return None


def acted(incident: Incident) -> bool:
    """True when something was changed, by the bot or by a person for this plan: it leaves a receipt."""
    touched = (StepPhase.STARTED, StepPhase.DONE, StepPhase.FAILED, StepPhase.UNCERTAIN)
    return any(
        state.phase in touched and (state.run or state.key) for state in incident.steps.values()
    )


def _row(context: Context, incident: Incident, kind: str, step_id: str | None = None) -> NewDue:
    about = {"step": step_id} if step_id else {}
    tail = f":{step_id}" if step_id else ""
    return NewDue(
        kind=kind,
        key=f"{kind}:{incident.id}{tail}",
        at=context.now(),
        incident_id=incident.id,
        payload=about,
    )

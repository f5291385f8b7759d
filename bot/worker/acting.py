"""The one place that reaches an actuator.

`ActionStarted` is committed before the call. Whatever is found started without a known outcome is
looked up first, several times; only when the system surely has no such run may it be sent once more,
and when even that ends unknown a person is asked.
"""

from datetime import timedelta
from functools import partial

import structlog

from bot.outbox import replan, steps_due
from bot.ports import Due, NewDue
from bot.worker import delegating, drafting
from bot.worker.context import Context
from bot.worker.stepping import held_by, lifted
from connectors.base import Actuator
from connectors.errors import Broken, Final, TooSlow, Transient, Unreachable
from policies import events as e
from policies.approval import Approved, changed, less_reach, weigh
from policies.incident import Incident, StepPhase
from policies.plan import Step
from policies.playbook import NoPlan

log = structlog.get_logger("acting")
_SENDS = 2


def external_key(incident: Incident, step: Step) -> str:
    """The id under which the outside system knows this step: the same after any crash."""
    asked = incident.request_of(step.id)
    shown = asked.request.digest.removeprefix("sha256:")[:12] if asked else "unasked"
    return f"{incident.id}:{step.id}:{shown}"


async def act(context: Context, due: Due) -> None:
    """Start one ready step, or find out what became of one that was started."""
    incident = await context.incident(due)
    step_id = due.payload["step"]
    state = incident.steps.get(step_id)
    if state is None or incident.phase.value != "repairing":
        return await context.store.finish(due)
    if state.phase is StepPhase.READY:
        return await _begin(context, due, incident, incident.step(step_id))
    if state.phase is StepPhase.STARTED and state.run is None:
        return await _look_up(context, due, incident, incident.step(step_id))
    return await context.store.finish(due)


async def _begin(context: Context, due: Due, incident: Incident, step: Step) -> None:
    held, less = await _may_not(context, incident, step)
    if isinstance(held, e.RequestVoided):
        again = NewDue(
            kind="plan", key=f"plan:{incident.id}", at=context.now(), incident_id=incident.id
        )
        await context.commit(incident, held, done=due, due=(again,))
        return None
    if held is not None:
        return await _hold(context, due, incident, step, held)
    actuator = context.systems.actuators.get(step.connection)
    if actuator is None:
        why = (
            f"nothing was started: no actuator for {step.connection!r} "
            "(it is read-only, has no credential to act, or acting is off)"
        )
        return await _fail(context, due, incident, step, why)
    approved = _approved(context, incident, step)
    if approved is None:
        return await _lapsed(context, due, incident, step)
    begun = e.ActionStarted(
        step_id=step.id,
        key=external_key(incident, step),
        approved_by=tuple(decision.person for decision in approved.because),
        digest=approved.digest,
        less=less,
    )
    spend = delegating.spend(context, incident, step)
    incident = await context.commit(incident, begun, spend=spend)
    log.info("action_started", step=step.id, key=begun.key)
    return await _send(context, due, incident, step, actuator)


async def _send(
    context: Context, due: Due, incident: Incident, step: Step, actuator: Actuator
) -> None:
    approved = _approved(context, incident, step)
    if approved is None:
        why = "its approval ended before it surely ran: the system knows no run of it, and nothing is sent any more"
        return await _uncertain(context, due, incident, step, why)
    if await context.stopped(incident, step.connection) is not None:
        return await _look_later(context, due, sent=int(due.payload.get("sent", 0)))
    key = incident.steps[step.id].key or external_key(incident, step)
    try:
        with context.metrics.timed_action(step.connection):
            hold = partial(context.hold, due)
            run = await actuator.act(step, approved, key=key, now=context.now(), hold=hold)
    except Final as refused:
        return await _fail(context, due, incident, step, str(refused))
    except Unreachable as gone:
        log.warning("action_not_sent", problem=str(gone))
        return await _look_later(context, due, sent=int(due.payload.get("sent", 0)))
    except (TooSlow, Broken, Transient) as unknown:
        log.warning("action_unknown", problem=str(unknown))
        return await _look_later(context, due, sent=int(due.payload.get("sent", 0)) + 1)
    started = e.RunStarted(step_id=step.id, run=run, adopted=run.tags.get("dw/adopted") == "yes")
    await context.commit(incident, started, done=due, due=(_follow(context, incident, step),))
    return None


async def _look_up(context: Context, due: Due, incident: Incident, step: Step) -> None:
    """Started without a known outcome: ask the system for our key before anything else."""
    actuator = context.systems.actuators.get(step.connection)
    looks, sent = int(due.payload.get("looks", 0)), int(due.payload.get("sent", 1))
    if actuator is None:
        why = f"it was started, and {step.connection!r} can't be asked any more what became of it"
        return await _uncertain(context, due, incident, step, why)
    run = await actuator.find(incident.steps[step.id].key or external_key(incident, step), step)
    if run is not None:
        adopted = e.RunStarted(step_id=step.id, run=run, adopted=True)
        await context.commit(incident, adopted, done=due, due=(_follow(context, incident, step),))
        return None
    if looks < context.pace.look_ups:
        return await _look_later(context, due, sent=sent, looks=looks + 1)
    if sent >= _SENDS:
        why = "it was sent twice without an answer, and the system knows no run of it"
        return await _uncertain(context, due, incident, step, why)
    log.info("action_surely_absent", step=step.id)
    held, _ = await _unfit(context, incident, step)
    if isinstance(held, e.RequestVoided):
        why = f"it was about to start, the system knows no run of it, and nothing is sent any more: {held.why}"
        return await _uncertain(context, due, incident, step, why)
    if held is not None:
        return await _look_later(context, due, sent=sent)
    return await _send(context, due, incident, step, actuator)


async def _look_later(context: Context, due: Due, *, sent: int, looks: int = 0) -> None:
    row = NewDue(
        kind=due.kind,
        key=due.key,
        at=context.later(context.pace.look_up),
        incident_id=due.incident_id,
        payload={**due.payload, "sent": sent, "looks": looks},
    )
    await context.store.finish(due, (row,))


async def _may_not(
    context: Context, incident: Incident, step: Step
) -> tuple[str | e.RequestVoided | None, tuple[str, ...]]:
    """All that keeps it from starting, a stop that was lifted meanwhile too: the last look before starting.

    With it what a plan drafted now reaches less than was shown.
    """
    held, less = await _unfit(context, incident, step)
    return (held if held is not None else await lifted(context, incident)), less


async def _unfit(
    context: Context, incident: Incident, step: Step
) -> tuple[str | e.RequestVoided | None, tuple[str, ...]]:
    """Stop, or a plan that would not be drafted like this any more, as if this step had not begun."""
    stopped = await context.stopped(incident, step.connection)
    if stopped is not None:
        return held_by(stopped), ()
    asked = incident.request_of(step.id)
    if asked is None:
        return "nobody was asked for it", ()
    fresh = (await drafting.draw(context, incident, afresh=step.id)).plan
    name = asked.request.id
    if isinstance(fresh, NoPlan):
        return e.RequestVoided(request_id=name, why=fresh.why), ()
    void = changed(asked.request, fresh, asked.shown)
    if void is not None:
        return e.RequestVoided(request_id=name, why=void.why, lines=void.lines), ()
    why = await delegating.no_longer(context, incident, step)
    if why is not None:
        return e.RequestVoided(request_id=name, why=why), ()
    return None, less_reach(asked.request, fresh)


def _approved(context: Context, incident: Incident, step: Step) -> Approved | None:
    """Minted again from the journal, for this moment."""
    asked = incident.request_of(step.id)
    if (
        asked is None
        or asked.outcome != "approved"
        or asked.decided_at is None
        or incident.plan is None
    ):
        return None
    until = asked.decided_at + timedelta(
        seconds=context.domain(incident).act_within.total_seconds()
    )
    verdict = weigh(asked.request, asked.decisions, incident.plan, until=until)
    return verdict if isinstance(verdict, Approved) and context.now() <= until else None


async def _lapsed(context: Context, due: Due, incident: Incident, step: Step) -> None:
    """The yes was good for a while and that is over: it must be given again."""
    asked = incident.request_of(step.id)
    if asked is None:
        return await _hold(context, due, incident, step, "nobody was asked for it")
    voided = e.RequestVoided(request_id=asked.request.id, why="the approval has lapsed unused")
    await context.commit(incident, voided, done=due, due=(replan(incident.id, context.now()),))
    return None


async def _hold(context: Context, due: Due, incident: Incident, step: Step, why: str) -> None:
    row = NewDue(
        kind=due.kind,
        key=due.key,
        at=context.later(context.pace.gate),
        incident_id=due.incident_id,
        payload=due.payload,
    )
    if incident.steps[step.id].held == why:
        return await context.store.finish(due, (row,))
    await context.commit(incident, e.StepHeld(step_id=step.id, why=why), done=due, due=(row,))
    return None


async def _fail(context: Context, due: Due, incident: Incident, step: Step, why: str) -> None:
    event = e.StepFailed(step_id=step.id, why=why)
    rows = (steps_due(incident.id, context.now()),)
    await context.commit(incident, event, done=due, due=rows)
    log.error("step_failed", step=step.id, why=why)


async def _uncertain(context: Context, due: Due, incident: Incident, step: Step, why: str) -> None:
    event = e.ActionUncertain(step_id=step.id, why=why)
    rows = (steps_due(incident.id, context.now()),)
    await context.commit(incident, event, done=due, due=rows)
    log.error("action_uncertain", step=step.id, why=why)


def _follow(context: Context, incident: Incident, step: Step) -> NewDue:
    return NewDue(
        kind="follow",
        key=f"follow:{incident.id}:{step.id}",
        at=context.now(),
        incident_id=incident.id,
        payload={"step": step.id},
    )

"""At L0 and L1 nobody is asked: what it would have needed is kept, and later compared with what people did."""

from datetime import datetime, timedelta

import structlog

from bot.ports import Due, NewDue
from bot.worker import drafting
from bot.worker.context import Context
from bot.worker.stepping import acted
from policies import events as e
from policies.autonomy.shadow import by_hand, queued, would
from policies.incident import Incident, StepPhase
from policies.plan import Plan, Step

log = structlog.get_logger("observing")
_LATER = timedelta(hours=24)


def observed(
    context: Context, incident: Incident, plan: Plan | None, level: str
) -> tuple[e.Event, ...]:
    """Who owns it, and what each step would have needed; nothing when that was said already."""
    owner = drafting.owner(context, incident)
    told = e.Observed(level=level, owner=owner, would=would(plan) if plan else ())
    return () if told == incident.observed else (told,)


def shadow_row(context: Context, incident_id: str) -> NewDue:
    """The wish to look, a day later, whether people did by hand what would have been done."""
    now = context.now()
    return NewDue(
        kind="shadow",
        key=f"shadow:{incident_id}",
        at=now + _LATER,
        incident_id=incident_id,
        payload={"since": now.isoformat()},
    )


async def shadow(context: Context, due: Due) -> None:
    """One look; then it is theirs: an observed incident does not stay open for ever."""
    incident = await context.incident(due)
    if incident.phase.closed or incident.observed is None:
        return await context.store.finish(due)
    if _going(incident):
        return await context.store.again(due, context.now() + _LATER)
    since = datetime.fromisoformat(due.payload["since"])
    facts: list[e.Event] = []
    for step in queued(incident):
        facts += await _looked(context, step, since)
    why = f"at level {incident.observed.level} nobody is asked"
    why += "" if acted(incident) else " and nothing was changed"
    facts.append(e.HandedOver(to=incident.observed.owner, why=why))
    name, now = incident.id, context.now()
    receipt = NewDue(kind="receipt", key=f"receipt:{name}", at=now, incident_id=name)
    await context.commit(incident, *facts, done=due, due=(receipt,) if acted(incident) else ())
    log.info("shadow_seen", incident=incident.id, steps=len(facts) - 1)
    return None


def _going(incident: Incident) -> bool:
    """Somebody was asked, now or before its level fell, and that is not at its end."""
    live = (StepPhase.ASKED, StepPhase.APPROVED, StepPhase.READY, StepPhase.STARTED)
    return any(state.phase in live for state in incident.steps.values())


async def _looked(context: Context, step: Step, since: datetime) -> list[e.Event]:
    system = context.systems.orchestrators.get(step.connection)
    if system is None:
        return []
    job, partition = step.params.get("job"), step.params.get("partition")
    runs = await system.runs_since(
        since,
        job=str(job) if job else None,
        partition=str(partition) if partition else None,
    )
    run = by_hand(step, runs)
    return [e.ShadowSeen(step_id=step.id, change_class=step.change_class, run=run)]

"""What the level says must come of a plan: observe it, ask for it, or go on in the name of who delegated it.

Nothing here makes a right: a delegation becomes decisions of the people who gave it, and `weigh` counts them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

import structlog

from bot.outbox import steps_due
from bot.ports import NewDue, Spend
from bot.worker.asking import asking_rows
from bot.worker.context import Context
from bot.worker.observing import observed, shadow_row
from policies import escalation
from policies import events as e
from policies.approval import ApprovalRequest, Approved, weigh
from policies.autonomy import alone
from policies.autonomy.levels import EVERY, PROPOSE, InForce, LevelEntry, in_force, proven
from policies.autonomy.record import Record, record
from policies.autonomy.setting import is_admin
from policies.incident import Incident
from policies.people import Person
from policies.plan import Plan, Step
from policies.standing import ban

log = structlog.get_logger("delegating")


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """The facts and rows that follow from a plan."""

    facts: tuple[e.Event, ...] = ()
    rows: tuple[NewDue, ...] = ()


@dataclass(frozen=True, slots=True)
class _Delegation:
    entry: LevelEntry
    people: tuple[Person, ...]


async def put(context: Context, incident: Incident, plan: Plan) -> Outcome:
    """Whom to ask for what, as the levels are now; what may go on alone is granted in the same breath."""
    entries = await context.store.levels()
    rule = context.domain(incident)
    level = in_force(entries, incident.domain, EVERY, rule.level)
    if level.rank < PROPOSE:
        return Outcome(
            facts=observed(context, incident, plan, level.level),
            rows=(shadow_row(context, incident.id),),
        )
    withheld, delegations = await _above(context, incident, plan, entries)
    asked = escalation.requests(incident, plan, rule, context.now(), withheld)
    facts: list[e.Event] = []
    rows: list[NewDue] = []
    for request in asked:
        delegation = _of(request, delegations)
        granted = _granted(context, incident, plan, request, delegation) if delegation else ()
        if isinstance(granted, str):
            shown, granted = replace(request, asked_because=granted), ()
        else:
            shown = request
        facts += [e.ApprovalRequested(request=shown), *granted]
        again = (steps_due(incident.id, context.now()),)
        rows += again if granted else asking_rows(context, incident.id, shown)
    return Outcome(facts=tuple(facts), rows=tuple(rows))


async def no_longer(context: Context, incident: Incident, step: Step) -> str | None:
    """Why a step that was delegated may not start alone any more, or None. Asked again before it starts."""
    asked = incident.request_of(step.id)
    if asked is None or incident.plan is None or not alone.delegated(asked):
        return None
    level = _level(context, incident, step, await context.store.levels())
    if not level.alone or level.entry is None:
        return f"its level is {level.level} now"
    if {decision.person for decision in asked.decisions} != set(level.entry.by):
        return "it was delegated anew meanwhile"
    return alone.withheld(await _case(context, incident, incident.plan, step, level))


def spend(context: Context, incident: Incident, step: Step) -> Spend | None:
    """What a step that starts alone takes of the day's budget; it is taken with the start, or not at all."""
    asked, budget = incident.request_of(step.id), context.domain(incident).budget
    if asked is None or not alone.delegated(asked):
        return None
    return Spend(
        domain=incident.domain,
        day=f"{context.now():%Y-%m-%d}",
        limit=budget.runs_a_day if budget else 0,
        what=f"{incident.id}:{step.id}",
        cost=_cost(context, step) or 0,
        cost_limit=budget.cost_a_day if budget else None,
    )


def _cost(context: Context, step: Step) -> float | None:
    """What dw.yml says that a run of this step's job costs."""
    connection = context.rules.connections.get(step.connection)
    job = connection.jobs.get(str(step.params.get("job"))) if connection else None
    return job.cost if job else None


def _of(request: ApprovalRequest, delegations: dict[str, _Delegation]) -> _Delegation | None:
    """Who delegated what this request carries; it is alone in it, and nothing withholds it."""
    if len(request.step_ids) != 1 or request.asked_because:
        return None
    return delegations.get(request.step_ids[0])


async def _above(
    context: Context, incident: Incident, plan: Plan, entries: Sequence[LevelEntry]
) -> tuple[dict[str, str | None], dict[str, _Delegation]]:
    """Steps whose level is above L2: why they are asked for all the same, or who delegated them."""
    withheld: dict[str, str | None] = {}
    delegations: dict[str, _Delegation] = {}
    for step in plan.steps:
        if step.doer != "bot" or step.follow_up or not escalation.askable(incident, step):
            continue
        level = _level(context, incident, step, entries)
        if not level.alone or level.entry is None:
            continue
        case = await _case(context, incident, plan, step, level)
        withheld[step.id] = alone.withheld(case)
        delegations[step.id] = _Delegation(level.entry, case.standing.people)
        log.info("level_above_l2", step=step.id, level=level.level, withheld=withheld[step.id])
    return withheld, delegations


def _granted(
    context: Context,
    incident: Incident,
    plan: Plan,
    request: ApprovalRequest,
    delegation: _Delegation,
) -> tuple[e.Event, ...] | str:
    """The delegators' decisions and the grant, if `weigh` says that they amount to one; else why not."""
    now = context.now()
    for person in delegation.people:
        banned = ban(request.rule, person)
        if banned:
            return f"whoever delegated it may not decide this one ({banned})"
    made = alone.decisions(request, delegation.entry, delegation.people, now)
    until = now + context.domain(incident).act_within
    if not isinstance(weigh(request, made, plan, until=until), Approved):
        return "a yes given beforehand is not enough for this one"
    facts = [e.DecisionMade(request_id=request.id, decision=one) for one in made]
    return (*facts, e.ApprovalGranted(request_id=request.id))


def _level(
    context: Context, incident: Incident, step: Step, entries: Sequence[LevelEntry]
) -> InForce:
    start = context.domain(incident).level
    return in_force(entries, incident.domain, step.change_class, start)


async def _case(
    context: Context, incident: Incident, plan: Plan, step: Step, level: InForce
) -> alone.Case:
    entry, domain = level.entry, context.domain(incident)
    receipt = await context.store.receipt(entry.receipt) if entry and entry.receipt else None
    standing = alone.Standing(
        level=level,
        on_record=entry is not None and proven(entry, receipt),
        people=await _still_admins(context, entry.by if entry else ()),
        record=await _record(context, incident, step),
        spent=await context.store.spent(incident.domain, f"{context.now():%Y-%m-%d}"),
        stopped=await _was_stopped(context, incident, step),
        paid=await context.store.paid(incident.domain, f"{context.now():%Y-%m-%d}"),
        cost=_cost(context, step),
    )
    return alone.Case(step=step, incident=incident, plan=plan, domain=domain, standing=standing)


async def _still_admins(context: Context, ids: Sequence[str]) -> tuple[Person, ...]:
    """Those who delegated and could do so now: somebody who left takes their delegation along."""
    known = [await context.directory.person(one, fresh=True) for one in ids]
    return tuple(p for p in known if p is not None and is_admin(context.rules, p))


async def _record(context: Context, incident: Incident, step: Step) -> Record:
    rule, now = context.domain(incident).record, context.now()
    found = await context.store.receipts_since(now - timedelta(days=rule.days))
    bodies = [receipt.body for receipt in found]
    return record(bodies, incident.domain, step.change_class, now, rule)


async def _was_stopped(context: Context, incident: Incident, step: Step) -> bool:
    scopes = {"*", f"domain:{incident.domain}", f"connection:{step.connection}"}
    lifted = await context.store.stops(lifted_after=incident.opened_at)
    return any(stop.scope in scopes for stop in lifted)

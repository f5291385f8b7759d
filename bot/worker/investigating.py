"""From alert to plan: asks what the diagnosis wants to know, draws the reach, drafts the plan, asks."""

from collections.abc import Generator
from dataclasses import replace
from functools import reduce
from math import inf

import structlog

from bot.outbox import join_due, receipt_due, replan
from bot.ports import Due, NewDue
from bot.worker import authoring, drafting, naming
from bot.worker.context import Context
from bot.worker.delegating import Outcome, put
from bot.worker.probing import Answers, ask, measure
from bot.worker.stepping import acted
from connectors.errors import Transient
from policies import correlation
from policies import events as e
from policies.approval import changed
from policies.checks import checks_for
from policies.diagnosis import changes
from policies.diagnosis import diagnose as think
from policies.evidence import Diagnosis, Evidence, Probe
from policies.incident import Incident, StepPhase
from policies.lifecycle import advance
from policies.plan import Plan
from policies.playbook import NoPlan

log = structlog.get_logger("investigating")
_FEW = 3
_UNBEGUN = (StepPhase.ASKED, StepPhase.APPROVED, StepPhase.READY)
Thought = Generator[tuple[Probe, ...], tuple[Evidence, ...], Diagnosis]


async def diagnose(context: Context, due: Due) -> None:
    """Ask until the diagnosis is content. A system that is down is said once and asked again later."""
    incident = await context.incident(due)
    if incident.phase.closed or incident.diagnosis is not None:
        return await context.store.finish(due)
    found, passing, diagnosis = await _think(context, incident, due.attempts)
    if passing and due.attempts < context.pace.attempts:
        await _say_once(context, incident, due, found)
        raise Transient("; ".join(dict.fromkeys(passing)))
    found += await authoring.matched(context, incident, found)
    facts = [e.EvidenceFound(evidence=piece) for piece in found]
    work = NewDue(kind="plan", key=f"plan:{incident.id}", at=context.now(), incident_id=incident.id)
    await context.commit(incident, *facts, e.Diagnosed(diagnosis=diagnosis), done=due, due=(work,))
    cause = diagnosis.cause
    log.info("diagnosed", cause=cause.name if cause else None, evidence=len(found))
    return None


async def _think(
    context: Context, incident: Incident, attempts: int
) -> tuple[list[Evidence], list[str], Diagnosis]:
    thought: Thought = think(incident, context.rules)
    found: list[Evidence] = []
    passing: list[str] = []
    try:
        probes = next(thought)
        while True:
            first = len(incident.evidence) + len(found) + 1
            answers: Answers = await ask(context, probes, first)
            found += answers.evidence
            passing += answers.passing if attempts < _patience(probes) else ()
            probes = thought.send(answers.evidence)
    except StopIteration as end:
        return found, passing, end.value


def _patience(probes: tuple[Probe, ...]) -> float:
    """How often a question is tried again: the night does not wait long to hear who changed the code."""
    return _FEW if {probe.name for probe in probes} == {changes.NAME} else inf


async def _say_once(context: Context, incident: Incident, due: Due, found: list[Evidence]) -> None:
    """Numbered anew: what is found when it is asked again must not carry the same id."""
    if due.attempts == 1:
        silent = [piece for piece in found if not piece.answered]
        numbered = enumerate(silent, start=len(incident.evidence) + 1)
        facts = [e.EvidenceFound(evidence=replace(one, id=f"E{n}")) for n, one in numbered]
        await context.commit(incident, *facts)


async def plan(context: Context, due: Due) -> None:
    """Draw the reach, measure the numbers as they are, draft the plan, and ask where the level says so."""
    incident = await context.incident(due)
    if incident.phase.closed or incident.diagnosis is None:
        return await context.store.finish(due)
    stopped = await context.stopped(incident) is not None
    if stopped and incident.plan is not None:
        return await context.store.again(due, context.later(context.pace.gate))
    draft = await drafting.draw(context, incident)
    facts = list(draft.facts)
    if incident.plan is None:
        facts += await _before(context, incident, len(draft.facts))
    if isinstance(draft.plan, NoPlan):
        return await _no_plan(context, due, incident, draft.plan, facts)
    void = _void_now(incident, draft.plan)
    named = await naming.names(context, incident, draft.plan, draft.radius)
    facts += [*void, e.Planned(plan=draft.plan, named=named)]
    if stopped:
        come = Outcome(rows=(replan(incident.id, context.later(context.pace.gate)),))
    else:
        asked = reduce(lambda known, event: advance(known, event, context.now()), void, incident)
        come = await put(context, asked, draft.plan)
    keys = correlation.reach_keys(draft.radius)
    rows = (*come.rows, join_due(incident.id, context.now()))
    await context.commit(incident, *facts, *come.facts, done=due, due=rows, keys=keys)
    log.info("planned", steps=len(draft.plan.steps), then=len(come.facts))
    return None


def _void_now(incident: Incident, plan: Plan) -> list[e.RequestVoided]:
    """Requests that wait, or whose yes is not used yet, and that show other than what would run now."""
    found: list[e.RequestVoided] = []
    for name, state in incident.requests.items():
        known = (incident.steps[s] for s in state.request.step_ids if s in incident.steps)
        waits = any(step.phase in _UNBEGUN for step in known)
        void = changed(state.request, plan, state.shown)
        if state.outcome in (None, "approved") and waits and void is not None:
            found.append(e.RequestVoided(request_id=name, why=void.why, lines=void.lines))
    return found


async def _no_plan(
    context: Context, due: Due, incident: Incident, none: NoPlan, facts: list[e.Event]
) -> None:
    """A person takes over, once nothing of an earlier plan runs any more; what it changed has a receipt."""
    if any(state.phase is StepPhase.STARTED for state in incident.steps.values()):
        return await context.store.again(due, context.later(context.pace.gate))
    now = context.now()
    facts.append(e.HandedOver(to=drafting.owner(context, incident), why=none.why))
    receipt = (receipt_due(incident.id, now),) if acted(incident) else ()
    rows = (*receipt, join_due(incident.id, now))
    await context.commit(incident, *facts, done=due, due=rows)
    return None


async def _before(context: Context, incident: Incident, facts: int) -> list[e.Event]:
    """The numbers as they are before anything is done, for the receipt."""
    checks = checks_for(context.domain(incident), drafting.partition(incident))
    first = len(incident.evidence) + facts + 1
    results, evidence, _ = await measure(context, checks, first, "before")
    found: list[e.Event] = [e.EvidenceFound(evidence=piece) for piece in evidence]
    return [*found, e.ChecksRun(results=results)] if results else found

"""From alert to plan: asks what the diagnosis wants to know, draws the reach, drafts the plan, asks."""

from collections.abc import Generator

import structlog
from policies.diagnosis import diagnose as think
from policies.playbook import NoPlan, draft

from bot.ports import Due, NewDue
from bot.worker.asking import asking_rows
from bot.worker.context import Context
from bot.worker.probing import Answers, ask
from connectors.errors import NotFound, Transient
from policies import blast_radius, correlation, escalation
from policies import events as e
from policies.evidence import Diagnosis, Evidence, Probe
from policies.incident import Incident
from policies.lineage import Lineage

log = structlog.get_logger("investigating")
Thought = Generator[tuple[Probe, ...], tuple[Evidence, ...], Diagnosis]


async def diagnose(context: Context, due: Due) -> None:
    """Ask until the diagnosis is content. A system that is down is said once and asked again later."""
    incident = await context.incident(due)
    if incident.phase.closed or incident.diagnosis is not None:
        return await context.store.finish(due)
    found, passing, diagnosis = await _think(context, incident)
    if passing and due.attempts < context.pace.attempts:
        await _say_once(context, incident, due, found)
        raise Transient("; ".join(dict.fromkeys(passing)))
    facts = [e.EvidenceFound(evidence=piece) for piece in found]
    work = NewDue(kind="plan", key=f"plan:{incident.id}", at=context.now(), incident_id=incident.id)
    await context.commit(incident, *facts, e.Diagnosed(diagnosis=diagnosis), done=due, due=(work,))
    cause = diagnosis.cause
    log.info("diagnosed", cause=cause.name if cause else None, evidence=len(found))
    return None


async def _think(
    context: Context, incident: Incident
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
            passing += answers.passing
            probes = thought.send(answers.evidence)
    except StopIteration as end:
        return found, passing, end.value


async def _say_once(context: Context, incident: Incident, due: Due, found: list[Evidence]) -> None:
    if due.attempts == 1:
        facts = [e.EvidenceFound(evidence=piece) for piece in found if not piece.answered]
        await context.commit(incident, *facts)


async def plan(context: Context, due: Due) -> None:
    """Draw the reach, measure the numbers as they are, draft the plan, and ask where the level says so."""
    incident = await context.incident(due)
    if incident.phase.closed or incident.diagnosis is None:
        return await context.store.finish(due)
    lineage = await _lineage(context, incident)
    radius = await _radius(context, incident, lineage)
    drafted = draft(incident, context.rules, lineage, await _versions(context, incident), radius)
    before, evidence, _ = await _before(context, incident)
    facts: list[e.Event] = [e.EvidenceFound(evidence=piece) for piece in evidence]
    facts.append(e.RadiusDrawn(radius=radius))
    if before:
        facts.append(e.ChecksRun(results=before))
    keys = correlation.reach_keys(incident.alert.connection, radius)
    if isinstance(drafted, NoPlan):
        owner = _owner(context, incident)
        facts.append(e.HandedOver(to=owner, why=drafted.why))
        await context.commit(incident, *facts, done=due)
        return None
    asked = _asked(context, incident, drafted, facts)
    rows = tuple(row for request in asked for row in asking_rows(context, incident.id, request))
    await context.commit(incident, *facts, done=due, due=rows, keys=keys)
    log.info("planned", steps=len(drafted.steps), requests=len(asked))
    return None


def _asked(context, incident, drafted, facts):  # type: ignore[no-untyped-def]
    facts.append(e.Planned(plan=drafted))
    if incident.level in ("L0", "L1"):
        return ()
    domain = context.domain(incident)
    asked = escalation.requests(incident, drafted, domain, context.now())
    facts += [e.ApprovalRequested(request=request) for request in asked]
    return asked


async def _lineage(context: Context, incident: Incident) -> Lineage:
    asset = incident.alert.asset or _asset_of(incident)
    system = context.systems.orchestrators.get(incident.alert.connection)
    notes = blast_radius.noted(context.rules.notes)
    if system is None or asset is None:
        return notes
    try:
        return (await system.lineage(asset)).merged(notes)
    except NotFound:
        return notes

"""Draws the reach and drafts the plan from what the systems say now. Used to plan, and again before acting."""

from dataclasses import dataclass, replace

from bot.worker.context import Context
from bot.worker.probing import ask
from connectors.errors import ConnectorError, NotFound
from policies import blast_radius
from policies import events as e
from policies.evidence import Evidence, Json, Probe
from policies.facts import Facts
from policies.incident import BEGUN, Incident
from policies.lifecycle import advance
from policies.lineage import BlastRadius, Lineage
from policies.plan import Plan
from policies.playbook import NoPlan, draft


@dataclass(frozen=True, kw_only=True, slots=True)
class Draft:
    """What was drawn: the facts to store with it, the radius, and the plan or why there is none."""

    facts: tuple[e.Event, ...]
    radius: BlastRadius
    plan: Plan | NoPlan


async def draw(context: Context, incident: Incident, *, afresh: str | None = None) -> Draft:
    """Ask lineage, states and code versions, and draft. Nothing is stored here.

    `afresh` is a step that is drafted anew although it has begun.
    """
    lineage, unread = await _lineage(context, incident)
    probes = blast_radius.questions(incident, lineage)
    answers = await ask(context, probes, len(incident.evidence) + len(unread) + 1)
    radius = blast_radius.draw(
        incident,
        lineage,
        context.rules.notes,
        _states(answers.evidence[0].value if answers.evidence else {}),
        domain=context.domain(incident),
    )
    facts: list[e.Event] = [
        e.EvidenceFound(evidence=piece) for piece in (*unread, *answers.evidence)
    ]
    facts.append(e.RadiusDrawn(radius=radius))
    ahead = incident
    for fact in facts:
        ahead = advance(ahead, fact, context.now())
    wanted = _jobs(ahead, draft(ahead, context.rules, lineage, {}))
    plan = draft(ahead, context.rules, lineage, await _versions(context, wanted))
    return Draft(facts=tuple(facts), radius=radius, plan=_with_begun(incident, plan, afresh))


def _with_begun(incident: Incident, plan: Plan | NoPlan, afresh: str | None) -> Plan | NoPlan:
    """What has begun stays in the plan as it was shown: it is followed, and its receipt tells what ran."""
    if isinstance(plan, NoPlan) or incident.plan is None:
        return plan
    steps = [step for step in incident.plan.steps if step.id != afresh]
    begun = {step.id: step for step in steps if incident.steps[step.id].phase in BEGUN}
    known = {step.id for step in plan.steps}
    gone = tuple(step for name, step in begun.items() if name not in known)
    return replace(plan, steps=(*gone, *(begun.get(step.id, step) for step in plan.steps)))


def partition(incident: Incident) -> str | None:
    """The partition this trouble is about."""
    return Facts.of(incident).partition


def owner(context: Context, incident: Incident) -> str:
    """Who to hand over to when there is no plan: the asset's owner, else the first named in the chain."""
    asset = blast_radius.root(incident)
    domain = context.domain(incident)
    named = domain.owner_of(asset) if asset else None
    return named or next(
        (link.who for link in domain.chain if link.who != "owner"), incident.domain
    )


async def _lineage(context: Context, incident: Incident) -> tuple[Lineage, tuple[Evidence, ...]]:
    """All that is known of what feeds what, and the files that could not be read, for people to know."""
    known, unread = await _from_files(context, incident)
    known = await _with_system(context, incident, known)
    known, silent = await _with_others(context, incident, known, len(unread))
    return known, (*unread, *silent)


async def _from_files(context: Context, incident: Incident) -> tuple[Lineage, tuple[Evidence, ...]]:
    known = blast_radius.noted(context.rules.notes).merged(blast_radius.from_jobs(context.rules))
    unread: list[Evidence] = []
    for file in context.systems.manifests:
        try:
            known = known.merged(await file.lineage())
        except ConnectorError as problem:
            number = len(incident.evidence) + len(unread) + 1
            probe = Probe(connection="dbt", name="lineage", params={"file": file.name})
            unread.append(
                Evidence(id=f"E{number}", probe=probe, at=context.now(), problem=str(problem))
            )
    return known, tuple(unread)


async def _with_system(context: Context, incident: Incident, known: Lineage) -> Lineage:
    asset = blast_radius.root(incident)
    system = context.systems.orchestrators.get(incident.alert.connection)
    if system is None or asset is None:
        return known
    try:
        return (await system.lineage(asset)).merged(known)
    except NotFound:
        return known


async def _with_others(
    context: Context, incident: Incident, known: Lineage, unread: int
) -> tuple[Lineage, tuple[Evidence, ...]]:
    """A trouble does not end where another system begins; one that does not answer is said."""
    asset = blast_radius.root(incident)
    silent: list[Evidence] = []
    for name, system in context.systems.orchestrators.items() if asset else ():
        if name == incident.alert.connection:
            continue
        try:
            known = known.merged(await system.lineage(asset or ""))
        except NotFound:
            continue
        except ConnectorError as problem:
            number = len(incident.evidence) + unread + len(silent) + 1
            probe = Probe(connection=name, name="lineage", params={"asset": asset})
            silent.append(
                Evidence(id=f"E{number}", probe=probe, at=context.now(), problem=str(problem))
            )
    return known, tuple(silent)


def _jobs(incident: Incident, first: Plan | NoPlan) -> set[str]:
    """The jobs whose code this plan depends on: those it runs, and the one that failed."""
    steps = () if isinstance(first, NoPlan) else first.steps
    named = {str(step.params["job"]) for step in steps if "job" in step.params}
    failed = Facts.of(incident).job
    return named | ({failed} if failed else set())


async def _versions(context: Context, wanted: set[str]) -> dict[str, str | None]:
    """The code each of these would run now, where dw.yml names it; no other job is asked about."""
    found: dict[str, str | None] = {}
    for name, connection in context.rules.connections.items():
        system = context.systems.orchestrators.get(name)
        for job in wanted & set(connection.jobs) if system else ():
            try:
                found[job] = await system.code_version(job) if system else None
            except NotFound:
                found[job] = None
    return found


def _states(value: object) -> dict[str, Json]:
    states = value.get("assets") if hasattr(value, "get") else None
    return states if isinstance(states, dict) else {}

"""Whether an alert is of a trouble that is open already: the same, a consequence, its beginning, or the same error again."""

from dataclasses import dataclass, replace

import structlog

from bot.outbox import shows
from bot.ports import Change, Due, NewDue, StaleIncident
from bot.worker.context import Context
from bot.worker.observing import shadow_row
from policies import correlation
from policies import events as e
from policies.alert import Alert
from policies.autonomy.levels import EVERY, in_force
from policies.incident import Incident, Phase
from policies.recurrence import LOOKED_BACK, Recurrence, occasion_of
from policies.settling import settled

log = structlog.get_logger("correlating")
#: until somebody's yes is in use the cause may still move
_MAY_MOVE = (Phase.OPEN, Phase.DIAGNOSED, Phase.PLANNED, Phase.HANDED_OVER)
_RECENT = 20


@dataclass(frozen=True, slots=True)
class Match:
    """The open incident an alert belongs to; `above`: what fails is what the incident's asset is built from."""

    incident: Incident
    above: bool = False


async def match(context: Context, alert: Alert) -> Match | None:
    """The open incident this alert belongs to, the surest reason first; None: it is a trouble of its own."""
    same = await _open(context, correlation.finds(alert))
    if same is not None:
        return Match(same)
    reached = await _open(context, correlation.downstream_keys(alert, context.rules))
    if reached is not None and _together(context, reached):
        return Match(reached)
    above = await _open(context, correlation.upstream_keys(alert, context.rules))
    above = above or await _handed_over_below(context, alert)
    if above is not None and _together(context, above):
        return Match(above, above=True)
    again = await _open(context, correlation.error_keys(alert))
    taken = again or await _taken(context, alert)
    return Match(taken) if taken is not None else None


async def attach(
    context: Context, due: Due, alert: Alert, found: Match, also: tuple[NewDue, ...] = ()
) -> None:
    """Put it to that incident; when it is where the trouble began, the cause is looked for afresh."""
    incident, now = found.incident, context.now()
    if any(known.signal_key == alert.signal_key for known in incident.alerts):
        return await context.store.finish(due, also)
    occasion = None if correlation.same_occasion(alert, incident) else occasion_of(alert)
    again = await recurrence(context, alert, incident.id) if occasion else None
    moves = found.above and incident.phase in _MAY_MOVE
    event = e.AlertMatched(alert=alert, because=_because(context, alert, found), again=again)
    if moves:
        event = await _as_root(context, event, incident)
    facts = (*(_before(incident, alert) if moves else ()), event, *settled(incident, alert))
    change = Change(
        incident_id=incident.id,
        base=incident.version,
        at=now,
        events=facts,
        keys=correlation.keys(alert),
        due=(
            *shows(incident, facts, now),
            *((_look(context, incident.id, event),) if moves else ()),
            *also,
        ),
        occasion=occasion,
        done=due,
    )
    await context.store.commit(change)
    log.info("alert_matched", incident=incident.id, title=alert.title, moves=moves)
    return None


async def recurrence(context: Context, alert: Alert, mine: str | None = None) -> Recurrence | None:
    """How often this error came lately, this time included; None when it is the first time."""
    occasion = occasion_of(alert)
    if occasion is None:
        return None
    seen = await context.store.times(occasion.error, context.now() - LOOKED_BACK)
    if seen.count == 0:
        return None
    others = [name for name in seen.incidents if name != mine]
    newest = await context.store.load(others[0]) if others else None
    return Recurrence(
        times=seen.count + 1,
        last=others[0] if others else None,
        ended=_ending(newest) if newest else None,
        before=tuple(others[1:]),
    )


def first_look(context: Context, incident_id: str, level: str) -> NewDue:
    """What is done first about a trouble: look for its cause, or watch what people do at level L0."""
    if level == "L0":
        return shadow_row(context, incident_id)
    key = f"diagnose:{incident_id}"
    return NewDue(kind="diagnose", key=key, at=context.now(), incident_id=incident_id)


async def _open(context: Context, keys: tuple[str, ...]) -> Incident | None:
    name = await context.store.find(keys) if keys else None
    if name is None:
        return None
    incident = await context.store.load(name)
    if incident is None or incident.phase.closed:
        raise StaleIncident(f"{name} closed meanwhile")
    return incident


async def _handed_over_below(context: Context, alert: Alert) -> Incident | None:
    """Something built from it was handed over for want of a plan: it goes on there, in one thread."""
    assets = set(correlation.about(alert, context.rules)) if alert.kind.opens() else set()
    lines = await context.store.incidents(open_only=False, limit=_RECENT) if assets else ()
    for line in lines:
        known = await context.store.load(line.id) if line.phase is Phase.HANDED_OVER else None
        if known and known.plan is None and known.radius and assets & set(known.radius.above):
            return known
    return None


async def _taken(context: Context, alert: Alert) -> Incident | None:
    """A person took this very error over a while ago, with no plan for it: it is told to their thread."""
    occasion = occasion_of(alert)
    if occasion is None:
        return None
    seen = await context.store.times(occasion.error, context.now() - LOOKED_BACK)
    newest = await context.store.load(seen.incidents[0]) if seen.incidents else None
    taken = newest is not None and newest.phase is Phase.HANDED_OVER and newest.plan is None
    return newest if newest and taken and _together(context, newest) else None


def _together(context: Context, incident: Incident) -> bool:
    """Consequences come soon after; what fails days later is a trouble of its own."""
    return context.now() - incident.opened_at <= context.rules.together_within


def _because(context: Context, alert: Alert, found: Match) -> str:
    incident = found.incident
    assets = correlation.about(alert, context.rules)
    if not found.above:
        return correlation.because(alert, incident, assets)
    root = incident.radius.root if incident.radius else incident.title
    says = f"{root} is built from {', '.join(assets)}"
    goes_on = "; the repair that is under way goes on, look at both"
    return says if incident.phase in _MAY_MOVE else says + goes_on


async def _as_root(context: Context, event: e.AlertMatched, incident: Incident) -> e.AlertMatched:
    """The trouble began there: it is that domain's from now on, at that domain's level."""
    assets = correlation.about(event.alert, context.rules)
    domain = context.rules.domain_of(*assets, event.alert.job) or incident.domain
    rule = context.rules.domains.get(domain)
    if rule is None:
        return replace(event, root=True)
    level = in_force(await context.store.levels(), domain, EVERY, rule.level).level
    return replace(event, root=True, domain=domain, level=level)


def _before(incident: Incident, alert: Alert) -> list[e.Event]:
    """What was asked for no longer counts, and what was given up is taken up again."""
    why = (
        f"the trouble began further up: {alert.title}. What was asked for mends only a consequence"
    )
    if incident.phase is Phase.HANDED_OVER:
        return [e.Reopened(why=why)]
    return [e.RequestVoided(request_id=s.request.id, why=why) for s in incident.open_requests()]


def _look(context: Context, incident_id: str, event: e.AlertMatched) -> NewDue:
    return first_look(context, incident_id, event.level or "")


def _ending(incident: Incident) -> str | None:
    """How an incident ended, and by whose yes; None while it is open."""
    if not incident.phase.closed:
        return None
    said = incident.phase.value.replace("_", " ")
    yes = [
        d.name or d.person
        for r in incident.requests.values()
        for d in r.decisions
        if d.choice == "yes"
    ]
    by = f" with a yes of {', '.join(dict.fromkeys(yes))}" if yes else ""
    why = f": {incident.closed_because}" if incident.closed_because else ""
    return f"{said}{by}{why}"

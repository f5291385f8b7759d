"""What becomes of an alert that is of a trouble known already: it is put to it, and the cause may move."""

from dataclasses import replace

import structlog

from bot.outbox import join_due, replan, shows
from bot.ports import Change, Due, NewDue
from bot.worker.context import Context
from bot.worker.matching import Match
from bot.worker.observing import shadow_row
from policies import backfills, correlation
from policies import events as e
from policies.alert import Alert
from policies.autonomy.levels import EVERY, in_force
from policies.incident import Incident, Phase
from policies.joining import movable
from policies.recurrence import LOOKED_BACK, Recurrence, occasion_of
from policies.settling import settled

log = structlog.get_logger("correlating")
_TOGETHER, _AT_MOST = 30.0, 600.0


async def attach(
    context: Context, due: Due, alert: Alert, found: Match, also: tuple[NewDue, ...] = ()
) -> None:
    """Put it to that incident; when it is where the trouble began, the cause is looked for afresh."""
    incident, now = found.incident, context.now()
    if any(known.signal_key == alert.signal_key for known in incident.alerts):
        return await context.store.finish(due, also)
    occasion = None if correlation.same_occasion(alert, incident) else occasion_of(alert)
    again = await recurrence(context, alert, incident.id) if occasion else None
    moves = found.above and movable(incident)
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
            *(_afresh(context, incident.id, event) if moves else ()),
            *_wider(context, incident, alert),
            *also,
        ),
        occasion=occasion,
        done=due,
    )
    await context.store.commit(change)
    log.info("alert_matched", incident=incident.id, title=alert.title, moves=moves)
    return None


def _wider(context: Context, incident: Incident, alert: Alert) -> tuple[NewDue, ...]:
    """One more partition of a backfill: the plan is drafted anew, once for those that come together.

    The more there are the longer others are waited for, so that nobody is asked anew for each of them.
    """
    if not backfills.widens(incident, alert):
        return ()
    wait = min(_TOGETHER * len(backfills.failed(incident)), _AT_MOST)
    return (replan(incident.id, context.later(wait)),)


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


def _because(context: Context, alert: Alert, found: Match) -> str:
    incident = found.incident
    assets = correlation.about(alert, context.rules)
    if not found.above:
        return correlation.because(alert, incident, assets)
    root = incident.radius.root if incident.radius else incident.title
    says = f"{root} is built from {', '.join(assets)}"
    goes_on = "; the repair that is under way goes on, look at both"
    return says if movable(incident) else says + goes_on


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


def _afresh(context: Context, incident_id: str, event: e.AlertMatched) -> tuple[NewDue, ...]:
    """Look for the cause from there; and what else was a consequence of it joins."""
    return (
        first_look(context, incident_id, event.level or ""),
        join_due(incident_id, context.now()),
    )


def _ending(incident: Incident) -> str | None:
    """How an incident ended, and by whose yes; None while it is open."""
    if not incident.phase.closed:
        return None
    said = f"joined {incident.joined}" if incident.joined else _phase(incident)
    yes = [
        d.name or d.person
        for r in incident.requests.values()
        for d in r.decisions
        if d.choice == "yes"
    ]
    by = f" with a yes of {', '.join(dict.fromkeys(yes))}" if yes else ""
    because = None if incident.joined else incident.closed_because
    return f"{said}{by}{f': {because}' if because else ''}"


def _phase(incident: Incident) -> str:
    return incident.phase.value.replace("_", " ")

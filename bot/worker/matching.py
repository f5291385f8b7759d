"""Which trouble an alert is of: the same, what it is a consequence of, what it is the beginning of, the same error."""

from dataclasses import dataclass

from bot.ports import StaleIncident
from bot.worker.context import Context
from bot.worker.neighbours import neighbours
from policies import correlation
from policies.alert import Alert
from policies.incident import Incident, Phase
from policies.joining import above, below, movable
from policies.recurrence import LOOKED_BACK, occasion_of


@dataclass(frozen=True, slots=True)
class Match:
    """The incident an alert belongs to; `above`: what fails is what the incident's asset is built from."""

    incident: Incident
    above: bool = False


async def match(context: Context, alert: Alert) -> Match | None:
    """The incident this alert belongs to, the surest reason first; None: it is a trouble of its own."""
    same = await _open(context, correlation.finds(alert))
    if same is not None:
        return Match(same)
    cause = await _reaching(context, alert)
    if cause is not None:
        return Match(cause)
    effect = await _built_from(context, alert)
    if effect is not None:
        return effect
    again = await _open(context, correlation.error_keys(alert))
    taken = again or await _taken(context, alert)
    return Match(taken) if taken is not None else None


async def _open(context: Context, keys: tuple[str, ...]) -> Incident | None:
    name = await context.store.find(keys) if keys else None
    if name is None:
        return None
    incident = await context.store.load(name)
    if incident is None or incident.phase.closed:
        raise StaleIncident(f"{name} closed meanwhile")
    return incident


async def _reaching(context: Context, alert: Alert) -> Incident | None:
    """What this is a consequence of: open, or in the hands of a person for want of a plan."""
    reached = await _open(context, correlation.downstream_keys(alert, context.rules))
    if reached is not None and _together(context, reached):
        return reached
    assets = correlation.about(alert, context.rules)
    if not assets and "backfill" not in alert.extra:
        return None
    taken_over = await neighbours(context, context.now(), taken_over_only=True)
    return next((x for x in taken_over if below(assets, x) or _of_one_backfill(alert, x)), None)


def _of_one_backfill(alert: Alert, incident: Incident) -> bool:
    return any(correlation.same_backfill(alert, other) for other in incident.alerts)


async def _built_from(context: Context, alert: Alert) -> Match | None:
    """The eldest trouble that this is the beginning of; one whose repair has begun only if there is no other.

    What feeds a consequence of a trouble whose own reach is not drawn yet is of that trouble, and moves nothing.
    """
    assets = correlation.about(alert, context.rules) if alert.kind.opens() else ()
    near = await neighbours(context, context.now()) if assets else ()
    movable_ones = (other for other in near if movable(other) and above(assets, other))
    first = next(movable_ones, None)
    if first is not None:
        return Match(first, above=True)
    known = await _open(context, correlation.upstream_keys(alert, context.rules))
    if known is None or not _together(context, known):
        return None
    if known.reach is None:
        return Match(known)
    return Match(known, above=True) if above(assets, known) else None


async def _taken(context: Context, alert: Alert) -> Incident | None:
    """A person took this very error over a while ago, with no plan for it: it is told to their thread."""
    occasion = occasion_of(alert)
    if occasion is None:
        return None
    seen = await context.store.times(occasion.error, context.now() - LOOKED_BACK)
    newest = await context.store.load(seen.incidents[0]) if seen.incidents else None
    taken = newest is not None and newest.phase is Phase.HANDED_OVER and newest.unplanned
    return newest if newest and taken and _together(context, newest) else None


def _together(context: Context, incident: Incident) -> bool:
    """Consequences come soon after; what fails days later is a trouble of its own."""
    return context.now() - incident.opened_at <= context.rules.together_within

"""When two open troubles are one: which is the cause of the other, and whether they may still become one."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from policies import correlation
from policies import events as e
from policies.facts import Facts
from policies.incident import Incident, Phase
from policies.lineage import BlastRadius
from policies.rules import Rules

#: until somebody's yes is in use the cause may still move
_MAY_MOVE = (Phase.OPEN, Phase.DIAGNOSED, Phase.PLANNED, Phase.HANDED_OVER)


@dataclass(frozen=True, slots=True)
class Kinship:
    """Two troubles of one cause: where it began, what is a consequence of it, and why that is known."""

    cause: Incident
    effect: Incident
    because: str


def waits(incident: Incident) -> bool:
    """True while more may become of it: it is open, or a person took it over for want of a plan."""
    return not incident.phase.closed or (incident.phase is Phase.HANDED_OVER and incident.unplanned)


def movable(incident: Incident) -> bool:
    """True while nobody's yes is in use: it may still become part of another trouble, or get another root."""
    return waits(incident) and incident.phase in _MAY_MOVE and not incident.begun


def kinship(one: Incident, other: Incident, rules: Rules) -> Kinship | None:
    """Which of two troubles is a consequence of the other; of two of the same asset, the younger.

    None when nothing that is known so far connects them, or when they began too far apart.
    """
    if not together(one, other, rules.together_within):
        return None
    elder, younger = sorted((one, other), key=lambda i: (i.opened_at, len(i.id), i.id))
    down, up = _feeds(elder, younger, rules), _feeds(younger, elder, rules)
    if down is not None:
        return Kinship(elder, younger, down)
    return Kinship(younger, elder, up) if up is not None else None


def together(one: Incident, other: Incident, within: timedelta) -> bool:
    """Consequences come soon after; what begins long after is a trouble of its own."""
    return abs(one.opened_at - other.opened_at) <= within


def below(assets: Sequence[str], incident: Incident) -> str | None:
    """Why a failure of these assets is a consequence of that trouble; None when it is not."""
    reached = {hit.asset for hit in incident.reach.hits} if incident.reach else set()
    hit = next((asset for asset in assets if asset in reached), None)
    return f"{hit} is downstream of {_root(incident)}" if hit else None


def above(assets: Sequence[str], incident: Incident) -> str | None:
    """Why that trouble is a consequence of a failure of these assets; None when it is not."""
    sources = set(incident.reach.above) if incident.reach else set()
    source = next((asset for asset in assets if asset in sources), None)
    return f"{_root(incident)} is built from {source}" if source else None


def joined(kin: Kinship) -> list[e.Event]:
    """What happens to the consequence: whatever was asked for is void, and it is part of the other."""
    why = f"this is one cause with {kin.cause.id}: {kin.because}. What is needed is asked for there"
    void = [
        e.RequestVoided(request_id=state.request.id, why=why)
        for state in kin.effect.open_requests()
    ]
    return [*void, e.Joined(into=kin.cause.id, because=kin.because)]


def took_in(kin: Kinship) -> e.TookIn:
    """What happens to the cause: it knows all that the consequence was told of."""
    return e.TookIn(incident=kin.effect.id, alerts=kin.effect.alerts, because=kin.because)


def inherited(effect: Incident) -> tuple[str, ...]:
    """What the cause answers to from then on: all that the consequence did, but for what feeds it."""
    told = (k for a in effect.alerts for k in (*correlation.keys(a), *correlation.error_keys(a)))
    radius = effect.radius or BlastRadius(root="")
    reached = (asset for asset in (radius.root, *(hit.asset for hit in radius.hits)) if asset)
    return tuple(dict.fromkeys((*told, *(f"reach:{asset}" for asset in reached))))


def _feeds(cause: Incident, effect: Incident, rules: Rules) -> str | None:
    mine, theirs = _roots(cause, rules), _roots(effect, rules)
    same = next((asset for asset in mine if asset in theirs), None)
    if same is not None:
        return f"the same asset {same}"
    return above(mine, effect) or below(theirs, cause)


def _roots(incident: Incident, rules: Rules) -> tuple[str, ...]:
    """The assets in which it began. A job's name alone is none: two systems may have one each."""
    known = (Facts.of(incident).asset, *correlation.about(incident.alert, rules))
    return tuple(dict.fromkeys(asset for asset in known if asset))


def _root(incident: Incident) -> str:
    return incident.radius.root if incident.radius else incident.title

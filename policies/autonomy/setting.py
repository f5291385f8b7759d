"""Who may change a level, to what, and how many it takes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from policies.autonomy.classes import REVERSIBLE, reversible
from policies.autonomy.levels import (
    EVERY,
    PROPOSE,
    InForce,
    Level,
    LevelEntry,
    in_force,
    rank,
    wish,
)
from policies.people import Person
from policies.rules import Rules


@dataclass(frozen=True, kw_only=True, slots=True)
class Ask:
    """One person's wish to have a level changed."""

    domain: str
    change_class: str
    level: Level
    person: str
    reason: str


def is_admin(rules: Rules, person: Person | None) -> bool:
    """True for somebody whom dw.yml names and Slack knows as a full member now."""
    if person is None or person.barred():
        return False
    return not {person.id, person.email}.isdisjoint(rules.admins)


def refusal(rules: Rules, person: Person | None, ask: Ask) -> str | None:
    """Why this person may not have this level, or None."""
    if not is_admin(rules, person):
        who = ", ".join(rules.admins) or "nobody is named there"
        return f"only an admin named in dw.yml may change a level ({who})"
    return _no_such(rules, ask) or _not_that_high(ask)


def needed(rules: Rules, level: Level) -> int:
    """How many admins it takes: one up to L2, above that as many as dw.yml says, if it names as many."""
    return min(rules.raise_needs, len(rules.admins)) if rank(level) > PROPOSE else 1


def now_in_force(entries: Sequence[LevelEntry], rules: Rules, ask: Ask) -> InForce:
    """The level that this would change."""
    return in_force(entries, ask.domain, ask.change_class, rules.domains[ask.domain].level)


def entry_of(
    entries: Sequence[LevelEntry], rules: Rules, ask: Ask, now: datetime
) -> tuple[LevelEntry, bool]:
    """The entry to store, and whether it is in force: a first wish of two is not."""
    mine = LevelEntry(
        number=max((entry.number for entry in entries), default=0) + 1,
        domain=ask.domain,
        change_class=ask.change_class,
        level=ask.level,
        by=(ask.person,),
        at=now,
        reason=ask.reason,
    )
    raises = rank(ask.level) > now_in_force(entries, rules, ask).rank
    if not raises or needed(rules, ask.level) == 1:
        return mine, True
    first = wish(entries, mine)
    if first is None:
        return mine, False
    reason = "; ".join(dict.fromkeys(r for r in (first.reason, mine.reason) if r))
    return replace(mine, by=(*first.by, *mine.by), reason=reason), True


def _no_such(rules: Rules, ask: Ask) -> str | None:
    if ask.domain not in rules.domains:
        return f"dw.yml has no domain {ask.domain!r}; it has {', '.join(rules.domains)}"
    if ask.change_class not in (EVERY, *REVERSIBLE):
        return f"there is no change class {ask.change_class!r}; there are {', '.join(REVERSIBLE)}"
    return None


def _not_that_high(ask: Ask) -> str | None:
    if rank(ask.level) > PROPOSE and not (
        ask.change_class == EVERY or reversible(ask.change_class)
    ):
        return f"{ask.change_class} can't be taken back, so it is always asked for"
    if ask.level == "L4" and ask.change_class == EVERY:
        return "L4 is for one named change class, not for a whole domain"
    if rank(ask.level) < PROPOSE and ask.change_class != EVERY:
        return f"{ask.level} is for a whole domain: half a plan can't be observed"
    return None

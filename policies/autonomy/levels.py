"""Which level is in force for a change class in a domain, from the entries that people made.

Entries are only ever added. An entry without a receipt is one admin's wish: it is not in force.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal, get_args

from policies.figures import stamp
from policies.receipt.chain import Receipt

Level = Literal["L0", "L1", "L2", "L3", "L4"]
EVERY: Final = "*"
BOT: Final = "dw"
KIND: Final = "level change"
PROPOSE: Final = 2
_WISH_LASTS = timedelta(hours=24)


@dataclass(frozen=True, kw_only=True, slots=True)
class LevelEntry:
    """One change of a level. `change_class` is `*` for the whole domain; `by` are Slack ids, or `dw`."""

    number: int
    domain: str
    change_class: str
    level: Level
    by: tuple[str, ...]
    at: datetime
    reason: str
    receipt: int | None = None

    @property
    def about(self) -> tuple[str, str]:
        """What it sets the level of."""
        return self.domain, self.change_class


@dataclass(frozen=True, kw_only=True, slots=True)
class InForce:
    """The level in force, and the entry that made it so; None: dw.yml."""

    level: Level
    entry: LevelEntry | None = None

    @property
    def rank(self) -> int:
        """0 to 4."""
        return rank(self.level)

    @property
    def alone(self) -> bool:
        """True when something may happen without a fresh yes: never by dw.yml, never by the bot's word."""
        return self.rank > PROPOSE and self.entry is not None and BOT not in self.entry.by


class NoSuchLevel(ValueError):
    """There are L0, L1, L2, L3 and L4. Nothing was changed."""


def level_of(word: str) -> Level:
    """The level that somebody typed. Raises `NoSuchLevel`."""
    named: dict[str, Level] = {level: level for level in get_args(Level)}
    try:
        return named[word.upper()]
    except KeyError as error:
        raise NoSuchLevel(NoSuchLevel.__doc__) from error


def rank(level: Level) -> int:
    """0 to 4."""
    return int(level[1])


def in_force(
    entries: Sequence[LevelEntry], domain: str, change_class: str, start: Level
) -> InForce:
    """The newest entry of the class, else of the domain, else dw.yml's `start`, which gives L2 at most.

    A domain at L0 or L1 holds every class in it, and so does a newer, lower entry of the whole domain.
    """
    whole = _newest(entries, domain, EVERY)
    wide = InForce(level=whole.level, entry=whole) if whole else InForce(level=_most(start))
    own = _newest(entries, domain, change_class)
    if own is None or change_class == EVERY or wide.rank < PROPOSE:
        return wide
    if whole and whole.number > own.number and wide.rank < rank(own.level):
        return wide
    return InForce(level=own.level, entry=own)


def wish(entries: Iterable[LevelEntry], like: LevelEntry) -> LevelEntry | None:
    """Another admin's wish for exactly this, of the last day, with nothing decided since."""
    since = [entry for entry in entries if entry.about == like.about]
    for entry in reversed(since):
        if entry.receipt is not None or like.at - entry.at > _WISH_LASTS:
            return None
        if entry.level == like.level and set(entry.by).isdisjoint(like.by):
            return entry
    return None


def wishes(entries: Sequence[LevelEntry], domain: str, now: datetime) -> tuple[LevelEntry, ...]:
    """What waits for a second admin in this domain."""
    newest = {entry.about: entry for entry in entries if entry.domain == domain}
    return tuple(e for e in newest.values() if e.receipt is None and now - e.at <= _WISH_LASTS)


def named(domain: str, change_class: str) -> str:
    """What the receipt of a level change is about, in the place where others name their incident."""
    return f"level:{domain}:{change_class}"


def body(entry: LevelEntry, before: Level) -> dict[str, Any]:
    """The record of a level change: plain JSON, for the chain of receipts."""
    return {
        "format": 1,
        "kind": KIND,
        "at": stamp(entry.at),
        "domain": entry.domain,
        "change_class": entry.change_class,
        "from": before,
        "to": entry.level,
        "by": list(entry.by),
        "reason": entry.reason,
    }


def proven(entry: LevelEntry, receipt: Receipt | None) -> bool:
    """True when the chain of receipts says the same as the entry: a row in a table alone gives no right."""
    if receipt is None or receipt.number != entry.receipt:
        return False
    said = {key: receipt.body.get(key) for key in ("kind", "domain", "change_class", "to", "by")}
    return said == {
        "kind": KIND,
        "domain": entry.domain,
        "change_class": entry.change_class,
        "to": entry.level,
        "by": list(entry.by),
    }


def _newest(entries: Sequence[LevelEntry], domain: str, change_class: str) -> LevelEntry | None:
    about = (domain, change_class)
    found = [e for e in entries if e.about == about and e.receipt is not None]
    return max(found, key=lambda entry: entry.number, default=None)


def _most(start: Level) -> Level:
    return start if rank(start) <= PROPOSE else "L2"

"""How well a connection is seen: up to where it was read, when it last answered, and since when it is blind.

A look is written down before it begins, so that one that never ends counts as a failed one: silence
must not look like health.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

#: a run may be told late, and the clock of the other side may be behind ours; seen twice it is one
OVERLAP = timedelta(minutes=10)
_LONGEST_WAIT = timedelta(minutes=5)
_LONGEST_ASKED_FOR = timedelta(minutes=15)
_DOUBLINGS = 8
#: no clock is wrong by more than this
_SETTLED = timedelta(days=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Note:
    """The message that says a connection is blind: where it stands, and since when it was."""

    channel: str
    ts: str
    blind_from: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Sight:
    """One connection, as the looks at it went.

    `since` is the watermark, by the clock of the other side once it has told a run. `failures` counts the
    looks in a row that did not end well, the one under way included; `problem` is what came of the last one. `missing` are the runs that never
    came and were told of: job → when it was due, ISO 8601. `remarks` are what it says besides.
    """

    connection: str
    began: datetime
    since: datetime
    looked_at: datetime | None = None
    seen_at: datetime | None = None
    failures: int = 0
    problem: str | None = None
    missing: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    note: Note | None = None

    @property
    def behind(self) -> bool:
        """True while it answers, and what failed when nobody looked is still being read."""
        return self.failures == 0 and self.problem is not None

    @property
    def blind_from(self) -> datetime:
        """Nothing that happened there since then was seen, if looks fail now."""
        return self.seen_at or self.began

    def blind(self, now: datetime, after: timedelta) -> bool:
        """True when looks fail, and have for so long that people must know."""
        return self.failures > 0 and now - self.blind_from >= after


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """What a good look brought: when the runs it told of ended, and the runs that are missing."""

    ends: tuple[datetime, ...] = ()
    missing: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def first(connection: str, since: datetime) -> Sight:
    """Nothing was looked at yet: what fails from then on will be seen."""
    return Sight(connection=connection, began=since, since=since)


def begun(sight: Sight, now: datetime) -> Sight:
    """A look begins; until it ends it counts as failed."""
    return replace(sight, looked_at=now, failures=sight.failures + 1)


def answered(sight: Sight, seen: Seen, now: datetime) -> Sight:
    """It ended well."""
    return replace(
        sight,
        since=watermark(sight.since, seen.ends, now),
        seen_at=now,
        failures=0,
        problem=None,
        missing=seen.missing,
        remarks=seen.remarks,
    )


def stepped(sight: Sight, until: datetime) -> Sight:
    """It answers, and told of more than is read in one go: what ended up to then is known by now."""
    says = f"it answers again; more failed there than is read in one go, and it is read up to {until:%Y-%m-%d %H:%M} UTC"
    return replace(sight, since=max(sight.since, until), failures=0, problem=says)


def failed(sight: Sight, problem: str) -> Sight:
    """It did not; the watermark stays."""
    return replace(sight, problem=problem)


def watermark(since: datetime, ends: Iterable[datetime], now: datetime) -> datetime:
    """The newest end it told, by its own clock; never backwards, and never into what is still to come.

    While it tells of nothing the mark stays, for a day: looking back costs nothing then, and our clock
    need not agree with theirs.
    """
    newest = max((end for end in ends if end <= now), default=since)
    return max(since, newest, now - _SETTLED)


def pause(failures: int, every: timedelta, asked_for: float = 0) -> timedelta:
    """How long until the next look: twice as long after each failure, but never for long.

    `asked_for` are the seconds the other side asks to wait.
    """
    doubled = every * 2 ** min(max(failures - 1, 0), _DOUBLINGS)
    wait = max(every, min(doubled, _LONGEST_WAIT)) if failures else every
    return max(wait, min(timedelta(seconds=asked_for), _LONGEST_ASKED_FOR))

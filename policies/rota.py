"""Whose turn it is: people one after the other, handing on at set times of the week in their own time zone."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEK = len(DAYS)
_HANDOFF = re.compile(rf"^(?:({'|'.join(DAYS)}) )?([01]\d|2[0-3]):([0-5]\d)$")
#: a Monday; weeks are counted from here, backwards too
_FIRST_WEEK = date(1970, 1, 5)


@dataclass(frozen=True, kw_only=True, slots=True)
class Rota:
    """Who takes turns. `handoffs` are moments of the week, such as `monday 09:00` or, daily, `09:00`.

    The first of `people` begins at the first handoff of the day `starts`, or the next one after it; before
    that the turns go backwards, so that there is always exactly one.
    """

    people: tuple[str, ...]
    handoffs: tuple[str, ...]
    starts: date
    tz: str


def on_call(rota: Rota, at: datetime) -> str:
    """Whose turn it is at `at` (aware): always exactly one. A handoff's own moment is the next one's.

    A handoff in an hour that the clocks skip is at the moment they would have shown it; in an hour that
    comes twice it is at the first.
    """
    midnight = datetime.combine(rota.starts, time.min, ZoneInfo(rota.tz))
    first = _passed(rota, midnight - timedelta(microseconds=1)) + 1
    return rota.people[(_passed(rota, at) - first) % len(rota.people)]


def moment(handoff: str) -> tuple[tuple[int, ...], time] | None:
    """The days of the week (0 is Monday) and the time of a handoff; None when it is none."""
    match = _HANDOFF.match(handoff)
    if match is None:
        return None
    days = (DAYS.index(match[1]),) if match[1] else tuple(range(_WEEK))
    return days, time(int(match[2]), int(match[3]))


def _passed(rota: Rota, at: datetime) -> int:
    """How many handoffs were before or at this moment, counted from some fixed week."""
    here = at.astimezone(ZoneInfo(rota.tz)).date()
    monday = here - timedelta(days=here.weekday())
    slots = tuple(_slots(rota.handoffs))
    passed = sum(_instant(monday, day, clock, rota.tz) <= at for day, clock in slots)
    return (monday - _FIRST_WEEK).days // _WEEK * len(slots) + passed


def _slots(handoffs: Sequence[str]) -> Iterator[tuple[int, time]]:
    told = [found for handoff in handoffs if (found := moment(handoff))]
    yield from {(day, clock) for days, clock in told for day in days}


def _instant(monday: date, day: int, clock: time, tz: str) -> datetime:
    local = datetime.combine(monday + timedelta(days=day), clock, ZoneInfo(tz))
    return local.astimezone(UTC)

"""The figures of the night, once: every part of the demo and its tests take them from here.

Rows are 1:100 of the real story. All times are UTC and in the story's own calendar.
"""

from dataclasses import dataclass
from datetime import date, timedelta

DAY = date(2026, 9, 28)
LOADED = 23_100
ROWS = 28_300
TRAILING_MEDIAN = 28_400
CUT_AT = "21:05"
LAST_AT = "23:59"

_CUT_S = (21 * 60 + 5) * 60
_LAST_S = (23 * 60 + 59) * 60

#: Rows of every day before the night: the week before it, and the Mondays before that.
HISTORY: dict[date, int] = {
    date(2026, 8, 31): 28_120,
    date(2026, 9, 7): 28_240,
    date(2026, 9, 14): 28_510,
    date(2026, 9, 21): 28_360,
    date(2026, 9, 22): 28_580,
    date(2026, 9, 23): 28_450,
    date(2026, 9, 24): 28_400,
    date(2026, 9, 25): 28_190,
    date(2026, 9, 26): 27_980,
    date(2026, 9, 27): 28_420,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Stretch:
    """Sessions spread evenly over a part of a day, the last one exactly at `until_s`.

    `offset` is how many sessions the day had before; seconds count from midnight UTC. Session ids and
    user ids follow from the day and the position alone, so both databases can make the same rows.
    """

    day: date
    rows: int
    offset: int = 0
    from_s: int = 0
    until_s: int = _LAST_S

    @property
    def first_id(self) -> int:
        """Session id of the first row; a day has room for a hundred thousand."""
        return self.day.toordinal() * 100_000 + self.offset


def history() -> tuple[Stretch, ...]:
    """The days before the night."""
    return tuple(Stretch(day=day, rows=rows) for day, rows in HISTORY.items())


def before_the_cut() -> Stretch:
    """Monday until 21:05: what the replica had replayed when the pipeline read it."""
    return Stretch(day=DAY, rows=LOADED, until_s=_CUT_S)


def after_the_cut() -> Stretch:
    """Monday from 21:05 on: on the primary, not yet on the replica."""
    return Stretch(day=DAY, rows=ROWS - LOADED, offset=LOADED, from_s=_CUT_S + 2)


def day_before() -> date:
    """The last night that went well."""
    return DAY - timedelta(days=1)

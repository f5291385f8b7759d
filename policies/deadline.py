"""Until when somebody has to decide, when they are reminded, and what made it that moment."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from policies.lineage import BlastRadius
from policies.working_hours import Hours, after

LEAST = timedelta(minutes=2)


@dataclass(frozen=True, kw_only=True, slots=True)
class Deadline:
    """The end of one turn. `read` and `read_at`: somebody reads what is reached then, which made it earlier.

    `hours` are the working hours and the time zone it was counted in, in words.
    """

    began: datetime
    at: datetime
    remind_at: datetime
    read: str = ""
    read_at: datetime | None = None
    hours: str = ""


def deadline(
    began: datetime,
    seconds: float,
    zones: Sequence[str],
    hours: Hours | None = None,
    read_next: tuple[datetime, str] | None = None,
    margin: timedelta = timedelta(),
) -> Deadline:
    """A turn of so many seconds that begins now, for people in these time zones.

    Of several people the one whose time is over first counts. It ends by `margin` before somebody reads
    what is reached, but never sooner than `LEAST` after it began.
    """
    here = min(zones or ("UTC",), key=lambda tz: (after(began, seconds, hours, tz), tz))
    at = after(began, seconds, hours, here)
    limit = max(read_next[0] - margin, began + LEAST) if read_next else at
    if read_next and limit < at:
        return Deadline(
            began=began,
            at=limit,
            remind_at=began + (limit - began) / 2,
            read=read_next[1],
            read_at=read_next[0],
        )
    half = after(began, seconds / 2, hours, here)
    counted = f"{hours.says()}, {here}" if hours else ""
    return Deadline(began=began, at=at, remind_at=half, hours=counted)


def read_next(radius: BlastRadius | None, now: datetime) -> tuple[datetime, str] | None:
    """When what is reached is read next, and what it is that reads it."""
    hits = radius.hits if radius else ()
    return min(((_next(hit.due, now), hit.asset) for hit in hits if hit.due), default=None)


def _next(clock: str, now: datetime) -> datetime:
    today = datetime.combine(now.astimezone(UTC).date(), time.fromisoformat(clock), UTC)
    return today if today > now else today + timedelta(days=1)

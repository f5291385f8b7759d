"""When somebody's time counts: so many seconds of their working hours, where they are."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from itertools import count
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from policies.spans import TimeOfDay

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_ONE = re.compile(rf"^({'|'.join(_DAYS)})(?:-({'|'.join(_DAYS)}))?$")


def working_days(text: str) -> frozenset[int]:
    """`mon-fri`, `sun-thu`, `mon,wed,fri` → the days of the week, 0 is Monday. ValueError otherwise."""
    found: set[int] = set()
    for part in text.lower().replace(" ", "").split(","):
        match = _ONE.match(part)
        if match is None:
            msg = f"{text!r} names no days → write them as mon-fri, or mon,wed,fri"
            raise ValueError(msg)
        first = _DAYS.index(match[1])
        last = _DAYS.index(match[2]) if match[2] else first
        found |= {(first + n) % len(_DAYS) for n in range((last - first) % len(_DAYS) + 1)}
    return frozenset(found)


def _days(text: str) -> str:
    working_days(text)
    return text


class Hours(BaseModel):
    """Working hours, in the time zone that Slack knows of whoever is asked."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    begin: TimeOfDay = Field(alias="from", description="when the day begins, where they are")
    end: TimeOfDay = Field(alias="to", description="when it ends, the same day")
    days: Annotated[str, AfterValidator(_days)] = Field(
        "mon-fri", description="the days that count: mon-fri, or mon,wed,fri"
    )

    @model_validator(mode="after")
    def _forwards(self) -> "Hours":
        if self.begin >= self.end:
            msg = f"{self.begin} to {self.end} is no time → the day must end after it begins"
            raise ValueError(msg)
        return self

    def says(self) -> str:
        """`09:00–18:00 mon-fri`."""
        return f"{self.begin}–{self.end} {self.days}"


def zone(name: str) -> ZoneInfo:
    """The time zone; UTC for a name that nobody knows."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def after(began: datetime, seconds: float, hours: Hours | None, tz: str) -> datetime:
    """The moment when so many seconds of working time have passed since `began` (aware).

    Days are as long as the clock on the wall makes them: one on which the clocks change has an hour
    more or less, if that hour is a working one.
    """
    left = timedelta(seconds=seconds)
    if hours is None:
        return began + left
    for begins, ends in _windows(began, hours, tz):
        start = max(begins, began)
        room = max(ends - start, timedelta())
        if room >= left and room:
            return start + left
        left -= room
    raise AssertionError("there is always another working day")


def _windows(began: datetime, hours: Hours, tz: str) -> Iterator[tuple[datetime, datetime]]:
    """The working times from the day of `began` on, in UTC."""
    here, days = zone(tz), working_days(hours.days)
    today = began.astimezone(here).date()
    for ahead in count():
        day = today + timedelta(days=ahead)
        if day.weekday() in days:
            times = (time.fromisoformat(hours.begin), time.fromisoformat(hours.end))
            begins, ends = (datetime.combine(day, t, here).astimezone(UTC) for t in times)
            yield begins, ends

"""Time as a port: everything that needs now takes a `Clock`."""

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Gives the time, in UTC."""

    def now(self) -> datetime:
        """Now, with time zone UTC."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Now, with time zone UTC."""
        return datetime.now(UTC)  # noqa: TID251 - the one place that may

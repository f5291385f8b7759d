"""A clock that stands still until a test moves it."""

from datetime import UTC, datetime, timedelta

NIGHT = datetime(2026, 9, 29, 0, 41, tzinfo=UTC)
"""When the alert of the story arrives."""


class FakeClock:
    """A `Clock` whose time is what the test says, always in UTC."""

    def __init__(self, at: datetime = NIGHT) -> None:
        self._at = at.astimezone(UTC)

    def now(self) -> datetime:
        """The time it was set to."""
        return self._at

    def set(self, at: datetime) -> datetime:
        """Jump there (backwards too: clocks do) and return it."""
        self._at = at.astimezone(UTC)
        return self._at

    def advance(self, by: timedelta | None = None, **parts: float) -> datetime:
        """Move on, by a timedelta or by its parts (`minutes=5`), and return the new time."""
        return self.set(self._at + (by or timedelta(**parts)))

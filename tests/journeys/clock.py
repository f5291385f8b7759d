"""A clock that runs like a real one from the night of the story on, and that a test may set ahead."""

import time
from datetime import UTC, datetime, timedelta

from tests.clock import NIGHT


class RunningClock:
    """A `bot.clock.Clock`, and as a function the workspace's clock. `ahead` is seconds before real time."""

    def __init__(self, ahead: float | None = None) -> None:
        self.ahead = NIGHT.timestamp() - time.time() if ahead is None else ahead

    def __call__(self) -> float:
        """Epoch seconds."""
        return time.time() + self.ahead

    def now(self) -> datetime:
        """The same as a moment, UTC."""
        return datetime.fromtimestamp(self(), UTC)

    def advance(self, **parts: float) -> None:
        """Let time pass at once: `minutes=5`."""
        self.ahead += timedelta(**parts).total_seconds()

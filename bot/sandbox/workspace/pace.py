"""How fast an app may call: a token bucket per channel for posting and per method for the rest."""

import math

from bot.sandbox.workspace.errors import TooFast
from bot.sandbox.workspace.timing import Clock, Timing

_MINUTE = 60.0


class Pace:
    """All buckets. They fill with the workspace's clock."""

    def __init__(self, timing: Timing, clock: Clock) -> None:
        """All full."""
        self._timing = timing
        self._clock = clock
        self._buckets: dict[tuple[str, str], tuple[float, float]] = {}

    def post(self, app_id: str, channel: str) -> None:
        """One message into a channel; `TooFast` when the channel's bucket is empty."""
        if self._timing.channel_rate:
            self._spend((app_id, channel), self._timing.channel_rate, self._timing.channel_burst)

    def call(self, app_id: str, method: str) -> None:
        """One call of a method; `TooFast` when it has been called more often than its tier allows."""
        tier = self._timing.tiers.get(method)
        if tier:
            self._spend((app_id, method), tier / _MINUTE, tier)

    def _spend(self, key: tuple[str, str], rate: float, size: int) -> None:
        now = self._clock()
        level, then = self._buckets.get(key, (float(size), now))
        level = min(float(size), level + (now - then) * rate)
        if level < 1.0:
            self._buckets[key] = (level, now)
            raise TooFast(max(1, math.ceil((1.0 - level) / rate)))
        self._buckets[key] = (level - 1.0, now)

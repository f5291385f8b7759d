"""How fast we may speak: a token bucket per channel, because Slack counts per channel."""

import asyncio
from collections.abc import Callable

from bot.ports import RetryAfter

Now = Callable[[], float]


class Pace:
    """`rate` messages a second per key with bursts of `burst`; a rate of 0 switches it off.

    A short wait is slept; a longer one than `patience` seconds raises `RetryAfter`, so that the
    worker can do something more urgent meanwhile.
    """

    def __init__(
        self, rate: float = 1.0, burst: int = 3, *, patience: float = 1.0, now: Now | None = None
    ) -> None:
        self._rate, self._burst, self._patience = rate, burst, patience
        self._now = now or (lambda: asyncio.get_running_loop().time())
        self._full_at: dict[str, float] = {}

    async def turn(self, key: str) -> None:
        """Wait for this key's turn. Raises `RetryAfter`."""
        if not self._rate:
            return
        now = self._now()
        full_at = max(self._full_at.get(key, now), now) + 1 / self._rate
        wait = full_at - now - self._burst / self._rate
        if wait > self._patience:
            raise RetryAfter(wait, "this channel gets about one message a second")
        self._full_at[key] = full_at
        if wait > 0:
            await asyncio.sleep(wait)

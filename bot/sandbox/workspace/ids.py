"""Mints ids and message timestamps: unique, in order, and the same in every run of a test."""

import uuid

from bot.sandbox.workspace.timing import Clock

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def base36(number: int) -> str:
    """`number` in upper-case base 36, the alphabet of Slack's ids."""
    digits = ""
    while number:
        number, rest = divmod(number, 36)
        digits = _DIGITS[rest] + digits
    return digits or "0"


class Mint:
    """Hands out ids that never repeat within one workspace."""

    def __init__(self, clock: Clock) -> None:
        """Start counting; `clock` gives epoch seconds."""
        self._clock = clock
        self._count = 0
        self._last_ts = 0

    def now(self) -> float:
        """Epoch seconds."""
        return self._clock()

    def next(self, prefix: str) -> str:
        """An id such as `Ev000000A1`."""
        self._count += 1
        return f"{prefix}{base36(self._count).rjust(8, '0')}"

    def ts(self) -> str:
        """A message timestamp, later than every one before it even when the clock stands still."""
        micros = max(int(self._clock() * 1_000_000), self._last_ts + 1)
        self._last_ts = micros
        return f"{micros // 1_000_000}.{micros % 1_000_000:06d}"

    def envelope(self) -> str:
        """An id for one try of one delivery."""
        return str(uuid.uuid4())

    def short(self) -> str:
        """An id for a block or an element the app did not name."""
        self._count += 1
        return f"w{base36(self._count).lower()}"

"""Numbers and times as a person reads them, the same everywhere: 28,300 · 81.6 % · 21:05."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_LONGEST = 300
_A_CENT = 0.005


def count(value: float) -> str:
    """A number with thousands apart; decimals only where they matter."""
    whole = round(value)
    return f"{whole:,}" if abs(value - whole) < _A_CENT else f"{value:,.2f}"


def share(part: float, whole: float) -> str:
    """How much of `whole` is there, in percent; `–` when there is no whole."""
    return f"{100 * part / whole:.1f} %" if whole else "–"


def clock(at: datetime) -> str:
    """Hours and minutes, UTC."""
    return at.astimezone(UTC).strftime("%H:%M")


def stamp(at: datetime | None) -> str | None:
    """ISO-8601, UTC, to the second, or None."""
    return at.astimezone(UTC).isoformat(timespec="seconds") if at else None


def day_of(partition: str | None) -> str | None:
    """The day a daily partition stands for; None for any other kind of partition."""
    if partition is None or not _DAY.fullmatch(partition):
        return None
    try:
        datetime.strptime(partition, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        return None
    return partition


def listed(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    head, last = names[:-1], names[-1] if names else ""
    return f"{', '.join(head)} and {last}" if head else last


def quoted(words: str) -> str:
    """Foreign words on one line, cut where a reader would stop."""
    line = " ".join(words.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"

"""JSON from outside, read without trusting its shape: what does not fit counts as not there."""

import math
from collections.abc import Mapping
from datetime import UTC, datetime

from policies.evidence import Json

Answer = Mapping[str, Json]


def text(value: Json) -> str | None:
    """A string that says something, or None."""
    return value if isinstance(value, str) and value else None


def number(value: Json) -> float | None:
    """A finite number, or None. True and False are no numbers."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if math.isfinite(value) else None


def moment(value: Json) -> datetime | None:
    """A point in time; without a zone it is UTC."""
    try:
        at = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return at.replace(tzinfo=UTC) if at and at.tzinfo is None else at


def records(value: Json) -> tuple[Answer, ...]:
    """The objects of a list."""
    return (
        tuple(item for item in value if isinstance(item, dict)) if isinstance(value, list) else ()
    )


def names(value: Json) -> tuple[str, ...]:
    """The strings of a list."""
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def record(value: Json) -> Answer:
    """The object itself, or an empty one."""
    return value if isinstance(value, dict) else {}

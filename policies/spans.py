"""Lengths of time and times of day, as dw.yml writes them."""

import re
from datetime import timedelta
from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer, WithJsonSchema

_SPAN = re.compile(r"^(\d+)\s*(s|m|h|d)$")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_TIME = re.compile(r"^([01]\d|2[0-3]):[0-5]\d$")


def _span(value: object) -> object:
    if isinstance(value, timedelta):
        return value
    match = _SPAN.match(value.strip()) if isinstance(value, str) else None
    if match and int(match[1]) > 0:
        return timedelta(**{_UNITS[match[2]]: int(match[1])})
    msg = f"{value!r} is no length of time → write it as 30s, 15m, 2h or 1d"
    raise ValueError(msg)


def span_text(span: timedelta) -> str:
    """The length of time as it is written in dw.yml: `15m`."""
    seconds = int(span.total_seconds())
    for unit, size in (("d", 86400), ("h", 3600), ("m", 60)):
        if seconds % size == 0:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"


def _time_of_day(value: object) -> object:
    if isinstance(value, str) and not _TIME.match(value):
        msg = f'{value!r} is no time of day → write it as "09:30"'
        raise ValueError(msg)
    return value


Span = Annotated[
    timedelta,
    BeforeValidator(_span),
    PlainSerializer(span_text, return_type=str, when_used="json"),
    WithJsonSchema({"type": "string", "pattern": _SPAN.pattern, "examples": ["15m", "2h"]}),
]
TimeOfDay = Annotated[
    str,
    BeforeValidator(_time_of_day),
    WithJsonSchema({"type": "string", "pattern": _TIME.pattern, "description": "HH:MM"}),
]

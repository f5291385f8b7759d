"""Column types that mean the same on both databases."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import BigInteger, DateTime, Dialect, Integer, Text
from sqlalchemy.types import TypeDecorator

#: SQLite numbers rows by itself only under the name INTEGER.
RowId = BigInteger().with_variant(Integer(), "sqlite")


class UtcDateTime(TypeDecorator[datetime]):
    """A moment in UTC. SQLite drops time zones, so a naive datetime is refused on the way in."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        """To UTC; ValueError for a naive datetime."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value} has no time zone. Nothing was stored.")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        """Always aware, always UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class AsciiJson(TypeDecorator[Any]):
    """Plain JSON as ASCII text.

    Not `JSONB`: that refuses NUL, reorders keys and rounds nothing we ever search in. Escaped, any
    text that arrives can be stored, half an emoji or a NUL included.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, _dialect: Dialect) -> str | None:
        """To text; TypeError for what is not JSON."""
        if value is None:
            return None
        plain = dict(value) if isinstance(value, Mapping) else value
        return json.dumps(plain, separators=(",", ":"))

    def process_result_value(self, value: str | None, _dialect: Dialect) -> Any:
        """From text."""
        return None if value is None else json.loads(value)

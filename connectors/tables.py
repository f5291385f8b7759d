"""Questions to tables: the same for every store, answered in counts and single numbers, never in rows."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BaseModel, Field, JsonValue

from connectors.base import Reader
from connectors.errors import NotFound, Rejected
from connectors.params import Params
from connectors.sql_guard import Dialect, column_name, one_select, table_name
from policies.evidence import Evidence, Probe

Question = tuple[str, tuple[object, ...]]
Rows = Sequence[Any]

MOST_DAYS = 120
# One comparison that holds for dates, and for timestamps with and without a zone in a session in UTC.
_IN_DAY = "{0} >= cast($1 as timestamp) and {0} < cast($2 as timestamp)"


def _unique(days: list[date]) -> list[date]:
    return sorted(set(days))


Days = Annotated[list[date], Field(min_length=1, max_length=MOST_DAYS), AfterValidator(_unique)]


class _OfTable(Params):
    table: str
    time: str

    def names(self) -> tuple[str, str]:
        """Table and column, checked and quoted."""
        return table_name(self.table), column_name(self.time)


class RowsOfDay(_OfTable):
    """How many rows a UTC day has, and the first and last of their times."""

    day: date

    def sql(self) -> str:
        """Takes the first moment of the day and of the next."""
        table, column = self.names()
        return (
            f"select count(*), cast(min({column}) as timestamp), cast(max({column}) as timestamp) "  # noqa: S608 - names are checked and quoted
            f"from {table} where {_IN_DAY.format(column)}"
        )


class DailyRows(_OfTable):
    """How many rows each of these UTC days has; 0 where there is none."""

    days: Days

    def sql(self) -> str:
        """The same, for one day."""
        table, column = self.names()
        return f"select count(*) from {table} where {_IN_DAY.format(column)}"  # noqa: S608 - names are checked and quoted


class ScalarByDay(Params):
    """One number for each of these days, from one SELECT that holds `:day`."""

    sql: str
    days: Days


class TableReader(Reader):
    """Answers the questions above over whatever can run a SELECT. Values: days as `YYYY-MM-DD`."""

    dialect: ClassVar[Dialect]
    probes: ClassVar[Mapping[str, type[BaseModel]]] = {
        "rows_of_day": RowsOfDay,
        "daily_rows": DailyRows,
        "scalar_by_day": ScalarByDay,
    }

    @abstractmethod
    async def _ask(self, questions: Sequence[Question]) -> list[Rows]:
        """Each question's first two rows, all from one read-only session in UTC."""

    async def _read(
        self, probe: Probe, params: BaseModel, *, evidence_id: str, now: datetime
    ) -> Evidence:
        value, sql = await self._answer(params)
        return Evidence(id=evidence_id, probe=probe, at=now, value=value, query=sql)

    async def _answer(self, params: BaseModel) -> tuple[dict[str, JsonValue], str]:
        match params:
            case RowsOfDay(day=day):
                [rows] = await self._ask([(params.sql(), _bounds(day))])
                return _rows_of_day(rows[0]), params.sql()
            case DailyRows(days=days):
                answers = await self._ask([(params.sql(), _bounds(day)) for day in days])
                counts = [rows[0][0] for rows in answers]
                return _by_day(dict(zip(days, counts, strict=True))), params.sql()
            case ScalarByDay(days=days):
                return await self._scalars(one_select(params.sql, self.dialect), days)
            case _:
                pass
        raise NotFound(f"no probe takes {type(params).__name__}", connection=self.connection)

    async def _scalars(self, sql: str, days: list[date]) -> tuple[dict[str, JsonValue], str]:
        takes_day = "$1" in sql
        answers = await self._ask([(sql, (day,) if takes_day else ()) for day in days])
        numbers = [number(rows, self.connection) for rows in answers]
        return _by_day(dict(zip(days, numbers, strict=True))), sql


def number(rows: Sequence[Sequence[object]], connection: str) -> int | float | None:
    """The one number of an answer; None without a row or for NULL. Raises `Rejected` for all else."""
    if len(rows) > 1 or (rows and len(rows[0]) != 1):
        says = "the query gave more than one value for a day. It must give exactly one number."
        raise Rejected(says, connection=connection)
    value = rows[0][0] if rows else None
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        says = f"the query gave a {type(value).__name__}. It must give a number."
        raise Rejected(says, connection=connection)
    return value if isinstance(value, int) else _plain(Decimal(value))


def _rows_of_day(row: Sequence[object]) -> dict[str, JsonValue]:
    """The value of the probe `rows_of_day` from (count, first, last)."""
    count, first, last = row
    return {"rows": int(str(count)), "first": moment_text(first), "last": moment_text(last)}


def _by_day(values: Mapping[date, JsonValue]) -> dict[str, JsonValue]:
    """The value of the probes that answer for several days."""
    return {"values": {day.isoformat(): value for day, value in sorted(values.items())}}


def moment_text(value: object) -> str | None:
    """A time as ISO-8601 in UTC; databases hand it over without a zone, in a session that is in UTC."""
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).isoformat()
    if isinstance(value, date):
        return datetime.combine(value, time(), UTC).isoformat()
    return None


def _bounds(day: date) -> tuple[datetime, datetime]:
    start = datetime(day.year, day.month, day.day)  # noqa: DTZ001 - the session's time zone is UTC
    return start, start + timedelta(days=1)


def _plain(value: Decimal) -> int | float | None:
    """NaN and infinity are no numbers JSON knows."""
    if not value.is_finite():
        return None
    return int(value) if value == value.to_integral_value() else float(value)

"""The rows of the day in trouble: at the source, at its replica, where they were loaded, and usually."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from policies.answers import Answer, moment, number, record, records
from policies.evidence import Evidence, Json
from policies.facts import Facts
from policies.rules import Rules, Table

#: a smaller share of rows than this may always be missing: late rows, clocks
NOISE = 0.005
#: what a check may call the number of rows in its metadata
ROW_LABELS = ("rows", "loaded_rows", "row_count", "dagster/row_count")
_FEWEST_DAYS = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Rows:
    """Rows of one day in one place, with the times of the first and last one, and who said so."""

    where: str
    rows: float
    last: datetime | None
    evidence: Evidence


@dataclass(frozen=True, kw_only=True, slots=True)
class Usual:
    """The trailing median of daily rows, over how many days, and who said so."""

    rows: float
    days: int
    evidence: Evidence


def loaded(facts: Facts, rules: Rules) -> Rows | None:
    """What is in the target."""
    rule = rules.assets.get(facts.asset or "")
    return _of(facts, rule.target) if rule and rule.target else None


def primary(facts: Facts, rules: Rules) -> Rows | None:
    """What is at the source."""
    rule = rules.assets.get(facts.asset or "")
    return _of(facts, rule.source) if rule and rule.source else None


def replica(facts: Facts, rules: Rules) -> Rows | None:
    """What the replica that the pipeline reads from holds now."""
    rule = rules.assets.get(facts.asset or "")
    if not (rule and rule.source and rule.source.replica):
        return None
    return _of(facts, rule.source, rule.source.replica)


def usual(facts: Facts) -> Usual | None:
    """The median of the days before: counted in the target, or as the check's history tells."""
    found = facts.answer("daily_rows")
    if found:
        return _median(record(found.value.get("values")).values(), found)
    found = facts.answer("check_history")
    if found is None:
        return None
    past = records(found.value.get("results"))
    good = [_told(record(one.get("metadata"))) for one in past if one.get("passed") is True]
    return _median(good, found)


def short(part: Rows, whole: Rows) -> bool:
    """True when `part` lacks more than noise."""
    return part.rows < whole.rows * (1 - NOISE)


def _of(facts: Facts, table: Table, connection: str | None = None) -> Rows | None:
    where = connection or table.connection
    found = facts.answer("rows_of_day", where, table=table.table, day=facts.day)
    rows = number(found.value.get("rows")) if found else None
    if found is None or rows is None:
        return None
    return Rows(where=where, rows=rows, last=moment(found.value.get("last")), evidence=found)


def _told(metadata: Answer) -> float | None:
    return next((n for label in ROW_LABELS if (n := number(metadata.get(label))) is not None), None)


def _median(values: Iterable[Json], found: Evidence) -> Usual | None:
    counted = [n for value in values if (n := number(value))]
    if len(counted) < _FEWEST_DAYS:
        return None
    return Usual(rows=median(counted), days=len(counted), evidence=found)

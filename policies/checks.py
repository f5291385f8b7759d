"""A measurable promise about data, what must be asked to measure it, and what the answers amount to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import Literal

from policies.answers import number, record, text
from policies.evidence import Evidence, Json, Probe
from policies.figures import count, day_of, share
from policies.kinds import runs
from policies.rules import DataCheck, Domain, Rules, Table

CheckKind = Literal["rows_match_source", "within_baseline", "asset_check"]
Moment = Literal["before", "gate", "after"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """A promise about data. `params` say what is measured and against what, in plain JSON."""

    name: str
    kind: CheckKind
    says: str
    params: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckResult:
    """One measurement. `passed` is None when it could not be measured: that is never a pass."""

    check: str
    passed: bool | None
    measured: str
    expected: str
    at: datetime
    evidence_ids: tuple[str, ...] = ()
    moment: Moment = "after"


def asset_check(connection: str | None, asset: str, name: str, partition: str | None) -> Check:
    """The promise that the orchestrator's own check passes; without a connection: dw.yml's first."""
    params: dict[str, Json] = {
        "connection": connection,
        "asset": asset,
        "check": name,
        "partition": partition,
    }
    return Check(
        name=name,
        kind="asset_check",
        says=f"{name} passes on {asset}" + (f" for {partition}" if partition else ""),
        params={key: value for key, value in params.items() if value is not None},
    )


def checks_for(domain: Domain, partition: str | None) -> tuple[Check, ...]:
    """The domain's promises that can be measured for this partition; rows and totals need a day."""
    day = day_of(partition)
    made = (_check(told, partition, day) for told in domain.checks)
    return tuple(check for check in made if check)


def questions(check: Check, rules: Rules) -> tuple[Probe, ...]:
    """What must be asked to measure it; nothing when dw.yml lacks what it takes."""
    return _KINDS[check.kind].ask(check, rules)


def judge(
    check: Check, evidence: Sequence[Evidence], at: datetime, moment: Moment = "after"
) -> CheckResult:
    """One measurement, from the answers to `questions` in their order.

    A missing or unusable answer is never a pass: then `passed` is None and `measured` says why.
    """
    passed, measured, expected = _judged(check, evidence)
    return CheckResult(
        check=check.name,
        passed=passed,
        measured=measured,
        expected=expected,
        at=at,
        evidence_ids=tuple(found.id for found in evidence),
        moment=moment,
    )


#: passed or not, what was measured, what was expected
_Judged = tuple[bool | None, str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Kind:
    """How one kind of check asks, how many answers it needs, and how it judges them."""

    ask: Callable[[Check, Rules], tuple[Probe, ...]]
    needs: int
    judge: Callable[[Check, Sequence[Evidence]], _Judged]


def _check(told: DataCheck, partition: str | None, day: str | None) -> Check | None:
    if told.kind == "asset_check":
        return asset_check(None, told.asset, told.check or told.name, partition)
    if day is None:
        return None
    params: dict[str, Json] = {"asset": told.asset, "day": day, "tolerance": told.tolerance}
    if told.kind == "rows_match_source":
        says = f"{told.asset} holds the rows its source has for {day}"
        return Check(name=told.name, kind=told.kind, says=says, params=params)
    params |= {"weeks": told.weeks} | ({"sql": told.sql} if told.sql else {})
    says = f"{told.asset} on {day} is like the {told.weeks} same weekdays before"
    return Check(name=told.name, kind=told.kind, says=says, params=params)


def _judged(check: Check, evidence: Sequence[Evidence]) -> _Judged:
    kind = _KINDS[check.kind]
    silent = next((found for found in evidence if not found.answered), None)
    if silent:
        return None, f"{silent.probe.connection} could not tell: {silent.problem}", check.says
    if len(evidence) != kind.needs:
        return None, "not measured: not every question was asked and answered", check.says
    return kind.judge(check, evidence)


def _ask_rows(check: Check, rules: Rules) -> tuple[Probe, ...]:
    rule, day = rules.assets.get(str(check.params.get("asset"))), text(check.params.get("day"))
    if rule is None or rule.target is None or rule.source is None or day is None:
        return ()
    return _rows(rule.target, day), _rows(rule.source, day)


def _rows(table: Table, day: str) -> Probe:
    params: dict[str, Json] = {"table": table.table, "time": table.time, "day": day}
    return Probe(connection=table.connection, name="rows_of_day", params=params)


def _judge_rows(check: Check, evidence: Sequence[Evidence]) -> _Judged:
    ours, theirs = (number(found.value.get("rows")) for found in evidence)
    if ours is None or theirs is None:
        return None, "the number of rows is not in the answer", check.says
    if theirs == 0:
        return None, f"{count(ours)} rows; the source has none, which proves nothing", check.says
    measured = f"{count(ours)} of {count(theirs)} rows ({share(ours, theirs)})"
    tolerance = number(check.params.get("tolerance")) or 0
    expected = f"{count(theirs)} rows, give or take {share(tolerance, 1)}"
    return abs(ours - theirs) <= tolerance * theirs, measured, expected


def _ask_baseline(check: Check, rules: Rules) -> tuple[Probe, ...]:
    rule, day = rules.assets.get(str(check.params.get("asset"))), text(check.params.get("day"))
    if rule is None or rule.target is None or day is None:
        return ()
    days: list[Json] = [day, *_weekdays_before(check, day)]
    sql = text(check.params.get("sql"))
    params: dict[str, Json] = (
        {"sql": sql, "days": days}
        if sql
        else {"table": rule.target.table, "time": rule.target.time, "days": days}
    )
    name = "scalar_by_day" if sql else "daily_rows"
    return (Probe(connection=rule.target.connection, name=name, params=params),)


def _weekdays_before(check: Check, day: str) -> list[str]:
    first = datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC)
    weeks = int(number(check.params.get("weeks")) or 1)
    return [(first - timedelta(weeks=n)).date().isoformat() for n in range(1, weeks + 1)]


def _judge_baseline(check: Check, evidence: Sequence[Evidence]) -> _Judged:
    values = record(evidence[0].value.get("values"))
    day = str(check.params.get("day"))
    wanted = _weekdays_before(check, day)
    before = [n for one in wanted if (n := number(values.get(one))) is not None]
    value = number(values.get(day))
    if value is None:
        return None, f"nothing is there for {day}", check.says
    if len(before) < (len(wanted) + 1) // 2:
        few = f"{count(value)}; only {len(before)} of {len(wanted)} same weekdays before are known"
        return None, few, check.says
    usual = median(before)
    if usual == 0:
        return (
            None,
            f"{count(value)}; the same weekdays before are 0, which proves nothing",
            check.says,
        )
    tolerance = number(check.params.get("tolerance")) or 0
    measured = f"{count(value)} ({share(value, usual)} of the usual {count(usual)})"
    expected = f"{count(usual)}, give or take {share(tolerance, 1)}"
    return abs(value - usual) <= tolerance * abs(usual), measured, expected


def _ask_asset_check(check: Check, rules: Rules) -> tuple[Probe, ...]:
    orchestrators = (name for name, c in rules.connections.items() if runs(c.kind))
    where = text(check.params.get("connection")) or next(orchestrators, None)
    if where is None:
        return ()
    asked = {key: value for key, value in check.params.items() if key != "connection"}
    return (Probe(connection=where, name="asset_check", params=asked),)


def _judge_asset_check(check: Check, evidence: Sequence[Evidence]) -> _Judged:
    said = evidence[0].value
    passed = said.get("passed")
    words = text(said.get("description"))
    if not isinstance(passed, bool):
        return None, "it has not been evaluated", check.says
    return passed, ("passed" if passed else "failed") + (f": {words}" if words else ""), check.says


_KINDS: Mapping[CheckKind, _Kind] = {
    "rows_match_source": _Kind(ask=_ask_rows, needs=2, judge=_judge_rows),
    "within_baseline": _Kind(ask=_ask_baseline, needs=1, judge=_judge_baseline),
    "asset_check": _Kind(ask=_ask_asset_check, needs=1, judge=_judge_asset_check),
}

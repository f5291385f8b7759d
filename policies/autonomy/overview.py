"""Levels, records and budgets of every domain side by side, for people; and what the numbers suggest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from policies import events as e
from policies.autonomy.budget import Budget
from policies.autonomy.classes import REVERSIBLE
from policies.autonomy.levels import EVERY, PROPOSE, InForce, Level, LevelEntry, in_force, wishes
from policies.autonomy.record import Record, record
from policies.autonomy.shadow import Tally, tally
from policies.rules import Domain, Rules


@dataclass(frozen=True, kw_only=True, slots=True)
class ClassLevel:
    """How one change class stands in one domain. `suggests` is a level the numbers would allow."""

    name: str
    level: InForce
    record: Record
    shadow: Tally
    suggests: Level | None


@dataclass(frozen=True, kw_only=True, slots=True)
class DomainLevels:
    """How one domain stands. `spent` are runs started alone today, `paid` what they cost.

    `wishes` wait for a second admin.
    """

    name: str
    level: InForce
    budget: Budget | None
    spent: int
    classes: tuple[ClassLevel, ...]
    wishes: tuple[LevelEntry, ...]
    paid: float = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """What is stored: level entries, receipt bodies, shadow looks by domain, runs of today and their cost by domain."""

    entries: Sequence[LevelEntry]
    bodies: Sequence[Mapping[str, Any]]
    seen: Sequence[tuple[str, e.ShadowSeen]]
    spent: Mapping[str, int]
    paid: Mapping[str, float]


def overview(rules: Rules, known: Known, now: datetime) -> tuple[DomainLevels, ...]:
    """Every domain of dw.yml."""
    return tuple(_domain(name, rule, known, now) for name, rule in rules.domains.items())


def _domain(name: str, rule: Domain, known: Known, now: datetime) -> DomainLevels:
    lines = [_class(name, rule, known, now, one) for one, may in REVERSIBLE.items() if may]
    return DomainLevels(
        name=name,
        level=in_force(known.entries, name, EVERY, rule.level),
        budget=rule.budget,
        spent=known.spent.get(name, 0),
        paid=known.paid.get(name, 0),
        classes=tuple(line for line in lines if _worth_a_line(line)),
        wishes=wishes(known.entries, name, now),
    )


def _class(domain: str, rule: Domain, known: Known, now: datetime, name: str) -> ClassLevel:
    level = in_force(known.entries, domain, name, rule.level)
    told = record(known.bodies, domain, name, now, rule.record)
    return ClassLevel(
        name=name,
        level=level,
        record=told,
        shadow=tally([event for at, event in known.seen if at == domain], name),
        suggests="L3" if told.good and level.rank == PROPOSE else None,
    )


def _worth_a_line(line: ClassLevel) -> bool:
    own = line.level.entry is not None and line.level.entry.change_class == line.name
    return own or bool(line.record.clean or line.record.badly or line.shadow.would)

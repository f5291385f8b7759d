"""Whether a step of the bot may go on without a fresh yes, and in whose name.

A delegation is a decision that an admin made beforehand, on record. It is weighed like any other: what is
made here are `Decision`s of people, and only `weigh` turns them into the right to act.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from policies.approval import ApprovalRequest, Decision
from policies.autonomy.classes import reversible
from policies.autonomy.levels import EVERY, InForce, LevelEntry
from policies.autonomy.record import Record
from policies.incident import Incident, RequestState
from policies.people import Grant, Person
from policies.plan import Plan, Step
from policies.rules import Domain

WHERE: Final = "delegation"


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """What is known now about the level of one class in one domain.

    `on_record`: the chain of receipts holds the entry. `people` are those who delegated and are still
    admins. `spent` are runs started alone today, and `paid` what they cost. `cost` is what dw.yml says that
    this one costs. `stopped`: a stop was in force since the alert.
    """

    level: InForce
    on_record: bool
    people: tuple[Person, ...]
    record: Record
    spent: int
    stopped: bool = False
    paid: float = 0
    cost: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """One step and all that speaks for or against doing it alone."""

    step: Step
    incident: Incident
    plan: Plan
    domain: Domain
    standing: Standing


def withheld(case: Case) -> str | None:
    """Why this step is asked for although its level is above L2; None when it may go on alone."""
    return next((why for test in _TESTS if (why := test(case))), None)


def decisions(
    request: ApprovalRequest, entry: LevelEntry, people: Sequence[Person], now: datetime
) -> tuple[Decision, ...]:
    """The yes of each who delegated, for exactly what this request shows."""
    what = "all reversible changes" if entry.change_class == EVERY else entry.change_class
    because = f"delegated {what} in {entry.domain} on {entry.at:%Y-%m-%d}, level {entry.level}"
    return tuple(
        Decision(
            key=f"{WHERE}:{request.id}:{person.id}",
            person=person.id,
            name=person.name,
            choice="yes",
            digest=request.digest,
            at=now,
            where=WHERE,
            grant=Grant(person=person.id, because=because, hop=0),
            reason=entry.reason,
        )
        for person in people
    )


def delegated(state: RequestState) -> bool:
    """True when nobody was asked: the yes was given beforehand."""
    return any(decision.where == WHERE for decision in state.decisions)


def _irreversible(case: Case) -> str | None:
    name = case.step.change_class
    return None if reversible(name) else f"{name} is not among the changes that can be taken back"


def _unproven(case: Case) -> str | None:
    if case.standing.on_record:
        return None
    return "no receipt proves who raised its level; an admin must raise it again"


def _nobody(case: Case) -> str | None:
    entry = case.standing.level.entry
    still = {person.id for person in case.standing.people}
    gone = [who for who in (entry.by if entry else ()) if who not in still]
    return "whoever delegated it is no admin any more" if gone or entry is None else None


def _few(case: Case) -> str | None:
    needed, given = case.domain.quorum, len(case.standing.people)
    return f"{needed} people must say yes, and {given} delegated it" if given < needed else None


def _guessing(case: Case) -> str | None:
    found = case.incident.diagnosis.cause if case.incident.diagnosis else None
    return None if found else "no cause is known"


def _unprovable(case: Case) -> str | None:
    return None if case.plan.checks else "no check could prove the numbers right afterwards"


def _halted(case: Case) -> str | None:
    return (
        "there was a stop since it began, so a person looks first"
        if case.standing.stopped
        else None
    )


def _untried(case: Case) -> str | None:
    if case.standing.level.level == "L4" or case.standing.record.good:
        return None
    return f"{case.step.change_class} has no clean record yet: {case.standing.record.says}"


def _too_far(case: Case) -> str | None:
    budget, reach = case.domain.budget, len(case.plan.reach)
    if budget is None:
        return "dw.yml gives this domain no budget for it"
    if reach > budget.reach:
        return f"it reaches {reach} assets, the budget covers {budget.reach}"
    if case.standing.spent >= budget.runs_a_day:
        return f"the budget of {budget.runs_a_day} runs a day is spent"
    return None


def _too_dear(case: Case) -> str | None:
    limit = case.domain.budget.cost_a_day if case.domain.budget else None
    cost, paid = case.standing.cost, case.standing.paid
    if limit is None:
        return None
    if cost is None:
        return f"dw.yml does not say what a run of {case.step.params.get('job') or case.step.title} costs"
    return (
        f"it costs {cost:g}, and {paid:g} of the day's {limit:g} are spent"
        if paid + cost > limit
        else None
    )


_TESTS: tuple[Callable[[Case], str | None], ...] = (
    _irreversible,
    _unproven,
    _nobody,
    _few,
    _guessing,
    _unprovable,
    _halted,
    _untried,
    _too_far,
    _too_dear,
)

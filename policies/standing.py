"""Who may decide a request now and why, who may not and why not. Fails closed: unknown means nobody."""

from collections.abc import Iterable
from dataclasses import dataclass

from policies.approval import ApprovalRequest, ApprovalRule
from policies.people import Grant, Person, Seated


@dataclass(frozen=True, kw_only=True, slots=True)
class Refusal:
    """Why somebody may not decide this, and who may. Shown to them; nothing changed."""

    person: str
    why: str
    who_may: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """Who may decide, each once and by their best right; who sits there and may not; and what is wrong."""

    may: tuple[Grant, ...] = ()
    may_not: tuple[tuple[str, str], ...] = ()
    problems: tuple[str, ...] = ()

    def who(self) -> tuple[str, ...]:
        """Their Slack ids."""
        return tuple(grant.person for grant in self.may)

    def dead(self, quorum: int) -> str | None:
        """Why nobody could make this a yes, or None."""
        if not self.may:
            return "nobody is left who may decide this"
        votes = min(len(self.may), len({grant.for_person or grant.person for grant in self.may}))
        short = votes < quorum
        return f"{quorum} must say yes, and only {votes} may" if short else None


def standing(rule: ApprovalRule, seated: Iterable[tuple[int, Seated]]) -> Standing:
    """What the people who sit in these seats amount to under the rule."""
    seats = tuple(seated)
    grants: dict[str, Grant] = {}
    for grant in (*_own(rule, seats), *_delegated(rule, seats)):
        grants.setdefault(grant.person, grant)
    everybody = [
        p for _, seat in seats for p in (*seat.people, *(d.person for d in seat.delegates))
    ]
    barred = {p.id: why for p in everybody if (why := ban(rule, p)) and p.id not in grants}
    problems = tuple(seat.problem for _, seat in seats if seat.problem)
    return Standing(may=tuple(grants.values()), may_not=tuple(barred.items()), problems=problems)


def entitle(
    request: ApprovalRequest, person: Person, seated: Iterable[tuple[int, Seated]]
) -> Grant | Refusal:
    """The right of `person` to decide `request` now, from the people who sit in its seats now.

    A seat that can't be resolved holds nobody.
    """
    found = standing(request.rule, seated)
    why = ban(request.rule, person)
    if why is None:
        grant = next((grant for grant in found.may if grant.person == person.id), None)
        if grant is not None:
            return grant
        problems = f" ({'; '.join(found.problems)})" if found.problems else ""
        why = f"you are not among those who may decide this{problems}"
    who_may = tuple(one for one in found.who() if one != person.id)
    return Refusal(person=person.id, why=why, who_may=who_may)


def nobody(seated: Seated, found: Standing) -> str:
    """Why nobody of a seat can be asked."""
    if seated.problem or not seated.people:
        return seated.problem or "nobody sits there"
    if not found.may:
        return "; ".join(dict.fromkeys(why for _, why in found.may_not))
    return "everybody there is away, and nobody decides for them"


def ban(rule: ApprovalRule, person: Person) -> str | None:
    """Why the rule keeps this person from deciding, or None."""
    barred = person.barred(rule.allowed)
    found = next((b for b in rule.banned if b.keeps_out(person)), None)
    return barred or (found.because if found else None)


def _own(rule: ApprovalRule, seats: tuple[tuple[int, Seated], ...]) -> Iterable[Grant]:
    for hop, seat in seats:
        for person in seat.people:
            if ban(rule, person) is None:
                yield Grant(person=person.id, because=seat.seat.because, hop=hop)


def _delegated(rule: ApprovalRule, seats: tuple[tuple[int, Seated], ...]) -> Iterable[Grant]:
    """A delegate has the right of whom they decide for, and none where that person has none."""
    for hop, seat in seats:
        able = {person.id for person in seat.people if ban(rule, person) is None}
        for delegate in seat.delegates:
            if delegate.for_person in able and ban(rule, delegate.person) is None:
                yield Grant(
                    person=delegate.person.id,
                    because=seat.seat.because,
                    hop=hop,
                    for_person=delegate.for_person,
                    until=delegate.until,
                )

"""Many requests in plain words, for one email and one page: what is the same in all of them, and what each has of its own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from handlers.mail.telling import Told, ToldStep, told
from policies.batch import Member
from policies.people import Person


@dataclass(frozen=True, kw_only=True, slots=True)
class ToldEach:
    """One of them: its own facts, or all of it where the others are of another shape."""

    told: Told
    facts: tuple[tuple[str, str], ...]
    whole: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class ToldMany:
    """`common` is one of them without what is not the same in all; `each` are all of them, oldest first.

    `title` is theirs where it is the same, so that nobody reads it forty times.
    """

    common: Told
    each: tuple[ToldEach, ...]
    until: str
    several: bool
    title: str


def told_many(members: Sequence[Member], person: Person | None) -> ToldMany:
    """One request or many as they stand. `members` is not empty."""
    all_ = [told(incident, state, person) for incident, state in members]
    first = min(members, key=lambda member: member[1].request.deadline)
    until = told(*first, person).until
    if len({_shape(one) for one in all_}) > 1 or any(one.changed for one in all_):
        common = replace(all_[0], steps=(), reach=(), changed=())
        each = [ToldEach(told=one, facts=(), whole=True) for one in all_]
    else:
        common = _common(all_)
        each = [ToldEach(told=one, facts=_own(one, common), whole=False) for one in all_]
    title = all_[0].title if len({one.title for one in all_}) == 1 else ""
    many = len(all_) > 1
    return ToldMany(common=common, each=tuple(each), until=until, several=many, title=title)


def _shape(one: Told) -> str:
    """Equal for those that can be told together: the same kind of steps with the same drafts."""
    steps = [(s.doer, s.drafts, tuple(name for name, _ in s.facts)) for s in one.steps]
    return str(steps)


def _common(all_: Sequence[Told]) -> Told:
    steps = tuple(_same_in(steps) for steps in zip(*(one.steps for one in all_), strict=True))
    reach = all_[0].reach if len({one.reach for one in all_}) == 1 else ()
    return replace(all_[0], steps=steps, reach=reach)


def _same_in(steps: Sequence[ToldStep]) -> ToldStep:
    same = set(steps[0].facts).intersection(*(step.facts for step in steps[1:]))
    title = steps[0].title if len({step.title for step in steps}) == 1 else ""
    facts = tuple(fact for fact in steps[0].facts if fact in same)
    return replace(steps[0], title=title, facts=facts)


def _own(one: Told, common: Told) -> tuple[tuple[str, str], ...]:
    """What of it is not said of all: every word that a yes would cover is on the page."""
    own: list[tuple[str, str]] = []
    for step, shared in zip(one.steps, common.steps, strict=True):
        own += [("does", step.title)] if not shared.title else []
        own += [fact for fact in step.facts if fact not in shared.facts]
    if one.reach != common.reach:
        own.append(("reaches", ", ".join(one.reach) or "nothing else"))
    return tuple(own)

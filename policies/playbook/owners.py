"""Who is asked: dw.yml first, then the orchestrator, then whoever comes first in the domain's chain."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from policies.playbook.case import Case

OWNER = "owner"


@dataclass(frozen=True, kw_only=True, slots=True)
class Owner:
    """Who (an email, a Slack id or `@handle`) and where the naming came from."""

    who: str
    because: str


def owner_of(case: Case, *names: str) -> Owner | None:
    """The owner of the first of these that has one; else of the asset in trouble.

    None when dw.yml names nobody at all: then nobody can be asked.
    """
    found = chain(_named(case, names), _named(case, _root(case)), _first_in_chain(case, names))
    return next(found, None)


def decider_of(case: Case, *names: str) -> Owner | None:
    """Who says yes to what the bot does itself: whatever dw.yml says outweighs the orchestrator.

    So that one trouble with one owner is one question, unless dw.yml names somebody for the job or
    for what it builds.
    """
    told = _from_rules(case, (*names, *_root(case)))
    return next(told, None) or owner_of(case, *names)


def _root(case: Case) -> tuple[str, ...]:
    return (case.facts.asset,) if case.facts.asset else ()


def _named(case: Case, names: tuple[str, ...]) -> Iterator[Owner]:
    yield from _from_rules(case, names)
    yield from _from_lineage(case, names)


def _first_in_chain(case: Case, names: tuple[str, ...]) -> Iterator[Owner]:
    told = next((link.who for link in case.domain.chain if link.who != OWNER), None)
    if told:
        because = f"nobody is named for {names[0]}; first in the chain of {case.domain_name}"
        yield Owner(who=told, because=because)


def _from_rules(case: Case, names: tuple[str, ...]) -> Iterator[Owner]:
    for name in names:
        who = case.domain.owner_of(name)
        if who:
            yield Owner(who=who, because=f"owner of {name}, from dw.yml")


def _from_lineage(case: Case, names: tuple[str, ...]) -> Iterator[Owner]:
    for name in names:
        asset = case.lineage.assets.get(name)
        if asset and asset.owner and "@" in asset.owner:
            said_by = asset.owner_said_by or asset.said_by or case.connection
            yield Owner(who=asset.owner, because=f"owner of {name}, from {said_by}")

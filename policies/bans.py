"""Who may not decide this one: who asked for it, who wrote the plan, who wrote the change that broke it.

Where nothing tells who that is, the request says so. An author whom nobody can find in Slack by the address in
git is kept out by name: whoever is called so there may not decide, and the request says that it goes by the name.
"""

from collections.abc import Iterator

from policies.approval import Ban
from policies.authors import Author, Blame, blame
from policies.figures import listed
from policies.incident import Incident
from policies.plan import Plan
from policies.seats import Bans

_WRITER = "whoever wrote the change that broke it"
_TWO = 2
_MOST_NAMED = 5


def bans(incident: Incident, plan: Plan, rule: Bans) -> tuple[Ban, ...]:
    """The bans that hold for a plan, from what is known when it is asked for."""
    return tuple(_bans(incident, plan, rule))


def untold(incident: Incident, plan: Plan, rule: Bans) -> tuple[str, ...]:
    """The bans that keep nobody out here, each with why: so that nobody believes in one that can't work."""
    return tuple(_untold(incident, plan, rule))


def quorum(incident: Incident, rule: Bans, wanted: int) -> int:
    """How many must say yes: two where an author can't be found and dw.yml wants it to be safe."""
    found = blame(incident) if rule.author and rule.unmatched_author == "two_people" else None
    unsure = found is not None and (found.unmatched or found.unknown)
    return max(wanted, _TWO) if unsure else wanted


def _untold(incident: Incident, plan: Plan, rule: Bans) -> Iterator[str]:
    if rule.asker and not plan.asked_by:
        yield "whoever asked for it: nobody did, an alert began it"
    if rule.planner and not plan.written_by:
        yield "whoever wrote the plan: no person did, it follows from dw.yml and what was read"
    if rule.author:
        yield from _unknown_authors(blame(incident), rule)


def _unknown_authors(found: Blame | None, rule: Bans) -> Iterator[str]:
    if found is None:
        yield f"{_WRITER}: no change of code is blamed"
        return
    two = "; two people must say yes" if rule.unmatched_author == "two_people" else ""
    if found.unknown:
        yield f"{_WRITER}: {found.unknown}{two}"
    if found.not_looked_up:
        yield (
            f"{_WRITER}: {found.not_looked_up} of {len(found.authors)} people were not looked up in Slack, so"
            f" only people called so are kept out{two}"
        )
    if sought := [author.called for author in found.unmatched if author.looked_up]:
        more = len(sought[_MOST_NAMED:])
        who = listed([*sought[:_MOST_NAMED], *([f"{more} more"] if more else [])])
        yield (
            f"{_WRITER}: Slack knows nobody by the address that git has of {who}, so only people called"
            f" so are kept out{two}. `authors` in dw.yml says who they are"
        )


def _bans(incident: Incident, plan: Plan, rule: Bans) -> Iterator[Ban]:
    if rule.asker and plan.asked_by:
        yield Ban(who=plan.asked_by, because="you asked for this change")
    if rule.planner and plan.written_by:
        yield Ban(who=plan.written_by, because="you wrote this plan")
    found = blame(incident) if rule.author else None
    for author in found.authors if found else ():
        yield _ban(author, found.commits if found else 0)


def _ban(author: Author, commits: int) -> Ban:
    which = f" ({author.commits[0][:7]})" if author.commits else ""
    because = (
        f"you wrote the change that broke it{which}"
        if commits <= 1
        else f"you wrote one of the {commits} changes since the last good run{which}, and one of them broke it"
    )
    return Ban(
        who=author.person or author.email or author.called,
        because=because,
        name=author.called,
        by_name=author.person is None and bool(author.name),
    )

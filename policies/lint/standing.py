"""Mistakes in who may decide: schedules nobody described, seats nobody sits in, a yes to one's own plan."""

from collections.abc import Iterator
from fnmatch import fnmatchcase

from policies.lint.domains import OWNER
from policies.lint.parts import Data, Mistake, Path, described, items, mapping, pick, texts
from policies.lint.people import A_PERSON, is_one_person
from policies.seats import on_call


def rotas(data: Data) -> Iterator[Mistake]:
    """Rotas of people that are nobody, or of somebody twice."""
    for name, rota in described(data, "rotas"):
        people = texts(rota.get("people"))
        for i, who in people:
            if not is_one_person(who):
                path: Path = ("rotas", name, "people", i)
                yield Mistake(path=path, what=f"{who!r} names nobody", instead=A_PERSON)


def schedules(data: Data) -> Iterator[Mistake]:
    """Seats of rotas that are not described, and of schedules that no connection can read."""
    known = mapping(data.get("rotas"))
    kinds = [connection.get("kind") for _, connection in described(data, "connections")]
    for path, who in _seats(data):
        scheduled = on_call(who)
        if scheduled is None:
            continue
        kind, name = scheduled
        if kind == "rota" and name not in known:
            instead = pick(name, known) if known else f"rotas: {{{name}: {{people: […], …}}}}"
            yield Mistake(path=path, what=f"there is no rota {name!r}", instead=instead)
        if kind != "rota" and kind not in kinds:
            what, instead = (
                f"no connection reads {kind}",
                f"connections: {{{kind}: {{kind: {kind}}}}}",
            )
            yield Mistake(path=path, what=what, instead=instead)


def ends(data: Data) -> Iterator[Mistake]:
    """Chains that end with an owner where some asset may have none: nobody would be asked."""
    for name, domain in described(data, "domains"):
        asked = [mapping(link).get("who") for link in items(domain.get("chain"))]
        if not asked or any(who != OWNER for who in asked):
            continue
        owned = list(map(str, mapping(domain.get("owners"))))
        orphans = [a for _, a in texts(domain.get("assets")) if not _owned(a, owned)]
        if orphans:
            what = f"it ends with the owner, and dw.yml names none for {', '.join(orphans)}"
            instead = "add somebody after the owner, or name an owner"
            yield Mistake(path=("domains", name, "chain"), what=what, instead=instead)


def too_few(data: Data) -> Iterator[Mistake]:
    """Domains in which fewer people could ever say yes than must: the owner of an asset may be the next too.

    A rota is one person at a time, and on their turn no more than that.
    """
    for name, domain in described(data, "domains"):
        asked = [mapping(link).get("who") for link in items(domain.get("chain"))]
        quorum = domain.get("quorum", 1)
        named = [who for who in mapping(domain.get("owners")).values() if isinstance(who, str)]
        for owner in dict.fromkeys(named) if OWNER in asked else ():
            seats = [owner if who == OWNER else who for who in asked]
            people = _at_worst(data, [who for who in seats if isinstance(who, str)])
            if people is not None and isinstance(quorum, int) and len(people) < quorum:
                what = f"{quorum} must say yes, but what {owner} owns may be put to {' and '.join(people)} alone"
                instead = "lower it, or name a group, or somebody else, in the chain"
                yield Mistake(path=("domains", name, "quorum"), what=what, instead=instead)


def _at_worst(data: Data, seats: list[str]) -> list[str] | None:
    """Who is surely asked when turns fall badly; None where a group or a schedule may hold anybody."""
    if not all(is_one_person(who) or who.startswith("rota:") for who in seats):
        return None
    people = dict.fromkeys(who for who in seats if is_one_person(who))
    rotas = mapping(data.get("rotas"))
    for who in seats:
        turns = {p for _, p in texts(mapping(rotas.get(who.partition(":")[2])).get("people"))}
        if turns and not turns & set(people):
            people[who] = None
    return list(people)


def own_plans(data: Data) -> Iterator[Mistake]:
    """Domains in which one person could ask for a change, or write its plan, and say yes to it alone."""
    for name, domain in described(data, "domains"):
        lifted = [k for k in ("asker", "planner") if mapping(domain.get("bans")).get(k) is False]
        if lifted and domain.get("quorum", 1) == 1:
            path: Path = ("domains", name, "bans", lifted[0])
            what = "one person could say yes to their own plan, alone"
            yield Mistake(path=path, what=what, instead="leave this ban on, or set quorum: 2")


def _owned(asset: str, patterns: list[str]) -> bool:
    return any(fnmatchcase(asset, pattern) for pattern in patterns)


def _seats(data: Data) -> Iterator[tuple[Path, str]]:
    for name, domain in described(data, "domains"):
        for i, link in enumerate(items(domain.get("chain"))):
            who = mapping(link).get("who")
            if isinstance(who, str):
                yield ("domains", name, "chain", i, "who"), who
        for pattern, who in mapping(domain.get("owners")).items():
            if isinstance(who, str):
                yield ("domains", name, "owners", str(pattern)), who

"""Mistakes inside a domain: who is asked, who owns, what is measured."""

from collections.abc import Iterator
from fnmatch import fnmatchcase

from policies.lint.parts import Data, Mistake, Path, described, items, mapping, pick, texts
from policies.lint.people import SOMEBODY, is_one_person, is_somebody

OWNER = "owner"


def chains(data: Data) -> Iterator[Mistake]:
    """Chains that ask nobody, or fewer people than must say yes."""
    for name, domain in described(data, "domains"):
        path: Path = ("domains", name, "chain")
        asked = [mapping(link).get("who") for link in items(domain.get("chain"))]
        for i, who in enumerate(asked):
            if isinstance(who, str) and who != OWNER and not is_somebody(who):
                what, instead = f"{who!r} names nobody", f"{OWNER}, {SOMEBODY}"
                yield Mistake(path=(*path, i, "who"), what=what, instead=instead)
        quorum = domain.get("quorum", 1)
        alone = all(isinstance(who, str) and is_one_person(who) for who in asked)
        if isinstance(quorum, int) and asked and alone and quorum > len(asked):
            what = f"{quorum} must say yes, but the chain asks {len(asked)}"
            instead = "lower it, or name a group in the chain"
            yield Mistake(path=("domains", name, "quorum"), what=what, instead=instead)


def levels(data: Data) -> Iterator[Mistake]:
    """Levels that no file may give."""
    for name, domain in described(data, "domains"):
        if domain.get("level") in ("L3", "L4"):
            what = f"{domain['level']} is never given by a file"
            instead = (
                f"L2; an admin raises it in Slack, on record: /dw autonomy set {name} run_job L3"
            )
            yield Mistake(path=("domains", name, "level"), what=what, instead=instead)


def owners(data: Data) -> Iterator[Mistake]:
    """Domains without owners, and owners of what the domain does not hold."""
    for name, domain in described(data, "domains"):
        path: Path = ("domains", name, "owners")
        named = mapping(domain.get("owners"))
        held = [asset for _, asset in texts(domain.get("assets"))]
        if not named:
            instead = f"owners: {{{held[0] if held else 'asset'}: who@example.com}}"
            yield Mistake(path=path, what="nobody owns anything here", instead=instead)
        for pattern in map(str, named):
            if held and not any(_meet(pattern, asset) for asset in held):
                what = "this domain holds no such asset"
                yield Mistake(path=(*path, pattern), what=what, instead=pick(pattern, held))


def checks(data: Data) -> Iterator[Mistake]:
    """Checks of what the domain does not hold, twice the same name, or without what they need."""
    for name, domain in described(data, "domains"):
        held = [asset for _, asset in texts(domain.get("assets"))]
        names: set[str] = set()
        for i, raw in enumerate(items(domain.get("checks"))):
            path: Path = ("domains", name, "checks", i)
            check = mapping(raw)
            yield from _check(data, path, check, held)
            called = str(check.get("name"))
            if called in names:
                what, instead = "a check of this name stands above", "give each its own name"
                yield Mistake(path=(*path, "name"), what=what, instead=instead)
            names.add(called)


def _check(data: Data, path: Path, check: Data, held: list[str]) -> Iterator[Mistake]:
    asset, kind = check.get("asset"), check.get("kind")
    if isinstance(asset, str) and held and not any(fnmatchcase(asset, p) for p in held):
        what = f"this domain holds no asset {asset!r}"
        yield Mistake(path=(*path, "asset"), what=what, instead=pick(asset, held))
    rule = mapping(mapping(data.get("assets")).get(str(asset)))
    needs = {"rows_match_source": ("target", "source"), "within_baseline": ("target",)}
    for side in needs.get(str(kind), ()):
        if not mapping(rule.get(side)):
            instead = f"assets: {{{asset}: {{{side}: {{connection: …, table: …, time: …}}}}}}"
            yield Mistake(path=path, what=f"{kind} needs the {side} of {asset}", instead=instead)
    sql = check.get("sql")
    if isinstance(sql, str) and ":day" not in sql:
        instead = 'sql: "select … where day = :day"'
        yield Mistake(path=(*path, "sql"), what="it does not ask for :day", instead=instead)
    if kind == "asset_check" and not check.get("check"):
        instead = "check: the name it has in the orchestrator"
        yield Mistake(path=path, what="asset_check needs to know which check", instead=instead)


def _meet(pattern: str, held: str) -> bool:
    return fnmatchcase(held, pattern) or fnmatchcase(pattern, held)

"""Mistakes in who holds what: assets and jobs of no domain, or of two, and tables in no store."""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import combinations

from policies.kinds import a_or_an, holds_tables, runs
from policies.kinds import stores as table_stores
from policies.lint.connections import named
from policies.lint.parts import Data, Mistake, described, pick, texts


def stores(data: Data) -> Iterator[Mistake]:
    """Tables are counted in a store; an orchestrator holds none."""
    kinds = {name: connection.get("kind") for name, connection in described(data, "connections")}
    holding = sorted(name for name, kind in kinds.items() if holds_tables(kind))
    for path, name in named(data):
        if path[0] == "assets" and runs(kinds.get(name)):
            what = f"{name} is {a_or_an(kinds[name])}: no tables there"
            instead = "one of " + ", ".join(holding) if holding else f"describe a {table_stores()}"
            yield Mistake(path=path, what=what, instead=instead)


def homes(data: Data) -> Iterator[Mistake]:
    """Assets that are described but belong to no domain: nobody would be asked about them."""
    held = [
        name for _, domain in described(data, "domains") for _, name in texts(domain.get("assets"))
    ]
    for asset, _ in described(data, "assets"):
        if not any(fnmatchcase(asset, pattern) for pattern in held):
            what = "belongs to no domain: nobody would be asked about it"
            yield Mistake(path=("assets", asset), what=what, instead=pick(asset, held))


def owned_twice(data: Data) -> Iterator[Mistake]:
    """Assets and jobs in two domains: two owners would be right at once."""
    for (first, one), (second, other) in combinations(described(data, "domains"), 2):
        for key in ("assets", "jobs"):
            earlier = [name for _, name in texts(one.get(key))]
            for i, name in texts(other.get(key)):
                if any(fnmatchcase(name, pattern) for pattern in earlier):
                    path = ("domains", second, key, i)
                    what = f"{name} already belongs to domain {first}"
                    yield Mistake(path=path, what=what, instead="keep it in one of the two")

"""Mistakes in what dw.yml says of webhooks: names that make no address, and proofs a sender can't give."""

import re
from collections.abc import Iterator

from policies.kinds import a_or_an, runs
from policies.lint.parts import Data, Mistake, Path, described, mapping
from policies.webhooks import HOOKS, Sort, secret_of

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")


def names(data: Data) -> Iterator[Mistake]:
    """Each is a part of an address and of the name of a variable, and has that for itself."""
    taken: dict[str, str] = {}
    for name, _ in described(data, "webhooks"):
        path, variable = ("webhooks", name), secret_of(name)
        if not _NAME.fullmatch(name):
            instead = "use small letters, digits, - and _, such as dbt-prod"
            yield Mistake(path=path, what="this can't stand in an address", instead=instead)
        elif variable in taken:
            what = f"{variable} would be read for it and for {taken[variable]} too"
            yield Mistake(path=path, what=what, instead="rename one of them")
        taken.setdefault(variable, name)


def proofs(data: Data) -> Iterator[Mistake]:
    """What a sender of this kind can't prove or sign."""
    for name, hook in described(data, "webhooks"):
        path, kind = ("webhooks", name), hook.get("kind")
        sort = HOOKS.get(kind) if isinstance(kind, str) else None
        if sort is None:
            continue
        if isinstance(hook.get("auth"), str) and hook["auth"] not in sort.ways:
            what, instead = f"{kind} has no such proof", " or ".join(sort.ways)
            yield Mistake(path=(*path, "auth"), what=what, instead=instead)
        if hook.get("timestamp_header") is not None and not _signs_a_time(kind, hook):
            yield Mistake(
                path=(*path, "timestamp_header"),
                what="nothing signs a time there",
                instead="take it out; it is for a grafana that signs",
            )


def subjects(data: Data) -> Iterator[Mistake]:
    """Connections that a sender of this kind can't speak of."""
    known = mapping(data.get("connections"))
    for name, hook in described(data, "webhooks"):
        sort, connection = HOOKS.get(str(hook.get("kind"))), hook.get("connection")
        kind = mapping(known.get(connection)).get("kind") if isinstance(connection, str) else None
        if sort is not None and isinstance(kind, str) and not _fits(sort, kind):
            path: Path = ("webhooks", name, "connection")
            wanted = " or ".join(sort.about) or "an orchestrator"
            what = f"{a_or_an(kind)} has nothing that {hook['kind']} speaks of"
            yield Mistake(path=path, what=what, instead=f"name a connection of kind {wanted}")


def _signs_a_time(kind: object, hook: Data) -> bool:
    return kind == "grafana" and hook.get("auth") in (None, "signed")


def _fits(sort: Sort, kind: str) -> bool:
    return kind in sort.about if sort.about else runs(kind)

"""Which repositories hold the code of what runs somewhere, and where in them, as dw.yml says it."""

from collections.abc import Mapping
from fnmatch import fnmatchcase

from policies.kinds import runs
from policies.rules import Rules
from policies.systems import Connection


def holding(rules: Rules, runner: str) -> Mapping[str, Connection]:
    """The repositories whose code runs on this connection, by name."""
    return {name: known for name, known in rules.connections.items() if runner in known.code_of}


def without(rules: Rules) -> tuple[str, ...]:
    """What runs things while nobody can tell who changed its code, though a domain bans its author."""
    if not any(domain.bans.author for domain in rules.domains.values()):
        return ()
    runners = (name for name, known in rules.connections.items() if runs(known.kind))
    return tuple(name for name in runners if not holding(rules, name))


def paths_of(repository: Connection, *names: str | None) -> tuple[str, ...]:
    """Where the code of this job or asset is; empty where dw.yml does not say, so that all of it counts."""
    found = [
        path
        for pattern, paths in repository.paths.items()
        if any(name is not None and fnmatchcase(name, pattern) for name in names)
        for path in paths
    ]
    return tuple(dict.fromkeys(found))

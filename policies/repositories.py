"""Which repositories hold the code of what runs somewhere, and where in them, as dw.yml says it."""

from collections.abc import Mapping
from fnmatch import fnmatchcase

from policies.rules import Rules
from policies.systems import Connection


def holding(rules: Rules, runner: str) -> Mapping[str, Connection]:
    """The repositories whose code runs on this connection, by name."""
    return {name: known for name, known in rules.connections.items() if runner in known.code_of}


def paths_of(repository: Connection, *names: str | None) -> tuple[str, ...]:
    """Where the code of this job or asset is; empty where dw.yml does not say, so that all of it counts."""
    found = [
        path
        for pattern, paths in repository.paths.items()
        if any(name is not None and fnmatchcase(name, pattern) for name in names)
        for path in paths
    ]
    return tuple(dict.fromkeys(found))

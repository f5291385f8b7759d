"""Secrets come from the environment or from files: one that stands in dw.yml is a mistake."""

import re
from collections.abc import Iterator, Mapping

from policies.lint.parts import Data, Mistake, Path

_KEY = re.compile(
    r"(^|_|-)(password|passwd|pwd|secret|token|api[_-]?key|private[_-]?key|credentials?)($|_|-)",
    re.I,
)
_VALUE = re.compile(
    r"\b(?:xox[a-z]|xapp)-[\w-]{4}|\bbearer\s+[\w.~+/-]{8}|-----BEGIN|\bgh[pousr]_\w{20}|\bAKIA[0-9A-Z]{16}"
    r"|://[^/@\s]*:[^/@\s]+@",
    re.I,
)
_NAMED_BY_THE_TEAM = {
    ("connections",),
    ("connections", "*", "jobs"),
    ("connections", "*", "paths"),
    ("connections", "*", "authors"),
    ("webhooks",),
    ("webhooks", "*", "assets"),
    ("domains",),
    ("domains", "*", "owners"),
    ("rotas",),
    ("assets",),
}
"""Where the keys are the team's own names: a table called `token_usage` is no secret."""


def misplaced(data: Data) -> Iterator[Mistake]:
    """Keys and values that look like secrets."""
    for path, value in _leaves(data, ()):
        if _secret_key(path) or (isinstance(value, str) and secret_like(value)):
            yield Mistake(
                path=path, what="a secret may not stand in this file", instead=_belongs(path)
            )


def secret_like(text: str) -> bool:
    """True for what looks like a token, a key, or a URL with a password in it."""
    return _VALUE.search(text) is not None


def stem(connection: str) -> str:
    """`app-primary` → `DW_APP_PRIMARY`: what the variables of its secrets begin with."""
    return "DW_" + connection.upper().replace("-", "_")


def _leaves(value: object, path: Path) -> Iterator[tuple[Path, object]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, (*path, key))
    elif isinstance(value, list | tuple):
        for i, inner in enumerate(value):
            yield from _leaves(inner, (*path, i))
    else:
        yield path, value


def _secret_key(path: Path) -> bool:
    return any(
        isinstance(key, str) and _KEY.search(key) and not _team_name(path[:i])
        for i, key in enumerate(path)
    )


def _team_name(parent: Path) -> bool:
    return tuple("*" if i == 1 else part for i, part in enumerate(parent)) in _NAMED_BY_THE_TEAM


def _belongs(path: Path) -> str:
    name = "DW_…"
    if path[0] == "connections" and len(path) > 2:  # noqa: PLR2004 - connections.<name>.<key>
        kind = "PASSWORD" if path[2] in ("dsn", "password") else "TOKEN"
        name = f"{stem(str(path[1]))}_{kind}"
    return f"take it out, and set {name} in the environment, or {name}_FILE to a file that holds it"

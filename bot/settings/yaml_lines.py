"""YAML with the line of every value, read the plain way: only true and false are true and false.

YAML 1.1 makes a date of 2026-09-28, a number of 10:30 and a boolean of `no`; here they are text.
"""

import re
from dataclasses import dataclass, field
from typing import Any

import yaml

from bot.settings.errors import ConfigError
from policies.lint.parts import Mistake, Path

_TAB = re.compile(r"^ *\t")
_OPEN = 'close the [ ] or { }; a # begins a comment, so write "#name" in quotes'
_HINTS = (
    ("cannot start any token", "a value that begins with @, ` or % needs quotes"),
    ("undefined alias", 'a value that begins with * needs quotes: "*_daily"'),
    ("mapping values are not allowed", "a value that holds `: ` needs quotes; or check the indent"),
    ("expected ',' or ']'", _OPEN),
    ("expected ',' or '}'", _OPEN),
    ("expected the node content", _OPEN),
    ("expected <block end>", "indent it like its neighbours"),
    ("could not find expected ':'", "write `key: value`"),
    ("quoted scalar", "close the quotes"),
)


class _Loader(yaml.SafeLoader):
    """Only what YAML 1.2's core schema reads as something other than text."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012


for _tag, _form, _begins in (
    ("bool", r"^(true|True|false|False)$", "tTfF"),
    ("int", r"^[-+]?\d+$", "-+0123456789"),
    ("float", r"^[-+]?(\d+\.\d*|\.\d+|\d+)([eE][-+]?\d+)?$", "-+.0123456789"),
    ("null", r"^(~|null|Null|)$", ["~", "n", "N", ""]),
    ("merge", r"^<<$", "<"),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(_form), list(_begins))


@dataclass(slots=True)
class Document:
    """What the file says, where each value of it stands, and which keys stand twice."""

    data: dict[str, Any] = field(default_factory=dict)
    lines: dict[Path, int] = field(default_factory=dict)
    doubled: list[tuple[int, Mistake]] = field(default_factory=list)

    def line_of(self, path: Path) -> int:
        """The line of this path, counted from 1, or of the nearest thing around it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


def parse(text: str, name: str) -> Document:
    """The document. Raises `ConfigError` when it is no YAML, or no mapping."""
    _refuse_tabs(text, name)
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        raise ConfigError(_syntax(error, name)) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise ConfigError(
            f"{name}:{line}: a character that may not stand in YAML → delete it"
        ) from error
    if not isinstance(node, yaml.MappingNode):
        raise ConfigError(f"{name}:1: is not a mapping → begin it with `version: 1`")
    return _Reading(loader, name).read(node)


class _Reading:
    """One walk over the nodes: values, their lines, and keys that stand twice."""

    def __init__(self, loader: _Loader, name: str) -> None:
        self._loader, self._name = loader, name
        self._document = Document()
        self._open: set[yaml.Node] = set()

    def read(self, node: yaml.MappingNode) -> Document:
        self._document.data = self._value(node, ())
        return self._document

    def _value(self, node: yaml.Node, path: Path) -> Any:
        self._document.lines.setdefault(path, _line(node))
        if isinstance(node, yaml.ScalarNode):
            return self._loader.construct_object(node)
        if node in self._open:
            raise ConfigError(
                f"{self._name}:{_line(node)}: this holds itself → take out the * that names it"
            )
        self._open.add(node)
        try:
            if isinstance(node, yaml.MappingNode):
                return self._mapping(node, path)
            return [self._value(item, (*path, i)) for i, item in enumerate(node.value)]
        finally:
            self._open.discard(node)

    def _mapping(self, node: yaml.MappingNode, path: Path) -> dict[str, Any]:
        own: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        for key, value in node.value:
            if key.tag.endswith(":merge"):
                merged = {**self._merged(value, path), **merged}
                continue
            name = str(key.value)
            here = (*path, name)
            if name in own:
                mistake = Mistake(
                    path=here, what="this key stands above already", instead="keep one of the two"
                )
                self._document.doubled.append((_line(key), mistake))
                continue
            self._document.lines[here] = _line(key)
            own[name] = self._value(value, here)
        return {**merged, **own}

    def _merged(self, node: yaml.Node, path: Path) -> dict[str, Any]:
        parts = node.value if isinstance(node, yaml.SequenceNode) else [node]
        found: dict[str, Any] = {}
        for part in parts:
            value = self._value(part, path)
            found = {**value, **found} if isinstance(value, dict) else found
        return found


def _refuse_tabs(text: str, name: str) -> None:
    tabbed = [i for i, line in enumerate(text.splitlines(), 1) if _TAB.match(line)]
    if tabbed:
        raise ConfigError(
            *(f"{name}:{i}: is indented with a tab → use spaces" for i in tabbed),
        )


def _syntax(error: yaml.MarkedYAMLError, name: str) -> str:
    mark = error.problem_mark or error.context_mark
    line = mark.line + 1 if mark else 1
    said = f"{error.context or ''} {error.problem or ''}"
    hint = next(
        (hint for words, hint in _HINTS if words in said), "check the line and the one above"
    )
    return f"{name}:{line}: can't be read as YAML → {hint}"


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1

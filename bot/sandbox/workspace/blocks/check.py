"""A small language for describing JSON shapes, with Slack's wording for what is wrong and a JSON pointer to where.

A check takes a value, the pointer to it, and the list it reports into. Shapes refuse unknown properties, as Slack does: one stray key
makes it reject the whole message.
"""

from collections.abc import Callable, Mapping
from typing import Any

Problems = list[tuple[str, str]]
Check = Callable[[Any, str, Problems], None]


def length(text: str) -> int:
    """How long Slack takes a text to be: UTF-16 units, so an emoji counts twice."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def string(most: int, least: int = 1) -> Check:
    """A string of `least` to `most` characters."""

    def check(value: Any, at: str, problems: Problems) -> None:
        if not isinstance(value, str):
            problems.append((at, "must be a string"))
        elif length(value) > most:
            problems.append((at, f"must be less than {most + 1} characters"))
        elif length(value) < least:
            problems.append((at, f"must be more than {least - 1} characters"))

    return check


def link(most: int = 3000) -> Check:
    """An http(s) address."""
    plain = string(most)

    def check(value: Any, at: str, problems: Problems) -> None:
        plain(value, at, problems)
        if (
            isinstance(value, str)
            and value
            and not value.startswith(("http://", "https://", "slack://", "mailto:"))
        ):
            problems.append((at, "must be a valid URL"))

    return check


def flag(value: Any, at: str, problems: Problems) -> None:
    """A boolean."""
    if not isinstance(value, bool):
        problems.append((at, "must be a boolean"))


def anything(value: Any, at: str, problems: Problems) -> None:
    """No rule we know of."""


def number(least: float, most: float) -> Check:
    """A number within bounds."""

    def check(value: Any, at: str, problems: Problems) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float):
            problems.append((at, "must be a number"))
        elif not least <= value <= most:
            problems.append((at, f"must be between {least:g} and {most:g}"))

    return check


def choice(*values: str) -> Check:
    """One of a few words."""

    def check(value: Any, at: str, problems: Problems) -> None:
        if value not in values:
            problems.append((at, f"must be one of: {', '.join(values)}"))

    return check


def items(each: Check, most: int, least: int = 1) -> Check:
    """A list of `least` to `most` things."""

    def check(value: Any, at: str, problems: Problems) -> None:
        if not isinstance(value, list):
            problems.append((at, "must be an array"))
            return
        if len(value) > most:
            problems.append((at, f"no more than {most} items allowed"))
        if len(value) < least:
            problems.append((at, f"no fewer than {least} items allowed"))
        for index, item in enumerate(value):
            each(item, f"{at}/{index}", problems)

    return check


def shape(required: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
    """An object with these properties and no others."""
    allowed = {**required, **(optional or {})}

    def check(value: Any, at: str, problems: Problems) -> None:
        if not isinstance(value, dict):
            problems.append((at, "must provide an object"))
            return
        problems += [
            (at, f"missing required field: {name}") for name in required if name not in value
        ]
        for name, found in value.items():
            if name not in allowed:
                problems.append((at, f"invalid additional property: {name}"))
            else:
                allowed[name](found, f"{at}/{name}", problems)

    return check


def tagged(table: Mapping[str, Check], *names: str) -> Check:
    """An object whose `type` picks its shape from `table`; with `names`, only those types."""

    def check(value: Any, at: str, problems: Problems) -> None:
        kind = value.get("type") if isinstance(value, dict) else None
        if not isinstance(value, dict):
            problems.append((at, "must provide an object"))
        elif kind is None:
            problems.append((at, "missing required field: type"))
        elif not isinstance(kind, str) or kind not in table or (names and kind not in names):
            problems.append((f"{at}/type", f"unsupported type: {kind}"))
        else:
            table[kind](value, at, problems)

    return check


def every(*checks: Check) -> Check:
    """All of several checks."""

    def check(value: Any, at: str, problems: Problems) -> None:
        for one in checks:
            one(value, at, problems)

    return check


def rule(broken: Callable[[dict[str, Any]], str]) -> Check:
    """A rule across properties: `broken` gives the complaint, or "" when all is well."""

    def check(value: Any, at: str, problems: Problems) -> None:
        complaint = broken(value) if isinstance(value, dict) else ""
        if complaint:
            problems.append((at, complaint))

    return check

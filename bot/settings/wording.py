"""What pydantic found wrong, in words for the person who typed it: what is wrong, what to write."""

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any

from pydantic_core import ErrorDetails

from policies.lint.secrets import secret_like

SHOWN = 40
Wording = tuple[str, str]

_MAPPING = "a mapping (key: value)"
_TYPES = {
    "string_type": ("text", "put it in quotes"),
    "list_type": ("a list", "write [a, b], or one `- item` a line"),
    "dict_type": (_MAPPING, "write `key: value` lines under it"),
    "model_type": (_MAPPING, "write `key: value` lines under it"),
    "bool_type": ("true or false", "write true or false"),
    "bool_parsing": ("true or false", "write true or false"),
    "int_type": ("a whole number", "write a whole number"),
    "int_parsing": ("a whole number", "write a whole number"),
    "int_from_float": ("a whole number", "write a whole number"),
    "float_type": ("a number", "write a number"),
    "float_parsing": ("a number", "write a number"),
}
_BOUNDS: dict[str, Callable[[str, dict[str, Any]], Wording]] = {
    "literal_error": lambda v, c: (f"{v} is none of the choices", f"write {c['expected']}"),
    "too_short": lambda _, c: ("is empty", f"name at least {c['min_length']}"),
    "greater_than_equal": lambda v, c: (f"{v} is too small", f"write {c['ge']} or more"),
    "less_than_equal": lambda v, c: (f"{v} is too large", f"write {c['le']} or less"),
}


def reworded(detail: ErrorDetails) -> Wording:
    """(what is wrong, what to write instead). Never shows a value that looks like a secret."""
    kind, value = detail["type"], detail["input"]
    if value is None:
        return "is empty", "give it a value, or take the key out (text after a # is a comment)"
    if kind in _TYPES:
        must, instead = _TYPES[kind]
        return f"must be {must}, not {shown(value)}", instead
    if kind in _BOUNDS:
        return _BOUNDS[kind](shown(value), detail.get("ctx", {}))
    what, _, instead = detail["msg"].removeprefix("Value error, ").partition(" → ")
    if secret_like(what):
        what = "can't be used as it is"
    return what, instead or "see docs/configuration.md"


def did_you_mean(word: str, known: Iterable[str], *, before: str = "") -> str:
    """`did you mean …?` when something known is close to `word`, else nothing."""
    close = get_close_matches(word, list(known), n=1, cutoff=0.7)
    return f"{before}did you mean {close[0]}?" if close else ""


def shown(value: Any) -> str:
    """A value as it may be shown: short, and never something that looks like a secret."""
    if isinstance(value, dict):
        return _MAPPING
    if isinstance(value, list):
        return "a list"
    if secret_like(str(value)):
        return "what is written there"
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"

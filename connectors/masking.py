"""Takes out of foreign words what looks like a secret: logs, traces and configurations are full of them."""

import re
from collections.abc import Mapping

from pydantic import JsonValue

HIDDEN = "***"
_NAMES = r"pass(?:word|wd|phrase)?|pwd|secret(?:[_-]?key)?|token|credentials?|api[_-]?key|private[_-]?key|access[_-]?key|auth(?:orization)?"
_KEY = re.compile(rf"(?:^|[_\W])(?:{_NAMES})(?:$|[_\W])", re.I)
_ASSIGNED = re.compile(
    rf"""(?P<name>["']?\b[\w.\-]{{0,60}}(?:{_NAMES})(?:[_-]?\d{{1,3}})?["']?\s{{0,3}}[=:]\s{{0,3}})"""
    r"""(?P<value>(?:bearer|basic)\s+\S+|"[^"\n]*"|'[^'\n]*'|[^\s,;&)}\]]+)""",
    re.I,
)
_SHAPES = re.compile(
    r"\b(?:xox[a-z]|xapp)-[\w-]{4,}|\bgh[pousr]_\w{20,}|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"
    r"|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|\bsk_(?:live|test)_\w{8,}"
    r"|-----BEGIN[^-]{0,40}KEY-----.*?(?:-----END[^-]{0,40}KEY-----|\Z)",
    re.S,
)
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)
_BEARER = re.compile(r"\b(bearer|basic)\s+[\w.~+/=-]{8,}", re.I)
_IN_URL = re.compile(r"(://[^/@\s:]{0,100}):[^/@\s]+@")


def legible(text: str) -> str:
    """The text without colours, control characters, halves of characters, and marks that turn it round."""
    return _UNSEEN.sub("", _COLOURS.sub("", text))


def masked(text: str, *known: str | None) -> str:
    """The text without the secrets in `known`, and without what is named or shaped like one."""
    for secret in known:
        text = text.replace(secret, HIDDEN) if secret else text
    text = _SHAPES.sub(HIDDEN, text)
    text = _IN_URL.sub(rf"\1:{HIDDEN}@", text)
    text = _BEARER.sub(rf"\1 {HIDDEN}", text)
    return _ASSIGNED.sub(rf"\g<name>{HIDDEN}", text)


def holds_secret(value: JsonValue) -> bool:
    """True when a configuration has a key that is named, or a text that is shaped, like a secret."""
    if isinstance(value, Mapping):
        return any(_KEY.search(key) or holds_secret(inner) for key, inner in value.items())
    if isinstance(value, list):
        return any(holds_secret(inner) for inner in value)
    return isinstance(value, str) and masked(value) != value

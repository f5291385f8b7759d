"""Slack's markup back into words and links: entities unescaped, `<url|label>` taken apart."""

import re
from collections.abc import Iterator
from typing import Final

from policies.signal import Link

_MARK: Final = re.compile(r"<([^<>]+)>")
_NAMED: Final = re.compile(r"<(?:mailto:)?(@[UW][A-Z0-9]+|[^<>|\s]+@[^<>|\s]+)(?:\|[^<>]*)?>")
_SIGILS: Final = {"@": "@", "#": "#"}


def unescape(text: str) -> str:
    """`&lt;`, `&gt;` and `&amp;`, once."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def readable(text: str) -> str:
    """What a reader sees: labels instead of links, no entities."""
    return unescape(_MARK.sub(_label, text))


def links(text: str, where: str) -> Iterator[Link]:
    """The links of a marked-up text, in order."""
    for match in _MARK.finditer(text):
        url, _, label = match[1].partition("|")
        if url.startswith(("http://", "https://")):
            yield Link(where=where, url=unescape(url), label=unescape(label))


def normal(text: str) -> str:
    """Typed words as one line with plain quotes and plain blanks."""
    straight = text.translate(
        {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0xA0: " ", 0x200B: ""}
    )
    return " ".join(straight.split())


def typed(text: str) -> str:
    """The words of a command, people as `@U…`: their names are display data."""
    return normal(unescape(_NAMED.sub(r"\1", text)))


def _label(match: re.Match[str]) -> str:
    target, _, label = match[1].partition("|")
    if label:
        return _SIGILS["#"] + label if target.startswith("#") else label
    return target if target[:1] in _SIGILS or "://" in target else target.lstrip("!")

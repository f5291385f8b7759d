"""A message of any shape into words and links, each with where it stood, in reading order.

Never read: the root of a thread, earlier versions, and attachments that Slack or a person made of
somebody else's message or page.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final, TypeAlias

from handlers.payloads import wording
from handlers.payloads.models import MessageEvent
from policies.signal import Link, Words

Piece: TypeAlias = Words | Link

_DEPTH: Final = 12
_PIECES: Final = 1000
_TEXTS: Final = ("pretext", "author_name", "title", "text")
_RUNS: Final = ("rich_text_section", "rich_text_preformatted", "rich_text_quote")
_INSIDE: Final = (
    "text",
    "fields",
    "elements",
    "accessory",
    "rows",
    "columns",
    "label",
    "title",
    "subtitle",
    "body",
    "caption",
    "child_blocks",
    "cards",
    "actions",
)


def flatten(event: MessageEvent) -> tuple[tuple[Words, ...], tuple[Link, ...]]:
    """All words and all links of a message."""
    pieces = list(islice(_message(event), _PIECES))
    words = tuple(p for p in pieces if isinstance(p, Words) and p.value.strip())
    return words, tuple(p for p in pieces if isinstance(p, Link))


def _message(event: MessageEvent) -> Iterator[Piece]:
    if event.text:
        yield from _marked(event.text, "text")
    for i, block in enumerate(event.blocks):
        yield from _walk(block, f"blocks.{i}", 0)
    for i, attachment in enumerate(event.attachments):
        yield from _attachment(attachment, f"attachments.{i}", 0)


def _attachment(attachment: dict[str, Any], where: str, depth: int) -> Iterator[Piece]:
    foreign = ("is_msg_unfurl", "is_share", "from_url", "original_url")
    if depth > _DEPTH or any(attachment.get(key) for key in foreign):
        return
    for key in _TEXTS:
        yield from _text(attachment.get(key), f"{where}.{key}")
    yield from _address(attachment, "title_link", attachment.get("title"), where)
    for i, part in _numbered(attachment.get("fields")):
        yield from _text(part.get("title"), f"{where}.fields.{i}.title")
        yield from _text(part.get("value"), f"{where}.fields.{i}.value")
    for i, block in _numbered(attachment.get("blocks")):
        yield from _walk(block, f"{where}.blocks.{i}", depth)
    for i, action in _numbered(attachment.get("actions")):
        yield from _address(action, "url", action.get("text"), f"{where}.actions.{i}")
    for i, nested in _numbered(attachment.get("attachments")):
        yield from _attachment(nested, f"{where}.attachments.{i}", depth + 1)
    yield from _text(attachment.get("footer"), f"{where}.footer")
    if not any(attachment.get(key) for key in (*_TEXTS, "fields", "blocks")):
        yield from _text(attachment.get("fallback"), f"{where}.fallback")


def _walk(node: object, where: str, depth: int) -> Iterator[Piece]:
    if depth > _DEPTH:
        return
    if isinstance(node, list):
        for i, item in enumerate(node):
            yield from _walk(item, f"{where}.{i}", depth + 1)
    elif isinstance(node, dict):
        yield from _node(node, where, depth)


def _node(node: dict[str, Any], where: str, depth: int) -> Iterator[Piece]:
    if node.get("type") in _RUNS:
        yield from _run(node, where)
        return
    label = node.get("text")
    if isinstance(label, str):
        yield from _marked(label, where)
    yield from _address(node, "url", label, where)
    for key in _INSIDE:
        if not isinstance(node.get(key), str):
            yield from _walk(node.get(key), f"{where}.{key}", depth + 1)


def _run(node: dict[str, Any], where: str) -> Iterator[Piece]:
    """Rich text: the pieces of one paragraph make one sentence."""
    said = []
    for i, item in _numbered(node.get("elements")):
        yield from _address(item, "url", item.get("text"), f"{where}.elements.{i}")
        said.append(_spoken(item))
    yield Words(where=where, value="".join(said))


def _spoken(item: dict[str, Any]) -> str:
    kind = item.get("type")
    names = {"user": "user_id", "channel": "channel_id", "usergroup": "usergroup_id"}
    if kind in names:
        return f"@{item.get(names[kind], '')}"
    if kind == "emoji":
        return f":{item.get('name', '')}:"
    return wording.unescape(str(item.get("text") or item.get("url") or item.get("fallback") or ""))


def _text(value: object, where: str) -> Iterator[Piece]:
    if isinstance(value, str) and value:
        yield from _marked(value, where)


def _marked(value: str, where: str) -> Iterator[Piece]:
    yield Words(where=where, value=wording.readable(value))
    yield from wording.links(value, where)


def _address(node: dict[str, Any], key: str, label: object, where: str) -> Iterator[Piece]:
    url = node.get(key)
    if isinstance(url, str) and url.startswith(("http://", "https://")):
        words = label.get("text") if isinstance(label, dict) else label
        shown = wording.readable(words) if isinstance(words, str) else ""
        yield Link(where=where, url=wording.unescape(url), label=shown)


def _numbered(value: object) -> Iterator[tuple[int, dict[str, Any]]]:
    for i, item in enumerate(value if isinstance(value, list) else ()):
        if isinstance(item, dict):
            yield i, item

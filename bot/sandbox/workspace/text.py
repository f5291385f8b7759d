"""Text as Slack keeps it: escaped, with people, groups and channels by id."""

import re

from bot.sandbox.workspace.errors import Json
from bot.sandbox.workspace.state import State

_TYPED = re.compile(
    r"(https?://[^\s<>]*[^\s<>.,:;!?)\]'\"])|(?<![\w/.])([@#])([\w][\w.\-]*[\w]|\w)"
)
_TOKENS = re.compile(r"<([@!#])?([^<>|]+)(?:\|([^<>]*))?>")
_WIDE = {"here", "channel", "everyone"}
MENTION = re.compile(r"<@([A-Z0-9]+)(?:\|[^>]*)?>")


def escape(text: str) -> str:
    """The three characters Slack escapes."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def unescape(text: str) -> str:
    """The reverse of `escape`."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def typed(state: State, text: str) -> str:
    """What a person typed, as Slack stores it: escaped, links in `<>`, names turned into ids where such a name exists."""

    def named(match: re.Match[str]) -> str:
        link, sign, name = match.groups()
        if link:
            return f"<{link}>"
        return _channel(state, name) if sign == "#" else _who(state, name)

    return _TYPED.sub(named, escape(text))


def _channel(state: State, name: str) -> str:
    found = next((c for c in state.conversations.values() if c.name == name), None)
    return f"<#{found.id}|{name}>" if found else f"#{name}"


def _who(state: State, name: str) -> str:
    if name in _WIDE:
        return f"<!{name}>"
    person = next((p for p in state.people.values() if p.name == name), None)
    if person is not None:
        return f"<@{person.id}>"
    group = next((g for g in state.groups.values() if g.handle == name), None)
    return f"<!subteam^{group.id}>" if group else f"@{name}"


def mentioned(text: str) -> set[str]:
    """The user ids a text mentions; only `<@U…>` counts, never a bare name."""
    return set(MENTION.findall(text))


def rich_text(text: str, block_id: str) -> Json:
    """The rich_text block Slack adds to what people type."""
    elements: list[Json] = []
    last = 0
    for match in _TOKENS.finditer(text):
        if match.start() > last:
            elements.append({"type": "text", "text": unescape(text[last : match.start()])})
        elements.append(_token(*match.groups()))
        last = match.end()
    if last < len(text):
        elements.append({"type": "text", "text": unescape(text[last:])})
    section = {"type": "rich_text_section", "elements": elements}
    return {"type": "rich_text", "block_id": block_id, "elements": [section]}


def _token(sign: str | None, body: str, label: str | None) -> Json:
    if sign == "@":
        return {"type": "user", "user_id": body}
    if sign == "#":
        return {"type": "channel", "channel_id": body}
    if sign == "!" and body.startswith("subteam^"):
        return {"type": "usergroup", "usergroup_id": body.removeprefix("subteam^")}
    if sign == "!":
        return {"type": "broadcast", "range": body}
    return {"type": "link", "url": unescape(body), **({"text": label} if label else {})}

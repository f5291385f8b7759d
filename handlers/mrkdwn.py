"""Text that is safe to put into Slack: escaped first, cut afterwards, never in the middle of anything.

Whatever did not come from this code passes through here, so that an exception text can't mention
anybody, forge a link or break a message.
"""

import re
from datetime import datetime
from typing import Final

_TOKENS: Final = re.compile(r"&(?:amp|lt|gt);|<[^<>\n]{1,3000}>|```|.", re.DOTALL)
_PERSON: Final = re.compile(r"^[UW][A-Z0-9]{3,}$")
_CHANNEL: Final = re.compile(r"^[CG][A-Z0-9]{4,}$")
_GROUP: Final = re.compile(r"^S[A-Z0-9]{4,}$")
_OURS: Final = re.compile(r"&lt;(@[UW][A-Z0-9]{4,}|!date\^\d+\^[^&<>]{1,80})&gt;")
_GRAVE: Final = "\N{MODIFIER LETTER GRAVE ACCENT}"
_FENCE: Final = "```"
_URL: Final = 2500
_LONGEST: Final = 3002


def units(text: str) -> int:
    """Length as Slack counts it: UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def escape(text: str) -> str:
    """Foreign text as plain words: nobody is mentioned, nothing becomes a link."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def told(text: str) -> str:
    """Words of the worker: foreign ones in them as plain words, its people and times as Slack shows them."""
    return _OURS.sub(r"<\1>", escape(text))


def cut(text: str, limit: int) -> str:
    """Escaped text within `limit`, ending in … when something is missing; a code fence is closed."""
    if units(text) <= limit:
        return text
    kept, used, fenced = [], 0, False
    for token in _TOKENS.findall(text[: limit + _LONGEST]):
        used += units(token)
        if used > limit - len(_FENCE) - 2:
            break
        fenced ^= token == _FENCE
        kept.append(token)
    return "".join(kept) + "…" + ("\n" + _FENCE if fenced else "")


def line(text: str, limit: int = 300) -> str:
    """Foreign text as one escaped line."""
    return cut(escape(" ".join(text.split())), limit)


def code(text: str, limit: int = 200) -> str:
    """An id, name or number of somebody else's, as code."""
    inside = line(text.replace("`", _GRAVE), limit)
    return f"`{inside}`" if inside else "`–`"


def fence(text: str, limit: int = 2000) -> str:
    """Foreign text of several lines, as a code block that it can't leave."""
    inside = cut(escape(text.replace("`", _GRAVE).strip("\n")), limit - 8)
    return f"{_FENCE}\n{inside or '–'}\n{_FENCE}"


def link(url: str | None, label: str) -> str:
    """A link, or just its label when the address is not one that may be tapped."""
    words = line(label, 150)
    if not is_link(url):
        return words
    address = escape(url or "").replace("|", "%7C")
    return f"<{address}|{words.replace('|', '¦')}>"


def is_link(url: str | None) -> bool:
    """True for an http address without spaces, control characters or brackets."""
    return bool(url and len(url) <= _URL and re.fullmatch(r"https?://[^\s<>\"\x00-\x1f]+", url))


def when(at: datetime, *, date: bool = True) -> str:
    """A moment in the reader's own time zone, with UTC for those who can't see it."""
    shape = "{date_short_pretty} {time}" if date else "{time}"
    words = at.strftime("%d %b %H:%M UTC" if date else "%H:%M UTC")
    return f"<!date^{int(at.timestamp())}^{shape}|{words}>"


def who(ref: str) -> str:
    """A person, group or address, as Slack shows it best."""
    if _PERSON.match(ref):
        return f"<@{ref}>"
    if _GROUP.match(ref):
        return f"<!subteam^{ref}>"
    return line(ref, 120)


def where(place: str) -> str:
    """Where somebody tapped: a channel, or words of ours."""
    return f"<#{place}>" if _CHANNEL.match(place) else line(place, 80)


def plural(count: int, one: str, many: str | None = None) -> str:
    """`1 alert`, `2 alerts`."""
    return f"{count} {one if count == 1 else many or one + 's'}"

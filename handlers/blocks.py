"""The few Block Kit shapes we use. What they make is within Slack's limits, whatever goes in."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from handlers.mrkdwn import cut, is_link, line, units

Block: TypeAlias = dict[str, Any]
View: TypeAlias = dict[str, Any]

SECTION: Final = 2900
TEXT: Final = 3900
BUTTON: Final = 70
MESSAGE_BLOCKS: Final = 50
VIEW_BLOCKS: Final = 100
#: all words of a message together; above about 13,300, and less with many blocks, Slack refuses it
MESSAGE_TEXT: Final = 12_500
BLOCK_COSTS: Final = 130
SPARE: Final = 6
SHORT: Final = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """What one message shows. `text` stands for it in notifications and for screen readers."""

    text: str
    blocks: tuple[Block, ...] = ()

    def words(self) -> str:
        """All that it says, for where only text fits."""
        kept = [b["text"]["text"] for b in self.blocks if b["type"] == "section"]
        return "\n".join(kept) or self.text


def message(text: str, blocks: Iterable[Block | None]) -> Message:
    """A message within all limits; parts that are None are left out."""
    kept = _budget([block for block in blocks if block])
    return Message(text=cut(text, TEXT) or "–", blocks=tuple(_few(kept, MESSAGE_BLOCKS)))


def section(text: str | None) -> Block | None:
    """Words, or nothing when there are none."""
    if not text or not text.strip():
        return None
    return {"type": "section", "text": mrkdwn(cut(text, SECTION))}


def context(text: str | None) -> Block | None:
    """Small words under the others."""
    if not text or not text.strip():
        return None
    return {"type": "context", "elements": [mrkdwn(cut(text, SECTION))]}


def header(text: str) -> Block:
    """Large words of our own."""
    return {"type": "header", "text": plain(text, 150)}


def divider() -> Block:
    """A line."""
    return {"type": "divider"}


def actions(*elements: Block | None) -> Block | None:
    """A row of buttons; None when there is none."""
    kept = [element for element in elements if element]
    return {"type": "actions", "elements": kept[:25]} if kept else None


def button(
    label: str, action_id: str, value: str, style: Literal["primary", "danger"] | None = None
) -> Block:
    """A button that says something to us."""
    shape: Block = {
        "type": "button",
        "action_id": action_id,
        "text": plain(label, BUTTON),
        "value": value,
    }
    return {**shape, "style": style} if style else shape


def link_button(label: str, action_id: str, url: str | None) -> Block | None:
    """A button that opens a page; None when the address is not one that may be tapped."""
    if not is_link(url):
        return None
    return {"type": "button", "action_id": action_id, "text": plain(label, BUTTON), "url": url}


def menu(action_id: str, options: Sequence[tuple[str, str]]) -> Block | None:
    """A small menu behind three dots: (label, value) pairs, five at most."""
    shown = [{"text": plain(label, BUTTON), "value": value} for label, value in options[:5]]
    return {"type": "overflow", "action_id": action_id, "options": shown} if shown else None


def choice(action_id: str, words: str, options: Sequence[tuple[str, str]]) -> Block | None:
    """A list to choose one of: (label, value) pairs, a hundred at most."""
    shown = [{"text": plain(label, BUTTON), "value": value} for label, value in options[:100]]
    return (
        {
            "type": "static_select",
            "action_id": action_id,
            "placeholder": plain(words, BUTTON),
            "options": shown,
        }
        if shown
        else None
    )


def field(block_id: str, action_id: str, label: str, hint: str) -> Block:
    """A question with room for some lines of text."""
    return {
        "type": "input",
        "block_id": block_id,
        "label": plain(label, 150),
        "hint": plain(hint, 300),
        "element": {
            "type": "plain_text_input",
            "action_id": action_id,
            "multiline": True,
            "max_length": 1000,
        },
    }


def short_field(block_id: str, action_id: str, label: str, hint: str) -> Block:
    """A question with room for one short line."""
    asked = field(block_id, action_id, label, hint)
    return {**asked, "element": {**asked["element"], "multiline": False, "max_length": 20}}


def person_field(block_id: str, action_id: str, label: str, hint: str) -> Block:
    """A question that is answered with a person."""
    asked = field(block_id, action_id, label, hint)
    return {**asked, "element": {"type": "users_select", "action_id": action_id}}


def choice_field(
    block_id: str, action_id: str, label: str, options: Sequence[tuple[str, str]]
) -> Block:
    """A question with a list of answers, (label, value) pairs; the first is chosen already."""
    shown = [{"text": plain(words, BUTTON), "value": value} for words, value in options[:100]]
    return {
        "type": "input",
        "block_id": block_id,
        "label": plain(label, 150),
        "element": {
            "type": "static_select",
            "action_id": action_id,
            "options": shown,
            "initial_option": shown[0],
        },
    }


def modal(callback_id: str, title: str, blocks: Iterable[Block | None], **more: Any) -> View:
    """A modal; `submit` and `private_metadata` as words."""
    view: View = {
        "type": "modal",
        "callback_id": callback_id,
        "title": plain(title, 24),
        "close": plain("Close", 24),
        "blocks": _few([block for block in blocks if block], VIEW_BLOCKS),
    }
    if "submit" in more:
        view["submit"] = plain(more["submit"], 24)
    if "private_metadata" in more:
        view["private_metadata"] = more["private_metadata"]
    return view


def home(blocks: Iterable[Block | None]) -> View:
    """The home tab."""
    return {"type": "home", "blocks": _few([block for block in blocks if block], VIEW_BLOCKS)}


def mrkdwn(text: str) -> Block:
    """Words as Slack formats them; nothing in them is turned into a link or mention by itself."""
    return {"type": "mrkdwn", "text": text or "–", "verbatim": True}


def plain(text: str, limit: int) -> Block:
    """Words without any format."""
    return {"type": "plain_text", "text": line(text, limit) or "–", "emoji": False}


def fits(blocks: Iterable[Block | None]) -> bool:
    """True when a message with these, and a few more, would show every word of them."""
    kept = [block for block in blocks if block]
    return len(kept) <= MESSAGE_BLOCKS - SPARE and _room(kept) >= SPARE * BLOCK_COSTS


def _few(blocks: Sequence[Block], limit: int) -> list[Block]:
    if len(blocks) <= limit:
        return list(blocks)
    missing = context(f"{len(blocks) - limit + 1} more parts do not fit here.")
    return [*blocks[: limit - 1], *([missing] if missing else [])]


def _budget(blocks: Sequence[Block]) -> list[Block]:
    """Shorten the longest sections until Slack takes all of them together."""
    kept = list(blocks[:MESSAGE_BLOCKS])
    while (missing := -_room(kept)) > 0:
        sizes = [_words(block) if block["type"] == "section" else 0 for block in kept]
        longest = sizes.index(max(sizes))
        shorter = max(sizes[longest] - missing - 1, SHORT)
        if sizes[longest] <= SHORT:
            break
        kept[longest] = section(cut(kept[longest]["text"]["text"], shorter)) or kept[longest]
    return [*kept, *blocks[MESSAGE_BLOCKS:]]


def _room(blocks: Sequence[Block]) -> int:
    return MESSAGE_TEXT - sum(_words(block) + BLOCK_COSTS for block in blocks)


def _words(block: Block) -> int:
    """How many characters of a block are read by people."""
    inside = [value for key, value in block.items() if key in ("text", "elements")]
    nested = [item for value in inside for item in (value if isinstance(value, list) else [value])]
    return sum(units(item) if isinstance(item, str) else _words(item) for item in nested)

"""Ways through blocks: the blocks inside blocks, the interactive elements, and what Slack fills in by itself."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from bot.sandbox.workspace.errors import Json

#: Kinds that carry no action and need no `action_id`.
_STILL = {"image", "plain_text", "mrkdwn"}


def kind_of(thing: Any) -> str:
    """The `type` of a block or element, "" when it has none worth the name."""
    kind = thing.get("type") if isinstance(thing, dict) else None
    return kind if isinstance(kind, str) else ""


def nested(blocks: list[Json]) -> Iterator[Json]:
    """Every block, those inside containers and carousels included."""
    for block in blocks:
        yield block
        inner = block.get("child_blocks") or (
            block.get("elements") if kind_of(block) == "carousel" else None
        )
        if isinstance(inner, list):
            yield from nested([b for b in inner if isinstance(b, dict)])


def _own(block: Json) -> list[Any]:
    kind = kind_of(block)
    if kind in {"actions", "context_actions"}:
        found = block.get("elements")
    elif kind == "card":
        found = block.get("actions")
    else:
        found = [block.get("accessory"), block.get("element")]
    return found if isinstance(found, list) else []


def elements_of(blocks: list[Json]) -> Iterator[tuple[Json, Json]]:
    """Every interactive element with the block it stands in."""
    for block in nested(blocks):
        for element in _own(block):
            if isinstance(element, dict) and kind_of(element) not in _STILL:
                yield block, element


def _texts(value: Any) -> None:
    if isinstance(value, dict):
        if value.get("type") == "plain_text":
            value.setdefault("emoji", True)
        elif value.get("type") == "mrkdwn":
            value.setdefault("verbatim", False)
        for inner in value.values():
            _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            _texts(inner)


def completed(blocks: list[Json], name: Callable[[], str]) -> list[Json]:
    """A copy as Slack stores it: every block and element has an id, every text object its flags."""
    copy = deepcopy(blocks)
    _texts(copy)
    for block in nested(copy):
        block.setdefault("block_id", name())
    for _, element in elements_of(copy):
        element.setdefault("action_id", name())
    return copy


def seen_by(blocks: list[Json], user_id: str) -> list[Json]:
    """A copy without the buttons that are shown to other people only."""
    copy = deepcopy(blocks)
    for block in nested(copy):
        if isinstance(block.get("elements"), list):
            block["elements"] = [e for e in block["elements"] if _shown(e, user_id)]
        if not _shown(block.get("accessory"), user_id):
            del block["accessory"]
    return [b for b in copy if b.get("type") != "actions" or b["elements"]]


def _shown(element: Any, user_id: str) -> bool:
    chosen = element.get("visible_to_user_ids") if isinstance(element, dict) else None
    return chosen is None or user_id in chosen


def find(blocks: list[Json], action_id: str, block_id: str | None) -> tuple[Json, Json] | None:
    """The element with this action_id (in this block, if given) and its block."""
    matches = (
        (block, element)
        for block, element in elements_of(blocks)
        if element.get("action_id") == action_id
        and (block_id is None or block.get("block_id") == block_id)
    )
    return next(matches, None)


def visible(element: Json, user_id: str) -> bool:
    """Whether the person sees this element."""
    return _shown(element, user_id)

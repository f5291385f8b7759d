"""Whole surfaces: a message's blocks and attachments, a modal, a home tab. Counts, uniqueness and where each block may stand."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from bot.sandbox.workspace.blocks.check import (
    Check,
    Problems,
    anything,
    choice,
    flag,
    items,
    length,
    shape,
    string,
    tagged,
)
from bot.sandbox.workspace.blocks.kinds import BLOCKS
from bot.sandbox.workspace.blocks.pieces import plain
from bot.sandbox.workspace.blocks.tables import words
from bot.sandbox.workspace.blocks.walk import elements_of, kind_of, nested
from bot.sandbox.workspace.errors import Json, SlackError

MOST_BLOCKS = {"message": 50, "modal": 100, "home": 100}
MOST_ATTACHMENTS = 100
MOST_MARKDOWN = 12_000
MOST_CHARTS = 2
MOST_VIEW_BYTES = 250_000
#: Undocumented: reported by app authors at about 13,300 characters with one block, and about 125 less for each further block.
#: A data_table is left out: it has a documented limit of its own that is larger.
MOST_BLOCK_TEXT = 13_420
BLOCK_OVERHEAD = 125

_MESSAGES_ONLY = {
    *(
        "table",
        "data_table",
        "data_visualization",
        "markdown",
        "context_actions",
        "plan",
        "task_card",
    ),
    *("card", "carousel"),
}
_ALLOWED = {
    "message": [kind for kind in BLOCKS if kind != "alert"],
    "modal": [kind for kind in BLOCKS if kind not in _MESSAGES_ONLY],
    "home": [kind for kind in BLOCKS if kind not in _MESSAGES_ONLY | {"alert"}],
}
_KNOWN = {surface: tagged(BLOCKS, *kinds) for surface, kinds in _ALLOWED.items()}


def block_problems(blocks: Any, surface: str, at: str = "/blocks") -> Problems:
    """All that is wrong with `blocks` on a `message`, `modal` or `home`, as (JSON pointer, complaint) pairs."""
    problems: Problems = []
    items(_KNOWN[surface], MOST_BLOCKS[surface], 0)(blocks, at, problems)
    if isinstance(blocks, list) and all(isinstance(b, dict) for b in blocks):
        problems += _repeated_ids(blocks, at)
        problems += _counted(blocks, at)
        problems += _single_focus(blocks, at)
    return problems


def _repeated_ids(blocks: list[Json], at: str) -> Iterator[tuple[str, str]]:
    ids = Counter(b["block_id"] for b in nested(blocks) if isinstance(b.get("block_id"), str))
    for name, times in ids.items():
        if times > 1:
            yield at, f"`block_id` must be unique: {name}"
    for index, block in enumerate(blocks):
        actions = Counter(
            e["action_id"] for _, e in elements_of([block]) if isinstance(e.get("action_id"), str)
        )
        for name, times in actions.items():
            if times > 1:
                yield f"{at}/{index}", f"`action_id` must be unique within a block: {name}"


def _counted(blocks: list[Json], at: str) -> Iterator[tuple[str, str]]:
    kinds = Counter(kind_of(b) for b in nested(blocks))
    if kinds["table"] > 1:
        yield at, "only_one_table_allowed"
    if kinds["data_visualization"] > MOST_CHARTS:
        yield at, f"no more than {MOST_CHARTS} data_visualization blocks allowed"
    prose = [
        b["text"]
        for b in nested(blocks)
        if b.get("type") == "markdown" and isinstance(b.get("text"), str)
    ]
    if sum(map(length, prose)) > MOST_MARKDOWN:
        yield at, f"markdown blocks must hold less than {MOST_MARKDOWN + 1} characters together"


def _single_focus(blocks: list[Json], at: str) -> Iterator[tuple[str, str]]:
    if sum(1 for _, e in elements_of(blocks) if e.get("focus_on_load") is True) > 1:
        yield at, "only one element may have focus_on_load"


_FIELD = shape({}, {"title": string(2000, 0), "value": anything, "short": flag})


def _attachment(value: Any, at: str, problems: Problems) -> None:
    # attachments are older than the block schema: Slack passes over properties it does not know
    if not isinstance(value, dict):
        problems.append((at, "must provide an object"))
        return
    if "fields" in value:
        items(_FIELD, 100, 0)(value["fields"], f"{at}/fields", problems)
    if "blocks" in value:
        problems += block_problems(value["blocks"], "message", f"{at}/blocks")


def attachment_problems(attachments: Any) -> Problems:
    """All that is wrong with a message's attachments, the blocks inside them included."""
    problems: Problems = []
    items(_attachment, MOST_ATTACHMENTS, 0)(attachments, "/attachments", problems)
    return problems


def _refuse(code: str, problems: Problems) -> None:
    if problems:
        said = [f"{complaint} [json-pointer:{at}]" for at, complaint in problems]
        raise SlackError(
            code,
            said[0],
            errors=said,
            response_metadata={"messages": [f"[ERROR] {s}" for s in said]},
        )


def check_message(blocks: Any, attachments: Any) -> None:
    """Refuse blocks (`invalid_blocks`, `msg_blocks_too_long`) or attachments (`invalid_attachments`) Slack would refuse."""
    if blocks is not None:
        if not isinstance(blocks, list):
            raise SlackError("invalid_blocks_format")
        _refuse("invalid_blocks", block_problems(blocks, "message"))
        counted = [b for b in blocks if b["type"] != "data_table"]
        if words(counted) + BLOCK_OVERHEAD * len(blocks) > MOST_BLOCK_TEXT:
            raise SlackError("msg_blocks_too_long")
    if attachments is not None:
        if isinstance(attachments, list) and len(attachments) > MOST_ATTACHMENTS:
            raise SlackError("too_many_attachments")
        _refuse("invalid_attachments", attachment_problems(attachments))


_VIEW: dict[str, Check] = {
    "type": choice("modal", "home"),
    "blocks": anything,
    "callback_id": string(255, 0),
    "private_metadata": string(3000, 0),
    "external_id": string(255, 0),
}
_MODAL = shape(
    {"type": _VIEW["type"], "title": plain(24), "blocks": anything},
    {
        **_VIEW,
        "submit": plain(24),
        "close": plain(24),
        "clear_on_close": flag,
        "notify_on_close": flag,
        "submit_disabled": flag,
    },
)
_HOME = shape({"type": _VIEW["type"], "blocks": anything}, _VIEW)


def view_problems(view: Any) -> Problems:
    """All that is wrong with a view."""
    kind = view.get("type") if isinstance(view, dict) else None
    if kind not in ("modal", "home"):
        return [("/view/type", f"unsupported type: {kind}")]
    problems: Problems = []
    (_MODAL if kind == "modal" else _HOME)(view, "/view", problems)
    problems += block_problems(view.get("blocks"), kind, "/view/blocks")
    asks = [b for b in view.get("blocks") or [] if isinstance(b, dict) and b.get("type") == "input"]
    if kind == "modal" and asks and "submit" not in view:
        problems.append(("/view", "missing required field: submit"))
    return problems


def check_view(view: Any, kind: str) -> None:
    """Refuse a view Slack would refuse: `invalid_arguments` with pointers, or `view_too_large`."""
    problems = view_problems(view)
    if not problems and view["type"] != kind:
        problems = [("/view/type", f"must be {kind}")]
    _refuse("invalid_arguments", problems)
    if len(json.dumps(view).encode()) > MOST_VIEW_BYTES:
        raise SlackError("view_too_large")

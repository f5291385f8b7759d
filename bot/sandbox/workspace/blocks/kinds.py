"""The blocks themselves, with Slack's limits."""

from typing import Any

from bot.sandbox.workspace.blocks import elements as el
from bot.sandbox.workspace.blocks.check import (
    Check,
    Problems,
    anything,
    choice,
    every,
    flag,
    items,
    length,
    link,
    number,
    rule,
    shape,
    string,
    tagged,
)
from bot.sandbox.workspace.blocks.elements import plain, text

_BASE: dict[str, Check] = {"type": anything, "block_id": el.ID}

_RICH_PARTS = ("rich_text_section", "rich_text_list", "rich_text_preformatted", "rich_text_quote")
_RICH_LEAVES = (
    *(
        "text",
        "link",
        "user",
        "usergroup",
        "channel",
        "emoji",
        "broadcast",
        "date",
        "color",
        "team",
    ),
    *_RICH_PARTS,
)


def _rich_leaf(value: Any, at: str, problems: Problems) -> None:
    kind = value.get("type") if isinstance(value, dict) else None
    if kind not in _RICH_LEAVES:
        problems.append((f"{at}/type", f"unsupported type: {kind}"))
    elif kind == "text" and not value.get("text"):
        problems.append((f"{at}/text", "must be more than 0 characters"))
    elif kind in _RICH_PARTS:
        _RICH_PART(value, at, problems)


_RICH_PART = shape(
    {"type": choice(*_RICH_PARTS), "elements": items(_rich_leaf, 1000, 0)},
    {"style": anything, "indent": number(0, 8), "offset": number(0, 1000), "border": number(0, 1)},
)
RICH_TEXT = shape({"elements": items(_RICH_PART, 1000)}, _BASE)
_RICH = tagged({"rich_text": RICH_TEXT})

_CELL = tagged(
    {
        "raw_text": shape({"type": anything, "text": string(10_000)}),
        "raw_number": shape(
            {"type": anything, "value": number(-1e300, 1e300)}, {"text": string(255)}
        ),
        "rich_text": RICH_TEXT,
    }
)
_HEADER_CELL = tagged(
    {"raw_text": shape({"type": anything, "text": string(10_000)}), "raw_number": anything}
)
_COLUMN = shape({}, {"align": choice("left", "center", "right"), "is_wrapped": flag})


def _column(value: Any, at: str, problems: Problems) -> None:
    if value is not None:
        _COLUMN(value, at, problems)


def _header_cells(block: dict[str, Any]) -> str:
    problems: Problems = []
    rows = block.get("rows")
    if isinstance(rows, list) and rows:
        items(_HEADER_CELL, 20)(rows[0], "", problems)
    return "header cells can't be rich_text" if problems else ""


def _same_width(block: dict[str, Any]) -> str:
    rows = block.get("rows")
    widths = (
        {len(row) for row in rows if isinstance(row, list)} if isinstance(rows, list) else set()
    )
    return "all rows must have the same number of cells" if len(widths) > 1 else ""


def _cell_text(block: dict[str, Any]) -> str:
    return "" if words(block.get("rows")) <= 20_000 else "must be less than 20001 characters"  # noqa: PLR2004 - Slack's limit for one table


def words(value: Any) -> int:
    """How many characters of text a block holds, wherever they stand."""
    if isinstance(value, dict):
        own = value.get("text")
        return (length(own) if isinstance(own, str) else 0) + sum(
            words(v) for k, v in value.items() if k != "text" or not isinstance(v, str)
        )
    return sum(words(v) for v in value) if isinstance(value, list) else 0


_POINT = shape({"label": string(20), "value": number(-1e300, 1e300)})
_SLICE = shape({"label": string(20), "value": number(1e-300, 1e300)})
_SERIES = shape({"name": string(20), "data": items(_POINT, 20)})
_AXES: dict[str, Check] = {
    "categories": items(string(20), 20),
    "x_label": string(50),
    "y_label": string(50),
}
_CHART = tagged(
    {
        "pie": shape({"type": anything, "segments": items(_SLICE, 12)}),
        **{
            kind: shape(
                {"type": anything, "series": items(_SERIES, 12)}, {"axis_config": shape({}, _AXES)}
            )
            for kind in ("line", "bar", "area")
        },
    }
)

_IMAGE = every(
    shape(
        {"alt_text": string(2000)},
        {
            **_BASE,
            "image_url": link(),
            "slack_file": shape({}, {"id": string(30), "url": link()}),
            "title": plain(2000),
        },
    ),
    rule(
        lambda b: (
            ""
            if ("image_url" in b) != ("slack_file" in b)
            else "image_url or slack_file is required"
        )
    ),
)
_TASK = shape(
    {
        "task_id": string(255),
        "title": string(255),
        "status": choice("pending", "in_progress", "complete", "error"),
    },
    {
        **_BASE,
        "details": _RICH,
        "output": _RICH,
        "sources": items(shape({"type": choice("url"), "url": link(), "text": string(255)}), 20),
    },
)
_CARD = every(
    shape(
        {},
        {
            **_BASE,
            "hero_image": el.IMAGE,
            "icon": el.IMAGE,
            "title": text(150),
            "subtitle": text(150),
            "body": text(200),
            "actions": items(el.IN_CARD, 3),
        },
    ),
    rule(
        lambda b: (
            ""
            if {"hero_image", "title", "actions", "body"} & b.keys()
            else "at least one of hero_image, title, actions, body is required"
        )
    ),
)


def _container_title(block: dict[str, Any]) -> str:
    return "" if {"title", "rich_text_title"} & block.keys() else "missing required field: title"


def _container_collapse(block: dict[str, Any]) -> str:
    if not block.get("default_collapsed"):
        return ""
    if not block.get("is_collapsible"):
        return "default_collapsed needs is_collapsible"
    return (
        "default_collapsed can't be used with has_header_divider"
        if block.get("has_header_divider")
        else ""
    )


def _child(value: Any, at: str, problems: Problems) -> None:
    _CHILDREN(value, at, problems)


_CONTAINER = every(
    shape(
        {"child_blocks": items(_child, 10)},
        {
            **_BASE,
            "title": plain(150),
            "rich_text_title": _RICH,
            "subtitle": text(150),
            "width": choice("narrow", "standard", "wide", "full"),
            "icon": el.IMAGE,
            "is_collapsible": flag,
            "default_collapsed": flag,
            "has_header_divider": flag,
        },
    ),
    rule(_container_title),
    rule(_container_collapse),
)

BLOCKS: dict[str, Check] = {
    "section": every(
        shape(
            {},
            {
                **_BASE,
                "text": text(3000),
                "fields": items(text(2000), 10),
                "accessory": el.IN_SECTION,
                "expand": flag,
            },
        ),
        rule(lambda b: "" if {"text", "fields"} & b.keys() else "missing required field: text"),
    ),
    "header": shape({"text": plain(150)}, _BASE),
    "divider": shape({}, _BASE),
    "context": shape(
        {
            "elements": items(
                tagged(
                    {"image": el.ELEMENTS["image"], "plain_text": plain(3000), "mrkdwn": text(3000)}
                ),
                10,
            )
        },
        _BASE,
    ),
    "actions": shape({"elements": items(el.IN_ACTIONS, 25)}, _BASE),
    "context_actions": shape({"elements": items(el.IN_CONTEXT_ACTIONS, 5)}, _BASE),
    "input": shape(
        {"label": plain(2000), "element": el.IN_INPUT},
        {**_BASE, "hint": plain(2000), "optional": flag, "dispatch_action": flag},
    ),
    "image": _IMAGE,
    "markdown": shape({"text": string(12_000)}, _BASE),
    "rich_text": RICH_TEXT,
    "file": shape({"external_id": string(255), "source": choice("remote")}, _BASE),
    "video": shape(
        {
            "alt_text": string(2000),
            "title": plain(200),
            "thumbnail_url": link(),
            "video_url": link(),
        },
        {
            **_BASE,
            "title_url": link(),
            "description": plain(200),
            "provider_name": string(50),
            "provider_icon_url": link(),
            "author_name": string(50),
        },
    ),
    "table": every(
        shape(
            {"rows": items(items(_CELL, 20), 100)}, {**_BASE, "column_settings": items(_column, 20)}
        ),
    ),
    "data_table": every(
        shape(
            {"rows": items(items(_CELL, 20), 201, 2), "caption": string(255)},
            {**_BASE, "page_size": number(1, 100), "row_header_column_index": number(0, 19)},
        ),
        rule(_header_cells),
        rule(_same_width),
        rule(_cell_text),
    ),
    "data_visualization": shape({"title": string(50), "chart": _CHART}, _BASE),
    "alert": shape(
        {"text": text(200)},
        {**_BASE, "level": choice("default", "info", "warning", "error", "success")},
    ),
    "card": _CARD,
    "carousel": shape({"elements": items(tagged({"card": _CARD}), 10)}, _BASE),
    "container": _CONTAINER,
    "plan": shape(
        {"title": string(255)}, {**_BASE, "tasks": items(tagged({"task_card": _TASK}), 50)}
    ),
    "task_card": every(
        _TASK,
        rule(
            lambda b: (
                "a task_card on its own may not be pending" if b.get("status") == "pending" else ""
            )
        ),
    ),
}

_CHILDREN = tagged(
    {kind: check for kind, check in BLOCKS.items() if kind not in {"container", "alert"}}
)

"""The blocks themselves, with Slack's limits."""

from typing import Any

from bot.sandbox.workspace.blocks import elements as el
from bot.sandbox.workspace.blocks.check import (
    Check,
    Problems,
    choice,
    every,
    flag,
    items,
    link,
    rule,
    shape,
    string,
    tagged,
)
from bot.sandbox.workspace.blocks.pieces import IMAGE, plain, text
from bot.sandbox.workspace.blocks.tables import (
    BASE,
    CHART,
    DATA_TABLE,
    RICH,
    RICH_TEXT,
    TABLE,
)

_IMAGE = every(
    shape(
        {"alt_text": string(2000)},
        {
            **BASE,
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
        **BASE,
        "details": RICH,
        "output": RICH,
        "sources": items(shape({"type": choice("url"), "url": link(), "text": string(255)}), 20),
    },
)
_CARD = every(
    shape(
        {},
        {
            **BASE,
            "hero_image": IMAGE,
            "icon": IMAGE,
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
            **BASE,
            "title": plain(150),
            "rich_text_title": RICH,
            "subtitle": text(150),
            "width": choice("narrow", "standard", "wide", "full"),
            "icon": IMAGE,
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
                **BASE,
                "text": text(3000),
                "fields": items(text(2000), 10),
                "accessory": el.IN_SECTION,
                "expand": flag,
            },
        ),
        rule(lambda b: "" if {"text", "fields"} & b.keys() else "missing required field: text"),
    ),
    "header": shape({"text": plain(150)}, BASE),
    "divider": shape({}, BASE),
    "context": shape(
        {
            "elements": items(
                tagged(
                    {"image": el.ELEMENTS["image"], "plain_text": plain(3000), "mrkdwn": text(3000)}
                ),
                10,
            )
        },
        BASE,
    ),
    "actions": shape({"elements": items(el.IN_ACTIONS, 25)}, BASE),
    "context_actions": shape({"elements": items(el.IN_CONTEXT_ACTIONS, 5)}, BASE),
    "input": shape(
        {"label": plain(2000), "element": el.IN_INPUT},
        {**BASE, "hint": plain(2000), "optional": flag, "dispatch_action": flag},
    ),
    "image": _IMAGE,
    "markdown": shape({"text": string(12_000)}, BASE),
    "rich_text": RICH_TEXT,
    "file": shape({"external_id": string(255), "source": choice("remote")}, BASE),
    "video": shape(
        {
            "alt_text": string(2000),
            "title": plain(200),
            "thumbnail_url": link(),
            "video_url": link(),
        },
        {
            **BASE,
            "title_url": link(),
            "description": plain(200),
            "provider_name": string(50),
            "provider_icon_url": link(),
            "author_name": string(50),
        },
    ),
    "table": TABLE,
    "data_table": DATA_TABLE,
    "data_visualization": shape({"title": string(50), "chart": CHART}, BASE),
    "alert": shape(
        {"text": text(200)},
        {**BASE, "level": choice("default", "info", "warning", "error", "success")},
    ),
    "card": _CARD,
    "carousel": shape({"elements": items(tagged({"card": _CARD}), 10)}, BASE),
    "container": _CONTAINER,
    "plan": shape(
        {"title": string(255)}, {**BASE, "tasks": items(tagged({"task_card": _TASK}), 50)}
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

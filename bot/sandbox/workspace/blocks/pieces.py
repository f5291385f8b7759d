"""The small objects blocks and elements are made of: texts, options, confirmations, filters, images."""

from bot.sandbox.workspace.blocks.check import (
    Check,
    anything,
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

ID = string(255)

_TEXT_KEYS: dict[str, dict[str, Check]] = {
    "plain_text": {"type": anything, "emoji": flag},
    "mrkdwn": {"type": anything, "verbatim": flag},
}


def text(most: int, *kinds: str) -> Check:
    """A text object of 1 to `most` characters; `kinds` defaults to plain_text and mrkdwn."""
    table = {
        kind: shape({"text": string(most)}, _TEXT_KEYS[kind])
        for kind in kinds or ("plain_text", "mrkdwn")
    }
    return tagged(table)


def plain(most: int) -> Check:
    """A plain_text object."""
    return text(most, "plain_text")


CONFIRM = shape(
    {"title": plain(100), "text": text(300), "confirm": plain(30)},
    {"deny": plain(30), "style": choice("primary", "danger")},
)
OPTION = shape(
    {"text": plain(75), "value": string(150)},
    {"description": plain(75)},
)
RICH_OPTION = shape({"text": text(75), "value": string(150)}, {"description": text(75)})
OVERFLOW_OPTION = shape(
    {"text": plain(75), "value": string(150)}, {"description": plain(75), "url": link()}
)
GROUPS = items(shape({"label": plain(75), "options": items(OPTION, 100)}), 100)
DISPATCH = shape(
    {"trigger_actions_on": items(choice("on_enter_pressed", "on_character_entered"), 2)}
)
FILTER = shape(
    {},
    {
        "include": items(choice("im", "mpim", "private", "public"), 4),
        "exclude_external_shared_channels": flag,
        "exclude_bot_users": flag,
    },
)
IMAGE_SHAPE = every(
    shape(
        {"alt_text": string(2000)},
        {
            "type": anything,
            "image_url": link(),
            "slack_file": shape({}, {"id": string(30), "url": link()}),
        },
    ),
    rule(
        lambda e: (
            ""
            if ("image_url" in e) != ("slack_file" in e)
            else "image_url or slack_file is required"
        )
    ),
)
IMAGE = tagged({"image": IMAGE_SHAPE})

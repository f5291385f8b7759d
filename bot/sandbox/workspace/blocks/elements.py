"""The interactive elements, with Slack's limits, and which of them may stand where."""

from typing import Any

from bot.sandbox.workspace.blocks.check import (
    Check,
    anything,
    choice,
    every,
    flag,
    items,
    link,
    number,
    rule,
    shape,
    string,
    tagged,
)
from bot.sandbox.workspace.blocks.pieces import (
    CONFIRM,
    DISPATCH,
    FILTER,
    GROUPS,
    ID,
    IMAGE_SHAPE,
    OPTION,
    OVERFLOW_OPTION,
    RICH_OPTION,
    plain,
)

_COMMON: dict[str, Check] = {"type": anything, "action_id": ID}
_INPUT: dict[str, Check] = {
    **_COMMON,
    "confirm": CONFIRM,
    "focus_on_load": flag,
    "placeholder": plain(150),
}
_MANY: dict[str, Check] = {"max_selected_items": number(1, 100)}
_TYPED: dict[str, Check] = {**_INPUT, "dispatch_action_config": DISPATCH}


def _one_source(element: dict[str, Any]) -> str:
    given = [name for name in ("options", "option_groups") if name in element]
    return "" if len(given) == 1 else "exactly one of options, option_groups is required"


def _initial_is_an_option(element: dict[str, Any]) -> str:
    groups = element.get("option_groups") or [{"options": element.get("options") or []}]
    offered = [
        o.get("value")
        for g in groups
        if isinstance(g, dict)
        for o in g.get("options", [])
        if isinstance(o, dict)
    ]
    wanted = [element.get("initial_option"), *(element.get("initial_options") or [])]
    missing = [o for o in wanted if isinstance(o, dict) and o.get("value") not in offered]
    return "initial_option must match one of the options" if missing else ""


def _bounds(element: dict[str, Any]) -> str:
    least, most = element.get("min_length"), element.get("max_length")
    ordered = not isinstance(least, int) or not isinstance(most, int) or least <= most
    return "" if ordered else "min_length must not be larger than max_length"


_SELECT = every(
    shape(
        {},
        {
            **_INPUT,
            "options": items(OPTION, 100),
            "option_groups": GROUPS,
            "initial_option": OPTION,
        },
    ),
    rule(_one_source),
    rule(_initial_is_an_option),
)
_MULTI_SELECT = every(
    shape(
        {},
        {
            **_INPUT,
            **_MANY,
            "options": items(OPTION, 100),
            "option_groups": GROUPS,
            "initial_options": items(OPTION, 100),
        },
    ),
    rule(_one_source),
    rule(_initial_is_an_option),
)
_BUTTON: dict[str, Check] = {
    **_COMMON,
    "url": link(),
    "value": string(2000),
    "style": choice("primary", "danger"),
    "confirm": CONFIRM,
    "accessibility_label": string(75),
    "alt_text": string(2000),
    "agent_prompt": string(4000),
    "agent_prompt_display": anything,
    "visible_to_user_ids": items(string(30), 100),
}
_FEEDBACK = shape({"text": plain(75), "value": string(2000)}, {"accessibility_label": string(75)})
ELEMENTS: dict[str, Check] = {
    "button": shape({"text": plain(75)}, _BUTTON),
    "icon_button": shape({"text": plain(75), "icon": choice("trash")}, _BUTTON),
    "feedback_buttons": shape(
        {"positive_button": _FEEDBACK, "negative_button": _FEEDBACK}, _COMMON
    ),
    "workflow_button": shape(
        {"text": plain(75), "workflow": anything},
        {**_COMMON, "style": choice("primary", "danger"), "accessibility_label": string(75)},
    ),
    "overflow": shape({"options": items(OVERFLOW_OPTION, 5)}, {**_COMMON, "confirm": CONFIRM}),
    "radio_buttons": every(
        shape({"options": items(RICH_OPTION, 10)}, {**_INPUT, "initial_option": RICH_OPTION}),
        rule(_initial_is_an_option),
    ),
    "checkboxes": every(
        shape(
            {"options": items(RICH_OPTION, 10)},
            {**_INPUT, "initial_options": items(RICH_OPTION, 10)},
        ),
        rule(_initial_is_an_option),
    ),
    "datepicker": shape({}, {**_INPUT, "initial_date": string(10, 10)}),
    "timepicker": shape({}, {**_INPUT, "initial_time": string(5, 5), "timezone": string(60)}),
    "datetimepicker": shape(
        {}, {**_INPUT, "initial_date_time": number(1_000_000_000, 9_999_999_999)}
    ),
    "static_select": _SELECT,
    "multi_static_select": _MULTI_SELECT,
    "external_select": shape(
        {}, {**_INPUT, "initial_option": OPTION, "min_query_length": number(0, 100)}
    ),
    "multi_external_select": shape(
        {},
        {
            **_INPUT,
            **_MANY,
            "initial_options": items(OPTION, 100),
            "min_query_length": number(0, 100),
        },
    ),
    "users_select": shape({}, {**_INPUT, "initial_user": string(30)}),
    "multi_users_select": shape({}, {**_INPUT, **_MANY, "initial_users": items(string(30), 100)}),
    "conversations_select": shape(
        {},
        {
            **_INPUT,
            "initial_conversation": string(30),
            "default_to_current_conversation": flag,
            "response_url_enabled": flag,
            "filter": FILTER,
        },
    ),
    "multi_conversations_select": shape(
        {},
        {
            **_INPUT,
            **_MANY,
            "initial_conversations": items(string(30), 100),
            "default_to_current_conversation": flag,
            "filter": FILTER,
        },
    ),
    "channels_select": shape(
        {}, {**_INPUT, "initial_channel": string(30), "response_url_enabled": flag}
    ),
    "multi_channels_select": shape(
        {}, {**_INPUT, **_MANY, "initial_channels": items(string(30), 100)}
    ),
    "plain_text_input": every(
        shape(
            {},
            {
                **_TYPED,
                "initial_value": string(3000, 0),
                "multiline": flag,
                "min_length": number(0, 3000),
                "max_length": number(1, 3000),
            },
        ),
        rule(_bounds),
    ),
    "rich_text_input": shape(
        {}, {**_TYPED, "initial_value": anything, "min_lines": anything, "max_lines": anything}
    ),
    "email_text_input": shape({}, {**_TYPED, "initial_value": string(3000, 0)}),
    "url_text_input": shape({}, {**_TYPED, "initial_value": string(3000, 0)}),
    "number_input": shape(
        {"is_decimal_allowed": flag},
        {**_TYPED, "initial_value": string(30), "min_value": string(30), "max_value": string(30)},
    ),
    "file_input": shape(
        {}, {**_INPUT, "filetypes": items(string(20), 100), "max_files": number(1, 10)}
    ),
    "image": IMAGE_SHAPE,
}

_PICK_ONE = (
    "static_select",
    "external_select",
    "users_select",
    "conversations_select",
    "channels_select",
)
_PICK_MANY = tuple(f"multi_{kind}" for kind in _PICK_ONE)
_TYPE_IN = (
    "plain_text_input",
    "rich_text_input",
    "email_text_input",
    "url_text_input",
    "number_input",
    "file_input",
)

#: Which elements go where.
IN_ACTIONS = tagged(
    ELEMENTS,
    "button",
    "workflow_button",
    "overflow",
    "radio_buttons",
    "checkboxes",
    "datepicker",
    "timepicker",
    "datetimepicker",
    *_PICK_ONE,
)
IN_SECTION = tagged(
    ELEMENTS,
    "button",
    "workflow_button",
    "overflow",
    "radio_buttons",
    "checkboxes",
    "datepicker",
    "timepicker",
    "image",
    *_PICK_ONE,
    *_PICK_MANY,
)
IN_INPUT = tagged(
    ELEMENTS,
    "radio_buttons",
    "checkboxes",
    "datepicker",
    "timepicker",
    "datetimepicker",
    *_PICK_ONE,
    *_PICK_MANY,
    *_TYPE_IN,
)
IN_CONTEXT_ACTIONS = tagged(ELEMENTS, "feedback_buttons", "icon_button")
IN_CARD = tagged(ELEMENTS, "button", "icon_button", "workflow_button")

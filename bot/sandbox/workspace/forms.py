"""What the inputs of a form hold: at the start, after an update, and as somebody filled them in."""

from collections.abc import Iterable
from typing import Any

from bot.sandbox.workspace.blocks.walk import elements_of
from bot.sandbox.workspace.errors import Json, SlackError

#: The property that carries each kind's value, and the one its initial value comes from.
CARRIERS = {
    "plain_text_input": ("value", "initial_value"),
    "email_text_input": ("value", "initial_value"),
    "url_text_input": ("value", "initial_value"),
    "number_input": ("value", "initial_value"),
    "rich_text_input": ("rich_text_value", "initial_value"),
    "file_input": ("files", ""),
    "static_select": ("selected_option", "initial_option"),
    "external_select": ("selected_option", "initial_option"),
    "radio_buttons": ("selected_option", "initial_option"),
    "overflow": ("selected_option", ""),
    "multi_static_select": ("selected_options", "initial_options"),
    "multi_external_select": ("selected_options", "initial_options"),
    "checkboxes": ("selected_options", "initial_options"),
    "users_select": ("selected_user", "initial_user"),
    "multi_users_select": ("selected_users", "initial_users"),
    "conversations_select": ("selected_conversation", "initial_conversation"),
    "multi_conversations_select": ("selected_conversations", "initial_conversations"),
    "channels_select": ("selected_channel", "initial_channel"),
    "multi_channels_select": ("selected_channels", "initial_channels"),
    "datepicker": ("selected_date", "initial_date"),
    "timepicker": ("selected_time", "initial_time"),
    "datetimepicker": ("selected_date_time", "initial_date_time"),
}


def _inputs(blocks: list[Json]) -> Iterable[tuple[Json, Json]]:
    return (
        (b, e) for b, e in elements_of(blocks) if e["type"] in CARRIERS and e["type"] != "overflow"
    )


def initial_values(blocks: list[Json]) -> Json:
    """`state.values` as a form opens."""
    values: Json = {}
    for block, element in _inputs(blocks):
        carrier, initial = CARRIERS[element["type"]]
        empty: Any = [] if carrier.endswith("s") else None
        held = {"type": element["type"], carrier: element.get(initial, empty)}
        values.setdefault(block["block_id"], {})[element["action_id"]] = held
    return values


def kept_values(blocks: list[Json], before: Json) -> Json:
    """`state.values` after an update: inputs that are still the same keep what they held."""
    values = initial_values(blocks)
    for block_id, actions in values.items():
        for action_id, held in actions.items():
            old = before.get(block_id, {}).get(action_id)
            if old is not None and old["type"] == held["type"]:
                actions[action_id] = old
    return values


def _options(element: Json) -> list[Json]:
    groups = element.get("option_groups") or [{"options": element.get("options", [])}]
    return [o for g in groups for o in g["options"]]


def chosen_option(element: Json, given: Any) -> Json:
    """The option meant by its value (or by a whole option); `no_such_option` if the element offers none such.

    An external select's options are the app's business: there the whole option must be given.
    """
    value = given.get("value") if isinstance(given, dict) else given
    if element["type"].endswith("external_select") and isinstance(given, dict):
        return given
    found = next((o for o in _options(element) if o.get("value") == value), None)
    if found is None:
        raise SlackError("no_such_option", f"{value!r} is not among the options shown.")
    return found


def held(element: Json, given: Any) -> Json:
    """One element's state from what the page sent: a bare value, a list, or Slack's own shape."""
    carrier = CARRIERS[element["type"]][0]
    raw = given.get(carrier) if isinstance(given, dict) and carrier in given else given
    if carrier == "selected_option":
        raw = chosen_option(element, raw) if raw not in (None, "") else None
    elif carrier == "selected_options":
        raw = [chosen_option(element, one) for one in raw or []]
    elif carrier == "value" and raw == "":
        raw = None
    return {"type": element["type"], carrier: raw}


def fill(blocks: list[Json], values: Json, given: Json) -> Json:
    """`state.values` with what somebody filled in laid over what was there; unknown fields are `no_such_element`."""
    known = {(b["block_id"], e["action_id"]): e for b, e in _inputs(blocks)}
    filled: Json = {block_id: dict(actions) for block_id, actions in values.items()}
    for block_id, actions in given.items():
        if not isinstance(actions, dict):
            raise SlackError("invalid_arguments", "values are {block_id: {action_id: value}}.")
        for action_id, raw in actions.items():
            element = known.get((block_id, action_id))
            if element is None:
                raise SlackError(
                    "no_such_element", f"The form has no field {block_id}/{action_id}."
                )
            filled.setdefault(block_id, {})[action_id] = held(element, raw)
    return filled


def complaints(blocks: list[Json], values: Json) -> dict[str, str]:
    """What Slack itself says before it asks the app: required fields, lengths, numbers."""
    found: dict[str, str] = {}
    for block, element in _inputs(blocks):
        if block.get("type") != "input":
            continue
        carrier = CARRIERS[element["type"]][0]
        value = values.get(block["block_id"], {}).get(element["action_id"], {}).get(carrier)
        said = _complaint(block, element, value)
        if said:
            found[block["block_id"]] = said
    return found


def _complaint(block: Json, element: Json, value: Any) -> str:
    if value in (None, "", []):
        return "" if block.get("optional") else "Please complete this required field."
    if element["type"] == "plain_text_input":
        least, most = element.get("min_length", 0), element.get("max_length", 3000)
        return (
            ""
            if least <= len(value) <= most
            else f"Please write between {least} and {most} characters."
        )
    if element["type"] == "number_input":
        return _number_complaint(element, str(value))
    return ""


def _number_complaint(element: Json, value: str) -> str:
    try:
        number = float(value)
    except ValueError:
        return "Please enter a number."
    if not element.get("is_decimal_allowed") and not number.is_integer():
        return "Please enter a whole number."
    low, high = float(element.get("min_value", "-inf")), float(element.get("max_value", "inf"))
    return "" if low <= number <= high else f"Please enter a number between {low:g} and {high:g}."

"""What an app is sent when a person acts: block_actions, view_submission, view_closed, shortcuts, commands."""

from typing import Any

from bot.sandbox.workspace import modals, show
from bot.sandbox.workspace.core import Core
from bot.sandbox.workspace.errors import Json
from bot.sandbox.workspace.seed import App, Person
from bot.sandbox.workspace.state import Conversation, Message, View

_NAMES = {"im": "directmessage", "group": "privategroup", "mpim": "privategroup"}


def _frame(core: Core, app: App, who: Person, kind: str) -> Json:
    team = core.state.team
    return {
        "type": kind,
        "user": {"id": who.id, "username": who.name, "name": who.name, "team_id": who.team_id},
        "api_app_id": app.app_id,
        "token": "local-verification-token",
        "team": {"id": team.id, "domain": team.domain},
        "enterprise": None,
        "is_enterprise_install": False,
    }


def _channel(conversation: Conversation) -> Json:
    name = conversation.name if conversation.kind == "channel" else _NAMES[conversation.kind]
    return {"id": conversation.id, "name": name}


def block_action(block: Json, element: Json, held: Json, action_ts: str) -> Json:
    """One entry of `actions`: the element, what it holds now, and when it was used."""
    extra: dict[str, Any] = {k: element[k] for k in ("text", "style", "url") if k in element}
    named = {
        "action_id": element["action_id"],
        "block_id": block["block_id"],
        "type": element["type"],
    }
    return {**named, **extra, **held, "action_ts": action_ts}


def message_actions(
    core: Core, app: App, who: Person, message: Message, actions: list[Json]
) -> Json:
    """`block_actions` from a message; an ephemeral one is not shown to the app again, as in Slack."""
    conversation = core.state.conversations[message.channel]
    container: Json = {"type": "message", "message_ts": message.ts, "channel_id": message.channel}
    container["is_ephemeral"] = bool(message.reader)
    if message.thread_ts:
        container["thread_ts"] = message.thread_ts
    payload = {
        **_frame(core, app, who, "block_actions"),
        "container": container,
        "trigger_id": core.trigger(app, who.id),
        "channel": _channel(conversation),
        "state": {"values": {}},
        "response_url": core.response_url(app, who.id, message.channel, message.ts),
        "actions": actions,
    }
    if not message.reader:
        payload["message"] = {
            k: v for k, v in show.counted(conversation, message).items() if k != "metadata"
        }
    return payload


def view_actions(core: Core, app: App, who: Person, view: View, actions: list[Json]) -> Json:
    """`block_actions` from a modal or a home tab."""
    return {
        **_frame(core, app, who, "block_actions"),
        "container": {"type": "view", "view_id": view.id},
        "trigger_id": core.trigger(app, who.id, view.id),
        "view": modals.payload(core, view),
        "actions": actions,
    }


def view_submission(core: Core, app: App, who: Person, view: View) -> Json:
    """`view_submission`."""
    trigger = core.trigger(app, who.id, view.id)
    body = {"trigger_id": trigger, "view": modals.payload(core, view), "response_urls": []}
    return {**_frame(core, app, who, "view_submission"), **body}


def view_closed(core: Core, app: App, who: Person, view: View, *, cleared: bool) -> Json:
    """`view_closed`."""
    return {
        **_frame(core, app, who, "view_closed"),
        "view": modals.payload(core, view),
        "is_cleared": cleared,
    }


def shortcut(core: Core, app: App, who: Person, callback_id: str) -> Json:
    """A global `shortcut`."""
    trigger = {
        "callback_id": callback_id,
        "trigger_id": core.trigger(app, who.id),
        "action_ts": core.mint.ts(),
    }
    return {**_frame(core, app, who, "shortcut"), **trigger}


def message_shortcut(core: Core, app: App, who: Person, callback_id: str, message: Message) -> Json:
    """A `message_action`."""
    conversation = core.state.conversations[message.channel]
    return {
        **_frame(core, app, who, "message_action"),
        "callback_id": callback_id,
        "trigger_id": core.trigger(app, who.id),
        "action_ts": core.mint.ts(),
        "response_url": core.response_url(app, who.id, message.channel),
        "message_ts": message.ts,
        "channel": _channel(conversation),
        "message": {
            k: v for k, v in show.counted(conversation, message).items() if k != "metadata"
        },
    }


def suggestion(core: Core, app: App, who: Person, about: Json, typed: str) -> Json:
    """`block_suggestion`: what an external select asks while somebody types."""
    return {**_frame(core, app, who, "block_suggestion"), **about, "value": typed}


def command(
    core: Core, app: App, who: Person, conversation: Conversation, words: tuple[str, str]
) -> Json:
    """A slash command's form; `words` is the command and the text after it."""
    team = core.state.team
    name, text = words
    return {
        "token": "local-verification-token",
        "team_id": team.id,
        "team_domain": team.domain,
        "channel_id": conversation.id,
        "channel_name": _channel(conversation)["name"],
        "user_id": who.id,
        "user_name": who.name,
        "command": name,
        "text": text,
        "api_app_id": app.app_id,
        "is_enterprise_install": "false",
        "response_url": core.response_url(app, who.id, conversation.id),
        "trigger_id": core.trigger(app, who.id),
    }

"""Which app is told of what: events wrapped the way the Events API wraps them."""

from copy import deepcopy

from bot.sandbox.workspace.core import Core
from bot.sandbox.workspace.errors import Json
from bot.sandbox.workspace.seed import App
from bot.sandbox.workspace.state import Conversation
from bot.sandbox.workspace.text import mentioned

TOPICS = {
    "channel": "message.channels",
    "group": "message.groups",
    "im": "message.im",
    "mpim": "message.mpim",
}


def wrapped(core: Core, app: App, event: Json, *, shared: bool = False) -> Json:
    """The outer body around an event for one app, with a new `event_id`."""
    team = core.state.team.id
    grant = {"enterprise_id": None, "team_id": team, "user_id": app.user_id, "is_bot": True}
    return {
        "token": "local-verification-token",
        "team_id": team,
        "context_team_id": team,
        "context_enterprise_id": None,
        "api_app_id": app.app_id,
        "event": deepcopy(event),
        "type": "event_callback",
        "event_id": core.mint.next("Ev"),
        "event_time": int(core.mint.now()),
        "authorizations": [{**grant, "is_enterprise_install": False}],
        "is_ext_shared_channel": shared,
        "event_context": core.mint.next("4-"),
    }


def tell_apps(
    core: Core, topic: str, event: Json, conversation: Conversation | None = None
) -> None:
    """Send an event to every subscribed app; with a conversation, only to those whose bot is in it."""
    for app in core.state.apps.values():
        here = conversation is None or app.user_id in conversation.members
        if here and topic in app.events:
            shared = conversation is not None and conversation.is_ext_shared
            core.courier.event(app, wrapped(core, app, event, shared=shared))


def message_event(core: Core, conversation: Conversation, event: Json) -> None:
    """Tell the apps in a conversation of something that happened to its messages."""
    outer = {"channel": conversation.id, "channel_type": conversation.kind, "event_ts": event["ts"]}
    tell_apps(core, TOPICS[conversation.kind], {**event, **outer}, conversation)


def mention_events(core: Core, conversation: Conversation, body: Json) -> None:
    """Tell each bot mentioned in a new message; in a DM there is only the `message` event, as in Slack."""
    if conversation.kind == "im":
        return
    keys = (
        "user",
        "bot_id",
        "app_id",
        "text",
        "ts",
        "team",
        "blocks",
        "thread_ts",
        "client_msg_id",
    )
    event = {k: body[k] for k in keys if k in body}
    event |= {"type": "app_mention", "channel": conversation.id, "event_ts": body["ts"]}
    names = mentioned(str(body.get("text", "")))
    for app in core.state.apps.values():
        present = app.user_id in names and app.user_id in conversation.members
        if present and "app_mention" in app.events and body.get("app_id") != app.app_id:
            core.courier.event(app, wrapped(core, app, event, shared=conversation.is_ext_shared))

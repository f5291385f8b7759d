"""What happens to messages: said, changed, taken back, reacted to. Each tells the pages and the apps."""

from copy import deepcopy

from bot.sandbox.workspace import show
from bot.sandbox.workspace.core import Core
from bot.sandbox.workspace.errors import Json, SlackError
from bot.sandbox.workspace.events import mention_events, message_event, tell_apps
from bot.sandbox.workspace.state import Conversation, Message


def may_see(conversation: Conversation, user_id: str) -> bool:
    """Public channels are everybody's; the rest belong to their members."""
    return conversation.kind == "channel" or user_id in conversation.members


def _pages(core: Core, name: str, message: Message) -> None:
    conversation = core.state.conversations[message.channel]

    def words(reader: str) -> Json | None:
        if not may_see(conversation, reader):
            return None
        return {"channel": message.channel, "message": show.message(core, message, reader)}

    core.streams.tell_each(name, words)


def channel_changed(core: Core, conversation: Conversation) -> None:
    """Tell the pages that a channel looks different now."""
    core.streams.tell_each(
        "channel",
        lambda reader: (
            {"channel": show.channel(conversation, reader)}
            if may_see(conversation, reader)
            else None
        ),
    )


def threaded(conversation: Conversation, body: Json, *, broadcast: bool = False) -> Json:
    """The body as a reply, if it has a `thread_ts`: the root must exist and be a root."""
    root = conversation.messages.get(str(body.get("thread_ts", "")))
    if "thread_ts" not in body:
        return body
    if root is None or root.thread_ts:
        raise SlackError("thread_not_found", "That message is not there, or is itself a reply.")
    if broadcast:
        body |= {"subtype": "thread_broadcast", "root": show.counted(conversation, root)}
    return body


def say(core: Core, conversation: Conversation, body: Json, app_id: str = "") -> Message:
    """Store a new message and tell everybody. `body` has no `ts` yet; `app_id` is the app that may change it."""
    if conversation.is_archived:
        raise SlackError("is_archived", "The channel is archived.")
    message = Message(
        conversation.id, {"type": "message", **body, "ts": core.mint.ts()}, app_id=app_id
    )
    conversation.messages[message.ts] = message
    author = str(body.get("user", ""))
    if author and not message.thread_ts:
        conversation.last_read[author] = message.ts
    _pages(core, "message", message)
    if message.thread_ts:
        _pages(core, "message_changed", conversation.messages[message.thread_ts])
    else:
        channel_changed(core, conversation)
    event = {k: v for k, v in message.body.items() if k != "metadata"}
    message_event(core, conversation, event)
    mention_events(core, conversation, event)
    return message


def whisper(
    core: Core, conversation: Conversation, body: Json, reader: str, app_id: str
) -> Message:
    """An ephemeral message: one person's page shows it, nobody's history holds it, no event tells of it."""
    body = {"type": "message", **body, "ts": core.mint.ts()}
    message = Message(conversation.id, body, app_id=app_id, reader=reader)
    conversation.whispers[message.ts] = message
    data = {"channel": conversation.id, "message": show.message(core, message, reader)}
    core.streams.tell(reader, "ephemeral", data)
    return message


def unwhisper(core: Core, message: Message) -> None:
    """Take an ephemeral message off its reader's screen."""
    del core.state.conversations[message.channel].whispers[message.ts]
    data = {"channel": message.channel, "ts": message.ts}
    core.streams.tell(message.reader, "ephemeral_deleted", data)


def rewhisper(core: Core, message: Message, body: Json) -> None:
    """Change an ephemeral message in place."""
    message.body = {**body, "ts": message.ts, "type": "message"}
    message.version += 1
    data = {"channel": message.channel, "message": show.message(core, message, message.reader)}
    core.streams.tell(message.reader, "ephemeral_changed", data)


def change(core: Core, message: Message, body: Json, editor: str = "") -> None:
    """Replace what a message says; with an `editor` it is marked as edited. Tells of it as `message_changed`."""
    conversation = core.state.conversations[message.channel]
    before = _plain(conversation, message)
    now = core.mint.ts()
    message.body = {**body, **({"edited": {"user": editor, "ts": now}} if editor else {})}
    message.version += 1
    _pages(core, "message_changed", message)
    event = {"type": "message", "subtype": "message_changed", "hidden": True, "ts": now}
    message_event(
        core,
        conversation,
        {**event, "message": _plain(conversation, message), "previous_message": before},
    )


def _plain(conversation: Conversation, message: Message) -> Json:
    counted = show.counted(conversation, message)
    return deepcopy({k: v for k, v in counted.items() if k not in {"metadata", "channel"}})


def remove(core: Core, message: Message) -> None:
    """Take a message back. A root with replies leaves a tombstone, as in Slack, which is a change and not a deletion."""
    conversation = core.state.conversations[message.channel]
    if conversation.replies(message.ts):
        gone = {
            "type": "message",
            "subtype": "tombstone",
            "text": "This message was deleted.",
            "hidden": True,
        }
        message.app_id = ""
        change(core, message, {**gone, "user": "USLACKBOT", "ts": message.ts})
        return
    before = _plain(conversation, message)
    del conversation.messages[message.ts]
    data: Json = {
        "channel": conversation.id,
        "ts": message.ts,
        "thread_ts": message.thread_ts or None,
    }
    core.streams.tell_each(
        "message_deleted", lambda reader: data if may_see(conversation, reader) else None
    )
    if message.thread_ts in conversation.messages:
        _pages(core, "message_changed", conversation.messages[message.thread_ts])
    event = {"type": "message", "subtype": "message_deleted", "hidden": True, "ts": core.mint.ts()}
    message_event(
        core, conversation, {**event, "deleted_ts": message.ts, "previous_message": before}
    )


def react(core: Core, message: Message, user_id: str, name: str, *, remove: bool = False) -> None:
    """Add or take away a reaction; `already_reacted` and `no_reaction` when there is nothing to do."""
    users = message.reactions.setdefault(name, [])
    if (user_id in users) is not remove:
        raise SlackError("no_reaction" if remove else "already_reacted")
    (users.remove if remove else users.append)(user_id)
    if not users:
        del message.reactions[name]
    _pages(core, "message_changed", message)
    event = {
        "type": "reaction_removed" if remove else "reaction_added",
        "user": user_id,
        "reaction": name,
        "item": {"type": "message", "channel": message.channel, "ts": message.ts},
        "event_ts": core.mint.ts(),
    }
    author = message.body.get("user")
    conversation = core.state.conversations[message.channel]
    tell_apps(
        core, str(event["type"]), event | ({"item_user": author} if author else {}), conversation
    )


def message_at(conversation: Conversation, ts: str) -> Message:
    """A message by its `ts`, or `message_not_found`."""
    found = conversation.messages.get(ts)
    if found is None:
        raise SlackError("message_not_found", "That message is no longer there.")
    return found

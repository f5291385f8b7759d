"""chat.*: posting, updating, deleting."""

import json
import re
from collections.abc import Iterable

from bot.sandbox.workspace import show, talk
from bot.sandbox.workspace.api.call import Call, Method
from bot.sandbox.workspace.authors import MOST_TEXT, by_bot, by_name, content
from bot.sandbox.workspace.blocks.check import length
from bot.sandbox.workspace.errors import Json, SlackError
from bot.sandbox.workspace.state import Conversation, Message

#: From memory: Slack names the error but not the figure.
_MOST_METADATA = 16_000
_LINK = re.compile(r"https?://")


def _said(call: Call) -> Json:
    return {
        "text": call.text("text"),
        "blocks": call.parsed("blocks", "invalid_blocks_format"),
        "attachments": call.parsed("attachments", "invalid_attachments"),
    }


def _target(call: Call) -> Conversation:
    ref = call.text("channel")
    who = call.core.state.people.get(ref)
    if who is None:
        return call.channel("")
    if who.deleted or who.id == call.app.user_id:
        raise SlackError("channel_not_found")
    return call.core.direct({call.app.user_id, who.id})[0]


def _may_post(call: Call, conversation: Conversation) -> None:
    if conversation.is_archived:
        raise SlackError("is_archived")
    member = call.app.user_id in conversation.members
    if not member and not (
        conversation.kind == "channel" and "chat:write.public" in call.app.scopes
    ):
        raise SlackError("not_in_channel")


def _metadata(call: Call) -> Json | None:
    given = call.parsed("metadata", "invalid_metadata_format")
    if given is None or given == {}:
        return given if given is None else {}
    typed = (
        isinstance(given, dict) and isinstance(given.get("event_type"), str) and given["event_type"]
    )
    if not typed or not isinstance(given.get("event_payload"), dict):
        raise SlackError("invalid_metadata_format")
    if len(json.dumps(given)) > _MOST_METADATA:
        raise SlackError("metadata_too_large")
    return dict(given)


def _authored(call: Call, body: Json) -> Json:
    username = call.text("username")
    icon = call.text("icon_emoji") or call.text("icon_url")
    if username or icon:
        call.scope("chat:write.customize")
        return by_name(call.app, body, username, icon)
    return by_bot(call.core, call.app, body)


def _unfurls(call: Call, body: Json) -> bool:
    off = [
        call.args.get(flag) is not None and not call.flag(flag)
        for flag in ("unfurl_links", "unfurl_media")
    ]
    return not all(off) and bool(_LINK.search(json.dumps(body)))


def post_message(call: Call) -> Json:
    """chat.postMessage."""
    core, conversation = call.core, _target(call)
    _may_post(call, conversation)
    body = _authored(call, content(core, _said(call)))
    if call.text("thread_ts"):
        body["thread_ts"] = call.text("thread_ts")
    body = talk.threaded(conversation, body, broadcast=call.flag("reply_broadcast"))
    metadata = _metadata(call)
    if metadata:
        body["metadata"] = metadata
    warnings = ["message_truncated"] if len(body["text"]) > MOST_TEXT else []
    body["text"] = body["text"][:MOST_TEXT]
    core.pace.post(call.app.app_id, conversation.id)
    message = talk.say(core, conversation, body, app_id=call.app.app_id)
    answer = {
        "ok": True,
        "channel": conversation.id,
        "ts": message.ts,
        "message": dict(message.body),
    }
    if _unfurls(call, body):
        talk.change(core, message, dict(message.body))
    return answer | _warned(warnings)


def _warned(warnings: Iterable[str]) -> Json:
    given = list(warnings)
    return {"warning": ",".join(given), "response_metadata": {"warnings": given}} if given else {}


def _own(call: Call, refusal: str) -> Message:
    conversation = call.channel("")
    message = talk.message_at(conversation, call.need("ts"))
    if message.app_id != call.app.app_id:
        raise SlackError(refusal)
    return message


def update(call: Call) -> Json:
    """chat.update: what isn't passed is kept, but `text` without `blocks` takes the blocks away."""
    message = _own(call, "cant_update_message")
    if call.core.state.conversations[message.channel].is_archived:
        raise SlackError("is_inactive")
    if length(call.text("text")) > MOST_TEXT:
        raise SlackError("msg_too_long")
    said = _said(call)
    kept = {
        k: v
        for k, v in message.body.items()
        if k not in {"text", "blocks", "attachments", "edited"}
    }
    if said["attachments"] is None and said["blocks"] is None and message.body.get("attachments"):
        kept["attachments"] = message.body["attachments"]
    metadata = _metadata(call)
    if metadata is not None:
        kept = {k: v for k, v in kept.items() if k != "metadata"} | (
            {"metadata": metadata} if metadata else {}
        )
    talk.change(call.core, message, {**kept, **content(call.core, said)}, editor=call.app.user_id)
    text = str(message.body["text"])
    return {
        "ok": True,
        "channel": message.channel,
        "ts": message.ts,
        "text": text,
        "message": dict(message.body),
    }


def delete(call: Call) -> Json:
    """chat.delete."""
    message = _own(call, "cant_delete_message")
    talk.remove(call.core, message)
    return {"ok": True, "channel": message.channel, "ts": message.ts}


def post_ephemeral(call: Call) -> Json:
    """chat.postEphemeral: the reader and the bot must both be in the channel."""
    conversation = call.channel("")
    _may_post(call, conversation)
    reader = call.core.state.people.get(call.need("user"))
    if reader is None or reader.deleted or reader.id not in conversation.members:
        raise SlackError("user_not_in_channel")
    if length(call.text("text")) > MOST_TEXT:
        raise SlackError("msg_too_long")
    body = by_bot(call.core, call.app, content(call.core, _said(call)))
    if call.text("thread_ts"):
        body = talk.threaded(conversation, {**body, "thread_ts": call.text("thread_ts")})
    message = talk.whisper(call.core, conversation, body, reader.id, call.app.app_id)
    return {"ok": True, "message_ts": message.ts}


def permalink(call: Call) -> Json:
    """chat.getPermalink."""
    conversation = call.channel("")
    message = talk.message_at(conversation, call.need("message_ts"))
    url = f"{call.core.base_url}/archives/{conversation.id}/p{message.ts.replace('.', '')}"
    if message.thread_ts:
        url += f"?thread_ts={message.thread_ts}&cid={conversation.id}"
    return {"ok": True, "channel": conversation.id, "permalink": url}


def react(call: Call) -> Json:
    """reactions.add."""
    conversation = call.channel("")
    if call.app.user_id not in conversation.members:
        raise SlackError("not_in_channel")
    message = talk.message_at(conversation, call.need("timestamp"))
    name = call.text("name").strip(":")
    if not re.fullmatch(r"[a-z0-9_+\-]+(::skin-tone-[2-6])?", name):
        raise SlackError("invalid_name")
    talk.react(call.core, message, call.app.user_id, name)
    return {"ok": True}


def history(call: Call) -> Json:
    """conversations.history: newest first, replies only when broadcast."""
    conversation = _readable(call)
    found = [m for m in reversed(conversation.top()) if _between(call, m.ts)]
    page, cursor = call.page(found, 100, 999)
    more = bool(cursor["response_metadata"]["next_cursor"])
    said = [_read(call, conversation, m) for m in page]
    return {
        "ok": True,
        "messages": said,
        "has_more": more,
        "pin_count": 0,
        **(cursor if more else {}),
    }


def replies(call: Call) -> Json:
    """conversations.replies: the root, then its replies, oldest first; `thread_not_found` without a root."""
    conversation = _readable(call)
    root = conversation.messages.get(call.need("ts"))
    if root is None:
        raise SlackError("thread_not_found")
    thread = conversation.messages.get(root.thread_ts, root)
    found = [thread, *(m for m in conversation.replies(thread.ts) if _between(call, m.ts))]
    page, cursor = call.page(found, 1000)
    more = bool(cursor["response_metadata"]["next_cursor"])
    said = [_read(call, conversation, m) for m in page]
    return {"ok": True, "messages": said, "has_more": more, **(cursor if more else {})}


def _readable(call: Call) -> Conversation:
    conversation = call.channel("history")
    if call.app.user_id not in conversation.members:
        raise SlackError("not_in_channel")
    return conversation


def _between(call: Call, ts: str) -> bool:
    oldest, latest = call.text("oldest") or "0", call.text("latest") or "9999999999"
    when = float(ts)
    if call.flag("inclusive"):
        return float(oldest) <= when <= float(latest)
    return float(oldest) < when < float(latest)


def _read(call: Call, conversation: Conversation, message: Message) -> Json:
    body = show.counted(conversation, message)
    return (
        body
        if call.flag("include_all_metadata")
        else {k: v for k, v in body.items() if k != "metadata"}
    )


METHODS = {
    "chat.delete": Method(delete, ("chat:write",)),
    "chat.getPermalink": Method(permalink),
    "chat.postEphemeral": Method(post_ephemeral, ("chat:write",)),
    "chat.postMessage": Method(post_message, ("chat:write",)),
    "chat.update": Method(update, ("chat:write",)),
    "conversations.history": Method(history),
    "conversations.replies": Method(replies),
    "reactions.add": Method(react, ("reactions:write",)),
}

"""How things look to the page: people, apps, channels, messages and views as api.md describes them."""

from bot.sandbox.workspace.blocks.walk import seen_by
from bot.sandbox.workspace.core import Core
from bot.sandbox.workspace.errors import Json
from bot.sandbox.workspace.seed import App, Person, SlashCommand, UserGroup
from bot.sandbox.workspace.state import Conversation, Message, View


def person(core: Core, who: Person) -> Json:
    """A Person."""
    until = who.dnd_until if who.dnd_until > core.mint.now() else None
    return {
        "id": who.id,
        "name": who.name,
        "real_name": who.real_name or who.name,
        "display_name": who.name,
        "email": who.email,
        "tz": who.tz,
        "title": who.title,
        "color": who.color,
        "is_bot": who.is_bot,
        "is_admin": who.is_admin,
        "deleted": who.deleted,
        "is_restricted": who.is_restricted,
        "is_stranger": who.is_stranger,
        "team_id": who.team_id,
        "presence": who.presence,
        "status": {"text": who.status_text, "emoji": who.status_emoji},
        "dnd": {"enabled": until is not None, "until": until},
        "app_id": who.app_id or None,
    }


def app(core: Core, installed: App) -> Json:
    """An App."""
    return {
        "app_id": installed.app_id,
        "bot_id": installed.bot_id,
        "user_id": installed.user_id,
        "name": installed.name,
        "icon": installed.icon,
        "has_home": installed.has_home,
        "mode": "http" if installed.request_url else "socket",
        "connections": len(core.courier.sockets.of(installed.app_id)),
        "shortcuts": [
            {"type": s.kind, "callback_id": s.callback_id, "name": s.name}
            for s in installed.shortcuts
        ],
    }


def unread(conversation: Conversation, user_id: str) -> int:
    """How many top-level messages by others came after what this person has read."""
    mark = conversation.last_read.get(user_id, "")
    return sum(1 for m in conversation.top() if m.ts > mark and m.body.get("user") != user_id)


def channel(conversation: Conversation, user_id: str) -> Json:
    """A Channel as one person sees it."""
    other = [m for m in conversation.members if m != user_id] if conversation.kind == "im" else []
    top = conversation.top()
    return {
        "id": conversation.id,
        "name": conversation.name,
        "topic": conversation.topic,
        "purpose": conversation.purpose,
        "is_private": conversation.kind != "channel",
        "is_archived": conversation.is_archived,
        "is_ext_shared": conversation.is_ext_shared,
        "is_im": conversation.kind == "im",
        "is_mpim": conversation.kind == "mpim",
        "is_member": user_id in conversation.members,
        "members": list(conversation.members),
        "with": other[0] if other else None,
        "unread": unread(conversation, user_id),
        "last_read": conversation.last_read.get(user_id, ""),
        "latest": top[-1].ts if top else None,
    }


def group(usergroup: UserGroup) -> Json:
    """A Group."""
    return {
        "id": usergroup.id,
        "handle": usergroup.handle,
        "name": usergroup.name or usergroup.handle,
        "description": usergroup.description,
        "users": list(usergroup.users),
        "is_disabled": usergroup.is_disabled,
    }


def command(slash: SlashCommand) -> Json:
    """A Command."""
    return {
        "command": slash.command,
        "app_id": slash.app_id,
        "description": slash.description,
        "usage_hint": slash.usage_hint,
        "completions": [{"text": c.text, "description": c.description} for c in slash.completions],
    }


def counted(conversation: Conversation, message: Message) -> Json:
    """A message's body with its reactions and, on a root, its replies counted: what history answers."""
    body = dict(message.body)
    if message.reactions:
        body["reactions"] = [
            {"name": n, "users": u, "count": len(u)} for n, u in message.reactions.items()
        ]
    replies = conversation.replies(message.ts)
    if replies:
        people = list(
            dict.fromkeys(str(r.body.get("user") or r.body.get("bot_id")) for r in replies)
        )
        body |= {
            "thread_ts": message.ts,
            "reply_count": len(replies),
            "reply_users": people,
            "reply_users_count": len(people),
            "latest_reply": replies[-1].ts,
        }
    return body


def _sender(core: Core, body: Json) -> Json:
    for installed in core.state.apps.values():
        hooks = [w.bot_id for w in installed.webhooks]
        if body.get("bot_id") in {installed.bot_id, *hooks} or (
            body.get("app_id") == installed.app_id
        ):
            name = body.get("username") or installed.name
            return {"kind": "app", "id": installed.app_id, "name": name, "icon": installed.icon}
    who = core.state.people.get(str(body.get("user")))
    name = (who.real_name or who.name) if who else str(body.get("username", "somebody"))
    return {"kind": "person", "id": who.id if who else "", "name": name, "icon": ""}


def message(core: Core, said: Message, reader: str) -> Json:
    """A Message as one person sees it."""
    conversation = core.state.conversations[said.channel]
    body = counted(conversation, said) if not said.reader else dict(said.body)
    if "blocks" in body:
        body["blocks"] = seen_by(body["blocks"], reader)
    return {
        **body,
        "channel": said.channel,
        "reactions": body.get("reactions", []),
        "is_ephemeral": bool(said.reader),
        "version": said.version,
        "sender": _sender(core, body),
    }


def view(shown: View) -> Json:
    """A View."""
    keep = (
        "type",
        "callback_id",
        "private_metadata",
        "external_id",
        "notify_on_close",
        "clear_on_close",
    )
    return {
        "id": shown.id,
        "app_id": shown.app_id,
        **{k: shown.body.get(k, "") for k in keep},
        **{k: shown.body.get(k) for k in ("title", "submit", "close")},
        "blocks": seen_by(shown.body["blocks"], shown.user_id),
        "hash": shown.hash,
        "state": {"values": shown.values},
        "root_view_id": shown.root,
        "previous_view_id": shown.below or None,
        "errors": shown.errors,
    }

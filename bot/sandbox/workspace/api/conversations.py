"""conversations.*: what channels there are, who is in them, and opening direct ones."""

from bot.sandbox.workspace import membership
from bot.sandbox.workspace.api.call import SCOPE_OF, Call, Method
from bot.sandbox.workspace.errors import Json, SlackError
from bot.sandbox.workspace.state import Conversation

_KINDS = {"public_channel": "channel", "private_channel": "group", "im": "im", "mpim": "mpim"}
_MOST_IN_GROUP_DM = 8


def described(call: Call, conversation: Conversation) -> Json:
    """A channel object."""
    kind, me = conversation.kind, call.app.user_id
    about: Json = {
        "id": conversation.id,
        "created": conversation.created,
        "context_team_id": call.core.state.team.id,
        "is_channel": kind == "channel",
        "is_group": kind == "group",
        "is_im": kind == "im",
        "is_mpim": kind == "mpim",
        "is_private": kind != "channel",
        "is_archived": conversation.is_archived,
        "is_ext_shared": conversation.is_ext_shared,
        "is_shared": conversation.is_ext_shared,
        "is_general": conversation.name == "general",
    }
    if kind == "im":
        other = next((m for m in conversation.members if m != me), me)
        return about | {"user": other, "is_user_deleted": call.core.state.people[other].deleted}
    return about | {
        "name": conversation.name or conversation.id.lower(),
        "name_normalized": conversation.name or conversation.id.lower(),
        "is_member": me in conversation.members,
        "topic": {"value": conversation.topic, "creator": "", "last_set": 0},
        "purpose": {"value": conversation.purpose, "creator": "", "last_set": 0},
    }


def info(call: Call) -> Json:
    """conversations.info."""
    conversation = call.channel("read")
    about = described(call, conversation)
    if call.flag("include_num_members"):
        about["num_members"] = len(conversation.members)
    return {"ok": True, "channel": about}


def _of_types(call: Call) -> list[Conversation]:
    asked = [t.strip() for t in (call.text("types") or "public_channel").split(",")]
    if any(t not in _KINDS for t in asked):
        raise SlackError("invalid_types")
    kinds = [_KINDS[t] for t in asked]
    for kind in kinds:
        call.scope(f"{SCOPE_OF[kind]}:read")
    live = not call.flag("exclude_archived")
    found = [
        c
        for c in call.core.state.conversations.values()
        if c.kind in kinds and (live or not c.is_archived)
    ]
    return [c for c in found if c.kind == "channel" or call.app.user_id in c.members]


def listed(call: Call) -> Json:
    """conversations.list."""
    page, cursor = call.page(_of_types(call), 100)
    return {"ok": True, "channels": [described(call, c) for c in page], **cursor}


def of_user(call: Call) -> Json:
    """users.conversations: those of one person (default: the bot) that the bot may know of."""
    who = call.text("user") or call.app.user_id
    if who not in call.core.state.people:
        raise SlackError("user_not_found")
    page, cursor = call.page([c for c in _of_types(call) if who in c.members], 100)
    return {"ok": True, "channels": [described(call, c) for c in page], **cursor}


def members(call: Call) -> Json:
    """conversations.members."""
    page, cursor = call.page(call.channel("read").members, 100)
    return {"ok": True, "members": page, **cursor}


def join(call: Call) -> Json:
    """conversations.join: public channels only."""
    conversation = call.channel("")
    if conversation.kind != "channel":
        raise SlackError("method_not_supported_for_channel_type")
    if conversation.is_archived:
        raise SlackError("is_archived")
    new = membership.join(call.core, conversation, call.app.user_id)
    answer: Json = {"ok": True, "channel": described(call, conversation)}
    warned: Json = {
        "warning": "already_in_channel",
        "response_metadata": {"warnings": ["already_in_channel"]},
    }
    return answer if new else answer | warned


def opened(call: Call) -> Json:
    """conversations.open: a DM with one person, or a group DM with up to eight."""
    if call.text("channel"):
        conversation = call.channel("")
        return {"ok": True, "no_op": True, "already_open": True, "channel": {"id": conversation.id}}
    who = {u.strip() for u in call.need("users").split(",")}
    call.scope("im:write" if len(who) == 1 else "mpim:write")
    if len(who) > _MOST_IN_GROUP_DM:
        raise SlackError("too_many_users")
    _reachable(call, who)
    conversation, there = call.core.direct({call.app.user_id, *who})
    about = described(call, conversation) if call.flag("return_im") else {"id": conversation.id}
    return {"ok": True, "no_op": there, "already_open": there, "channel": about}


def _reachable(call: Call, who: set[str]) -> None:
    for user_id in who:
        person = call.core.state.people.get(user_id)
        if person is None:
            raise SlackError("user_not_found")
        if person.deleted:
            raise SlackError("user_disabled")
        if person.is_bot:
            raise SlackError("cannot_dm_bot")


METHODS = {
    "conversations.info": Method(info),
    "conversations.join": Method(join, ("channels:join",)),
    "conversations.list": Method(listed),
    "conversations.members": Method(members),
    "conversations.open": Method(opened),
    "users.conversations": Method(of_user),
}

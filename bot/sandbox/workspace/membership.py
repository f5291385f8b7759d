"""Who is in which channel, and what changes about people, groups and channels over time."""

from dataclasses import replace

from bot.sandbox.workspace import show
from bot.sandbox.workspace.core import Core
from bot.sandbox.workspace.errors import SlackError
from bot.sandbox.workspace.events import tell_apps
from bot.sandbox.workspace.seed import Person, UserGroup
from bot.sandbox.workspace.state import Conversation
from bot.sandbox.workspace.talk import channel_changed, say


def _noted(core: Core, conversation: Conversation, user_id: str, subtype: str, text: str) -> None:
    say(core, conversation, {"subtype": subtype, "user": user_id, "text": text})


def join(core: Core, conversation: Conversation, user_id: str, inviter: str = "") -> bool:
    """Add somebody; False if they were there already. The channel says so, and apps get `member_joined_channel`."""
    if user_id in conversation.members:
        return False
    conversation.members.append(user_id)
    _noted(core, conversation, user_id, "channel_join", f"<@{user_id}> has joined the channel")
    event = {
        "type": "member_joined_channel",
        "user": user_id,
        "channel": conversation.id,
        "channel_type": "C" if conversation.kind == "channel" else "G",
        "team": core.state.team.id,
        "event_ts": core.mint.ts(),
    }
    tell_apps(
        core,
        "member_joined_channel",
        event | ({"inviter": inviter} if inviter else {}),
        conversation,
    )
    channel_changed(core, conversation)
    return True


def leave(core: Core, conversation: Conversation, user_id: str) -> None:
    """Take somebody out; `not_in_channel` if they were not in."""
    if user_id not in conversation.members:
        raise SlackError("not_in_channel")
    _noted(core, conversation, user_id, "channel_leave", f"<@{user_id}> has left the channel")
    conversation.members.remove(user_id)
    channel_changed(core, conversation)


def archive(core: Core, conversation: Conversation, user_id: str) -> None:
    """Archive a channel: a last message and `channel_archive`, then nobody can post."""
    _noted(core, conversation, user_id, "channel_archive", "archived the channel")
    conversation.is_archived = True
    event = {
        "type": "channel_archive",
        "channel": conversation.id,
        "user": user_id,
        "event_ts": core.mint.ts(),
    }
    tell_apps(core, "channel_archive", event, conversation)
    channel_changed(core, conversation)


def rename(core: Core, conversation: Conversation, user_id: str, name: str) -> None:
    """Rename a channel: `channel_name` in the channel and `channel_rename` to the apps."""
    before, conversation.name = conversation.name, name
    text = f'has renamed the channel from "{before}" to "{name}"'
    say(
        core,
        conversation,
        {
            "subtype": "channel_name",
            "user": user_id,
            "text": text,
            "old_name": before,
            "name": name,
        },
    )
    about = {"id": conversation.id, "name": name, "created": conversation.created}
    tell_apps(
        core,
        "channel_rename",
        {"type": "channel_rename", "channel": about, "event_ts": core.mint.ts()},
        conversation,
    )
    channel_changed(core, conversation)


def set_topic(core: Core, conversation: Conversation, user_id: str, topic: str) -> None:
    """Set a channel's topic, which says so in the channel."""
    conversation.topic = topic
    text = f"set the channel topic: {topic}"
    say(
        core,
        conversation,
        {"subtype": "channel_topic", "user": user_id, "text": text, "topic": topic},
    )
    channel_changed(core, conversation)


def profile(core: Core, who: Person) -> None:
    """Replace somebody's profile and tell the apps (`user_change`) and the pages."""
    core.state.people[who.id] = who
    about = {"id": who.id, "name": who.name, "deleted": who.deleted, "team_id": who.team_id}
    tell_apps(
        core, "user_change", {"type": "user_change", "user": about, "event_ts": core.mint.ts()}
    )
    core.streams.tell_each("person", lambda _reader: {"person": show.person(core, who)})


def deactivate(core: Core, who: Person) -> None:
    """Somebody leaves the company: still mentioned and listed, but can do nothing any more."""
    profile(core, replace(who, deleted=True))


def regroup(core: Core, group: UserGroup, users: tuple[str, ...]) -> None:
    """Change a group's members and tell the apps (`subteam_members_changed`)."""
    before = core.state.groups[group.id].users
    core.state.groups[group.id] = replace(group, users=users)
    added = [u for u in users if u not in before]
    gone = [u for u in before if u not in users]
    event = {
        "type": "subteam_members_changed",
        "subteam_id": group.id,
        "team_id": core.state.team.id,
        "added_users": added,
        "added_users_count": len(added),
        "removed_users": gone,
        "removed_users_count": len(gone),
        "event_ts": core.mint.ts(),
    }
    tell_apps(core, "subteam_members_changed", event)

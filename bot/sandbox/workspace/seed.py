"""What a workspace is made of when it opens: people, apps, channels, groups, commands.

Frozen, so one seed can serve any number of tests. Ids follow Slack's habits (`U…`, `B…`, `A…`, `C…`, `S…`) but any string will do.
"""

from dataclasses import dataclass

#: What a bot such as ours is normally granted; an app without a scope is answered `missing_scope`.
USUAL_SCOPES = frozenset(
    {
        "app_mentions:read",
        "channels:history",
        "channels:join",
        "channels:read",
        "chat:write",
        "commands",
        "dnd:read",
        "groups:history",
        "groups:read",
        "im:history",
        "im:read",
        "im:write",
        "mpim:history",
        "mpim:read",
        "mpim:write",
        "reactions:read",
        "reactions:write",
        "team:read",
        "usergroups:read",
        "users:read",
        "users:read.email",
    }
)

#: The events such a bot subscribes to.
USUAL_EVENTS = frozenset(
    {
        "app_home_opened",
        "app_mention",
        "channel_archive",
        "channel_rename",
        "member_joined_channel",
        "message.channels",
        "message.groups",
        "message.im",
        "message.mpim",
        "reaction_added",
        "subteam_members_changed",
        "user_change",
    }
)


@dataclass(frozen=True, slots=True)
class Team:
    """The workspace itself."""

    id: str = "T0LOCAL"
    name: str = "Local"
    domain: str = "local"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody (or some bot user) in the people list. `dnd_until` is epoch seconds."""

    id: str
    name: str
    real_name: str = ""
    email: str = ""
    title: str = ""
    tz: str = "Etc/UTC"
    color: str = "#4a6fa5"
    team_id: str = ""
    is_bot: bool = False
    is_admin: bool = False
    is_restricted: bool = False
    is_stranger: bool = False
    deleted: bool = False
    presence: str = "active"
    status_text: str = ""
    status_emoji: str = ""
    dnd_until: float = 0.0
    app_id: str = ""


@dataclass(frozen=True, slots=True)
class Shortcut:
    """An entry of the shortcuts menu; `kind` is `shortcut` (global) or `message_action`."""

    callback_id: str
    name: str
    kind: str = "message_action"


@dataclass(frozen=True, slots=True)
class IncomingWebhook:
    """`POST /services/{path}` posts into `channel`; its bot id differs from the app's own, as in Slack."""

    path: str
    channel: str
    bot_id: str
    username: str = ""


@dataclass(frozen=True, slots=True)
class App:
    """An installed app: its identity, tokens, scopes, subscriptions and entry points.

    With `request_url` the app is served over signed HTTP, otherwise over Socket Mode.
    """

    app_id: str
    bot_id: str
    user_id: str
    name: str
    bot_token: str
    app_token: str = ""
    signing_secret: str = ""
    scopes: frozenset[str] = USUAL_SCOPES
    events: frozenset[str] = frozenset()
    icon: str = ""
    has_home: bool = False
    request_url: str = ""
    shortcuts: tuple[Shortcut, ...] = ()
    webhooks: tuple[IncomingWebhook, ...] = ()


@dataclass(frozen=True, slots=True)
class Channel:
    """A public or private channel; `members` are user ids, bot users included."""

    id: str
    name: str
    members: tuple[str, ...] = ()
    topic: str = ""
    purpose: str = ""
    is_private: bool = False
    is_archived: bool = False
    is_ext_shared: bool = False


@dataclass(frozen=True, slots=True)
class UserGroup:
    """A mentionable group of people."""

    id: str
    handle: str
    name: str = ""
    description: str = ""
    users: tuple[str, ...] = ()
    is_disabled: bool = False


@dataclass(frozen=True, slots=True)
class Completion:
    """A subcommand the page offers while somebody types a command."""

    text: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """A command and the app that answers it; with `should_escape` names in its text arrive as ids."""

    command: str
    app_id: str
    description: str = ""
    usage_hint: str = ""
    completions: tuple[Completion, ...] = ()
    should_escape: bool = False


@dataclass(frozen=True, slots=True)
class WorkspaceSeed:
    """Everything a workspace holds when it opens."""

    team: Team = Team()
    people: tuple[Person, ...] = ()
    apps: tuple[App, ...] = ()
    channels: tuple[Channel, ...] = ()
    usergroups: tuple[UserGroup, ...] = ()
    commands: tuple[SlashCommand, ...] = ()

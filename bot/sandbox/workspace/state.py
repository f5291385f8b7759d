"""What the workspace knows: one in-memory picture of people, conversations, messages and views. No behaviour beyond look-ups."""

from dataclasses import dataclass, field, replace

from bot.sandbox.workspace.errors import Json, SlackError
from bot.sandbox.workspace.seed import (
    App,
    Channel,
    Person,
    SlashCommand,
    Team,
    UserGroup,
    WorkspaceSeed,
)


@dataclass(slots=True)
class Message:
    """One message as Slack would store it.

    `body` holds what was said; replies and reactions are counted when somebody asks. `app_id` may change it, `reader` alone may see it.
    """

    channel: str
    body: Json
    app_id: str = ""
    reader: str = ""
    version: int = 1
    reactions: dict[str, list[str]] = field(default_factory=dict)

    @property
    def ts(self) -> str:
        """When, and at the same time the message's id."""
        return str(self.body["ts"])

    @property
    def thread_ts(self) -> str:
        """The root's `ts` for a reply, "" for a message of the channel itself."""
        root = str(self.body.get("thread_ts", ""))
        return "" if root == self.ts else root


@dataclass(slots=True)
class Conversation:
    """A channel, private channel (`group`), direct message (`im`) or group message (`mpim`)."""

    id: str
    name: str
    kind: str
    members: list[str]
    topic: str = ""
    purpose: str = ""
    is_archived: bool = False
    is_ext_shared: bool = False
    created: int = 0
    messages: dict[str, Message] = field(default_factory=dict)
    whispers: dict[str, Message] = field(default_factory=dict)
    last_read: dict[str, str] = field(default_factory=dict)

    def replies(self, ts: str) -> list[Message]:
        """The replies under a root, oldest first."""
        return [m for m in self.messages.values() if m.thread_ts == ts]

    def top(self) -> list[Message]:
        """What the channel itself shows: everything but replies that were not broadcast, oldest first."""
        return [
            m
            for m in self.messages.values()
            if not m.thread_ts or m.body.get("subtype") == "thread_broadcast"
        ]


@dataclass(slots=True)
class View:
    """A modal on somebody's screen or a home view. `below` is the view it was pushed on."""

    id: str
    app_id: str
    user_id: str
    body: Json
    hash: str
    root: str
    below: str = ""
    values: Json = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)


def _conversation(channel: Channel) -> Conversation:
    return Conversation(
        id=channel.id,
        name=channel.name,
        kind="group" if channel.is_private else "channel",
        members=list(channel.members),
        topic=channel.topic,
        purpose=channel.purpose,
        is_archived=channel.is_archived,
        is_ext_shared=channel.is_ext_shared,
    )


def _bot_user(app: App, team: Team) -> Person:
    handle = app.name.lower().replace(" ", "-")
    return Person(
        id=app.user_id,
        name=handle,
        real_name=app.name,
        is_bot=True,
        team_id=team.id,
        app_id=app.app_id,
    )


class State:
    """The picture itself; every look-up that fails raises the `SlackError` Slack would answer."""

    def __init__(self, seed: WorkspaceSeed) -> None:
        """Fill it from a seed; each app brings its bot user along."""
        self.team = seed.team
        self.apps: dict[str, App] = {app.app_id: app for app in seed.apps}
        people = [replace(p, team_id=p.team_id or seed.team.id) for p in seed.people]
        bots = [_bot_user(app, seed.team) for app in seed.apps]
        self.people: dict[str, Person] = {p.id: p for p in (*bots, *people)}
        self.conversations: dict[str, Conversation] = {
            c.id: _conversation(c) for c in seed.channels
        }
        self.groups: dict[str, UserGroup] = {g.id: g for g in seed.usergroups}
        self.commands: tuple[SlashCommand, ...] = seed.commands
        self.views: dict[str, View] = {}
        self.homes: dict[tuple[str, str], str] = {}

    def person(self, ref: str) -> Person:
        """Somebody by id or by name; `user_not_found` otherwise."""
        found = self.people.get(ref) or next(
            (p for p in self.people.values() if p.name == ref), None
        )
        if found is None:
            raise SlackError("user_not_found", f"Nobody here is called {ref!r}.")
        return found

    def conversation(self, ref: str) -> Conversation:
        """A conversation by id, `#name` or name; `channel_not_found` otherwise."""
        found = self.conversations.get(ref)
        if found is None:
            bare = ref.removeprefix("#")
            found = next(
                (c for c in self.conversations.values() if c.name and c.name == bare), None
            )
        if found is None:
            raise SlackError("channel_not_found", f"There is no channel {ref!r}.")
        return found

    def direct(self, members: set[str]) -> Conversation | None:
        """The DM or group DM of exactly these people, if it was opened before."""
        return next(
            (
                c
                for c in self.conversations.values()
                if c.kind in {"im", "mpim"} and set(c.members) == members
            ),
            None,
        )

    def stack(self, user_id: str) -> list[View]:
        """The modals on somebody's screen, the lowest first."""
        return [
            v for v in self.views.values() if v.user_id == user_id and v.body["type"] == "modal"
        ]

    def home(self, app_id: str, user_id: str) -> View | None:
        """What the app published on somebody's home tab."""
        return self.views.get(self.homes.get((app_id, user_id), ""))

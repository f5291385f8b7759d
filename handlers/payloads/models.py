"""Slack's payloads, as far as we read them. Unknown fields are welcome; missing ones are not guessed."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Json = dict[str, Any]


def _only_objects(value: object) -> object:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


Objects = Annotated[list[Json], BeforeValidator(_only_objects)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class BotProfile(_Model):
    """Who a bot says it is; only its app counts."""

    app_id: str | None = None


class Inner(_Model):
    """The ids of a message: who posted it."""

    user: str | None = None
    bot_id: str | None = None
    app_id: str | None = None
    bot_profile: BotProfile | None = None

    @property
    def app(self) -> str | None:
        """The app that posted it, where Slack says so."""
        return self.app_id or (self.bot_profile.app_id if self.bot_profile else None)


class MessageEvent(Inner):
    """A `message` or `app_mention` event. Roots, earlier versions and inner messages are not read."""

    type: str
    channel: str
    ts: str
    channel_type: str | None = None
    subtype: str | None = None
    thread_ts: str | None = None
    text: str | None = None
    blocks: Objects = Field(default_factory=list)
    attachments: Objects = Field(default_factory=list)
    message: Inner | None = None


class EventBody(_Model):
    """The envelope of an event."""

    event_id: str
    api_app_id: str | None = None
    team_id: str | None = None
    event: MessageEvent


class HomeOpened(_Model):
    """Somebody opened the home tab."""

    user: str
    tab: str = "home"


class User(_Model):
    """Who clicked or typed. Names are display data."""

    id: str
    team_id: str | None = None
    name: str = ""
    username: str = ""


class Team(_Model):
    """The workspace it came from."""

    id: str


class Ref(_Model):
    """Anything that has an id."""

    id: str


class Option(_Model):
    """The chosen entry of a menu."""

    value: str


class Action(_Model):
    """One tap."""

    action_id: str
    action_ts: str
    value: str | None = None
    selected_option: Option | None = None

    @property
    def chosen(self) -> str:
        """What the tapped element carries."""
        return self.selected_option.value if self.selected_option else self.value or ""


class Container(_Model):
    """Where it was tapped."""

    type: str = ""
    channel_id: str | None = None
    message_ts: str | None = None
    thread_ts: str | None = None


class Click(_Model):
    """A `block_actions` payload."""

    user: User
    team: Team | None = None
    channel: Ref | None = None
    container: Container = Field(default_factory=Container)
    actions: list[Action] = Field(min_length=1)
    response_url: str | None = None
    trigger_id: str = ""

    @property
    def action(self) -> Action:
        """The tap."""
        return self.actions[0]

    @property
    def channel_id(self) -> str | None:
        """The channel, when it was tapped in a message."""
        return self.channel.id if self.channel else self.container.channel_id


class FieldState(_Model):
    """What a form's field holds: words, a person, or one of a list."""

    value: str | None = None
    selected_user: str | None = None
    selected_option: Option | None = None


class ViewState(_Model):
    """What a form holds: block → action → field."""

    values: dict[str, dict[str, FieldState]] = Field(default_factory=dict)


class ViewPart(_Model):
    """The form that was sent."""

    id: str
    private_metadata: str = ""
    state: ViewState = Field(default_factory=ViewState)

    def field(self, block_id: str, action_id: str) -> str:
        """What a field holds; empty when it holds nothing."""
        state = self.state.values.get(block_id, {}).get(action_id)
        if state is None:
            return ""
        option = state.selected_option.value if state.selected_option else ""
        return (state.value or state.selected_user or option).strip()


class Submission(_Model):
    """A `view_submission` payload."""

    user: User
    view: ViewPart


class Shortcut(_Model):
    """A global shortcut."""

    user: User
    trigger_id: str


class CommandForm(_Model):
    """A slash command."""

    user_id: str
    team_id: str = ""
    channel_id: str = ""
    text: str = ""
    trigger_id: str = ""

"""The parts every room of the workspace shares."""

from dataclasses import dataclass, field

from bot.sandbox.workspace.errors import Json, SlackError
from bot.sandbox.workspace.ids import Mint
from bot.sandbox.workspace.pace import Pace
from bot.sandbox.workspace.seed import App
from bot.sandbox.workspace.state import Conversation, State
from bot.sandbox.workspace.stream import Streams
from bot.sandbox.workspace.timing import Timing
from bot.sandbox.workspace.wire.courier import Courier
from bot.sandbox.workspace.wire.faults import Faults
from bot.sandbox.workspace.wire.record import Record


@dataclass(slots=True)
class Trigger:
    """A `trigger_id`: good once, for a few seconds, for one app to open a view before one person."""

    app_id: str
    user_id: str
    until: float
    view_id: str = ""
    used: bool = False


@dataclass(slots=True)
class ResponseUrl:
    """A `response_url`: good for a few uses, for half an hour."""

    app_id: str
    user_id: str
    channel: str
    until: float
    message_ts: str = ""
    uses: int = 0


@dataclass(slots=True)
class Core:
    """State, clock, ways out and memory, passed to every function that does something."""

    state: State
    mint: Mint
    timing: Timing
    pace: Pace
    streams: Streams
    faults: Faults
    record: Record
    courier: Courier
    base_url: str = ""
    triggers: dict[str, Trigger] = field(default_factory=dict)
    response_urls: dict[str, ResponseUrl] = field(default_factory=dict)

    def trigger(self, app: App, user_id: str, view_id: str = "") -> str:
        """A fresh trigger id."""
        trigger_id = f"{int(self.mint.now())}.{self.mint.next('T')}"
        self.triggers[trigger_id] = Trigger(
            app.app_id, user_id, self.mint.now() + self.timing.trigger_life, view_id
        )
        return trigger_id

    def use_trigger(self, app: App, trigger_id: str) -> Trigger:
        """Spend a trigger id; says `invalid_`, `expired_` or `exchanged_trigger_id` when it can't be."""
        found = self.triggers.get(trigger_id)
        if found is None or found.app_id != app.app_id:
            raise SlackError("invalid_trigger_id")
        if found.used:
            raise SlackError("exchanged_trigger_id")
        if self.mint.now() > found.until:
            raise SlackError("expired_trigger_id")
        found.used = True
        return found

    def response_url(self, app: App, user_id: str, channel: str, message_ts: str = "") -> str:
        """A fresh response_url."""
        key = self.mint.envelope()
        until = self.mint.now() + self.timing.response_life
        self.response_urls[key] = ResponseUrl(app.app_id, user_id, channel, until, message_ts)
        return f"{self.base_url}/response/{key}"

    def direct(self, members: set[str]) -> tuple[Conversation, bool]:
        """The DM or group DM of these people, opened if need be, and whether it was there before."""
        found = self.state.direct(members)
        if found is not None:
            return found, True
        pair = 2
        kind, prefix = ("im", "D") if len(members) == pair else ("mpim", "G")
        opened = Conversation(
            self.mint.next(prefix), "", kind, sorted(members), created=int(self.mint.now())
        )
        self.state.conversations[opened.id] = opened
        return opened, False

    def toast(self, user_id: str, code: str, text: str, **where: str) -> None:
        """An error notice on somebody's screen."""
        data: Json = {
            "level": "error",
            "code": code,
            "text": text,
            **{k: v for k, v in where.items() if v},
        }
        self.streams.tell(user_id, "toast", data)

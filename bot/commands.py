"""What the world may ask of the desk: imperative, frozen, free of Slack.

Everything here is stored before it is acknowledged (`Received`), or is a question about what is stored.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from policies.alert import Alert
from policies.autonomy.levels import Level
from policies.signal import Signal


@dataclass(frozen=True, kw_only=True, slots=True)
class ReceiveSignal:
    """A message in an alert channel, a webhook or a polled run arrived."""

    signal: Signal


@dataclass(frozen=True, kw_only=True, slots=True)
class Polled:
    """A look at a system found trouble that no message told of."""

    alert: Alert


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """A webhook told of trouble, or of its end."""

    alert: Alert


@dataclass(frozen=True, kw_only=True, slots=True)
class Decide:
    """Somebody tapped Approve or Reject. `digest` is what was on their screen.

    `key` is the delivery's own identity; `respond_to` is Slack's response_url for a private answer.
    `step_up` names what proved once more that it was them; the code itself is never stored.
    `together`: one of many that were answered with one tap, so only what did not count is told.
    """

    key: str
    incident_id: str
    request_id: str
    person: str
    name: str
    team: str
    choice: Literal["yes", "no"]
    digest: str
    where: str
    at: datetime
    reason: str = ""
    respond_to: str | None = None
    step_up: str | None = None
    together: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class AskQuestion:
    """Somebody asked something about a request instead of deciding; the clock goes on."""

    key: str
    incident_id: str
    request_id: str
    person: str
    text: str
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class HandOn:
    """Somebody gives their seat in a request to somebody else, by Slack id."""

    key: str
    incident_id: str
    request_id: str
    person: str
    to: str
    at: datetime
    respond_to: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Revoke:
    """Somebody takes their decision on a request back."""

    key: str
    incident_id: str
    request_id: str
    person: str
    at: datetime
    respond_to: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class MarkDone:
    """Somebody says a step they do in their own tool is done."""

    key: str
    incident_id: str
    step_id: str
    person: str
    at: datetime
    respond_to: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class SetLevel:
    """Somebody confirmed that a level is to be changed. Whether they may is looked up when it is taken up."""

    key: str
    domain: str
    change_class: str
    level: Level
    person: str
    reason: str
    at: datetime
    respond_to: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """Somebody mentioned the bot: answer in that thread."""

    key: str
    person: str
    channel: str
    thread_ts: str
    text: str
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Keep:
    """Something arrived that could not be read: kept as it came, counted and shown by `dw doctor`."""

    key: str
    why: str
    at: datetime


Stored: TypeAlias = (
    ReceiveSignal
    | Polled
    | Told
    | Decide
    | Revoke
    | AskQuestion
    | HandOn
    | MarkDone
    | SetLevel
    | Answer
    | Keep
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Received:
    """A command with the raw payload it came from. `key` unique: the same key twice is a no-op.

    `place` is where the message stands (`channel:ts`), unique too: a message that was found by looking
    back and is delivered late after all is one.
    """

    key: str
    command: Stored
    raw: str
    at: datetime
    place: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class StopAll:
    """Halt: everything (`*`), or one `domain:<name>` or `connection:<name>`."""

    person: str
    reason: str
    at: datetime
    scope: str = "*"


@dataclass(frozen=True, kw_only=True, slots=True)
class LiftStop:
    """Take a stop back. Held steps need a fresh look."""

    person: str
    at: datetime
    scope: str = "*"

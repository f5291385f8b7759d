"""What the use cases need from the world, as small interfaces with a fake behind each in the tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Any, Protocol

from bot.commands import Answer, Received
from policies.events import Entry, Event
from policies.incident import Incident, Phase
from policies.people import Person, Seat, Seated
from policies.receipt import Receipt


class StaleIncident(RuntimeError):
    """Somebody else changed this incident first. Nothing was stored; load it again and look."""


class StoreUnavailable(RuntimeError):
    """The database could not be read or written. Nothing was stored; whatever needs a yes waits."""


class RetryAfter(RuntimeError):
    """The other side asks to wait `seconds`. Nothing is lost; it will be tried again then."""

    def __init__(self, seconds: float, why: str) -> None:
        self.seconds = seconds
        super().__init__(f"{why}; trying again in {seconds:g} s")


class Undeliverable(RuntimeError):
    """The other side refused this for good. The incident says so; nothing else was lost."""


class Lane(IntEnum):
    """What goes first when there is more to do than may be done."""

    APPROVALS = 0
    ACTIONS = 1
    STATUS = 2
    NOISE = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class NewDue:
    """Something that must still happen, written in the transaction that makes it necessary.

    `key` is unique: writing it again while it waits moves it to the earlier `at`; writing it again
    after it was done, or while somebody works on it, makes it due once more.
    """

    kind: str
    key: str
    at: datetime
    lane: Lane = Lane.ACTIONS
    incident_id: str | None = None
    payload: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Due:
    """A claimed row. `attempts` counts this one; `generation` tells a fresh wish from an old one."""

    id: int
    kind: str
    key: str
    at: datetime
    lane: Lane
    incident_id: str | None
    payload: Mapping[str, Any]
    attempts: int
    generation: int
    claimed_until: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """All that one transaction does to one incident.

    `base` is the version it was decided on (0 opens it): another version in the database raises
    `StaleIncident`. `keys` are fingerprints this incident answers to while it is open; a key that an
    open incident already has raises `StaleIncident` too. `cancel` are due keys that no longer matter.
    `done` is the claimed row this change finishes.
    """

    incident_id: str
    base: int
    at: datetime
    events: tuple[Event, ...] = ()
    due: tuple[NewDue, ...] = ()
    cancel: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    receipt: Receipt | None = None
    done: Due | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Copy:
    """One Slack message that shows something of an incident.

    `name` is `card`, `reply:<seq>`, `request:<id>` or `dm:<request>:<person>`; `shown` identifies what
    it shows now, so that an update that changes nothing is not sent.
    """

    incident_id: str
    name: str
    channel: str
    ts: str
    thread_ts: str | None
    shown: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Stop:
    """The organisation-wide halt: who, when and why."""

    by: str
    at: datetime
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class IncidentLine:
    """One incident in a list."""

    id: str
    phase: Phase
    title: str
    domain: str
    channel: str
    opened_at: datetime
    updated_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class DueStats:
    """How the work stands: rows waiting past their time, the oldest one's age, and poisoned rows."""

    waiting: int
    oldest_seconds: float
    poisoned: tuple[str, ...] = ()


class Inbox(Protocol):
    """What arrived, stored before its ack."""

    async def receive(self, item: Received, due: NewDue) -> bool:
        """Store both in one transaction. False, and nothing stored, when the key is known."""
        ...

    async def received(self, key: str) -> Received | None:
        """What was stored under this key."""
        ...


class Journal(Protocol):
    """Incidents and their facts."""

    async def next_id(self) -> str:
        """A fresh incident id such as `DW-17`; gaps are allowed, repeats are not."""
        ...

    async def commit(self, change: Change) -> Incident | None:
        """Append, advance, compare and swap, all in one transaction. Raises `StaleIncident`.

        Without events it still writes `due`, `cancel`, `keys` and `done`, and returns None.
        """
        ...

    async def load(self, incident_id: str) -> Incident | None:
        """The state that the journal adds up to."""
        ...

    async def entries(self, incident_id: str) -> Sequence[Entry]:
        """The journal in order."""
        ...

    async def find(self, keys: Sequence[str]) -> str | None:
        """The open incident that answers to any of these keys, the oldest first."""
        ...

    async def incidents(self, *, open_only: bool, limit: int) -> Sequence[IncidentLine]:
        """Newest first."""
        ...


class DueTable(Protocol):
    """Timer, outbox and job queue in one."""

    async def add(self, due: Sequence[NewDue]) -> None:
        """Write rows on their own."""
        ...

    async def claim(self, now: datetime, *, limit: int, lease: timedelta) -> Sequence[Due]:
        """Take rows that are due and free, each by one claimer only, by lane and time."""
        ...

    async def finish(self, due: Due, also: Sequence[NewDue] = ()) -> None:
        """Done; and write `also` in the same transaction. A newer wish for the key stays due."""
        ...

    async def again(self, due: Due, at: datetime, *, error: str | None = None) -> None:
        """Give it back for later. With `error` it counts as a failed attempt."""
        ...

    async def poison(self, due: Due, error: str) -> None:
        """Stop retrying; it shows in `stats` until a person looks."""
        ...

    async def pending(self, kind: str, incident_id: str) -> bool:
        """True while a row of this kind waits for this incident, claimed or not."""
        ...

    async def next_at(self) -> datetime | None:
        """When the next free row is due."""
        ...

    async def stats(self, now: datetime) -> DueStats:
        """How the work stands."""
        ...


class Copies(Protocol):
    """Where each message of an incident is."""

    async def copies(self, incident_id: str) -> Mapping[str, Copy]:
        """All copies by name."""
        ...

    async def keep(self, copy: Copy) -> None:
        """Insert or replace by (incident, name)."""
        ...

    async def by_message(self, channel: str, ts: str) -> Copy | None:
        """The copy at this place, if it is ours."""
        ...


class Receipts(Protocol):
    """The chain."""

    async def head(self) -> tuple[int, str]:
        """Number and hash of the last receipt; (0, GENESIS) when there is none."""
        ...

    async def receipt(self, number: int) -> Receipt | None:
        """One receipt."""
        ...

    async def receipts(self, *, after: int = 0, limit: int = 1000) -> Sequence[Receipt]:
        """In order."""
        ...


class Stops(Protocol):
    """The halt. Raises `StoreUnavailable` when it can't be read: callers then act as if stopped."""

    async def stopped(self) -> Stop | None:
        """The stop in force, or None."""
        ...

    async def stop(self, stop: Stop) -> bool:
        """Halt everything. False when it was halted already."""
        ...

    async def lift(self, by: str, at: datetime) -> bool:
        """Take it back. False when nothing was halted."""
        ...


class Store(Inbox, Journal, DueTable, Copies, Receipts, Stops, Protocol):
    """The whole database, as the use cases see it."""

    async def ping(self) -> None:
        """Raise `StoreUnavailable` when it can't be read."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Showing:
    """All that is needed to render one copy."""

    incident: Incident
    name: str
    copy: Copy | None
    card: Copy | None
    entries: Sequence[Entry]
    stopped: Stop | None
    now: datetime


class Announcer(Protocol):
    """Speaks. The only way from the worker to Slack."""

    async def show(self, showing: Showing) -> Copy | None:
        """Post the copy, or update it where it is; the result says where it is now.

        None when there is nothing to say (a journal entry that needs no words).

        Raises `RetryAfter` (rate limits, outages) or `Undeliverable` (channel gone, not invited).
        """
        ...

    async def whisper(self, respond_to: str, text: str) -> None:
        """Tell one person, privately, in answer to what they tapped. Best effort by design."""
        ...

    async def reply(self, channel: str, thread_ts: str, text: str, *, key: str) -> None:
        """One short message in a thread; the same `key` again is not posted twice."""
        ...


class Answerer(Protocol):
    """Answers a mention in words, from what is stored."""

    async def answer(self, question: Answer) -> str:
        """The text to post in the thread of the question."""
        ...


class Directory(Protocol):
    """Who people are, as Slack says it now. Fails closed: unknown means nobody."""

    async def person(self, slack_id: str) -> Person | None:
        """One person by Slack id."""
        ...

    async def seated(self, seat: Seat) -> Seated:
        """The people who sit in a seat now (an email, a Slack id, a user group handle or id)."""
        ...

"""The database, as the use cases see it: one small interface for each thing it remembers."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from bot.commands import Received
from bot.ports.letters import Letters
from bot.ports.sources import Sources
from bot.ports.values import (
    Change,
    Copy,
    Due,
    DueStats,
    HookCount,
    IncidentLine,
    Lift,
    NewDue,
    Stop,
    Times,
)
from policies.autonomy.levels import LevelEntry
from policies.events import Entry
from policies.incident import Incident
from policies.people import Absence
from policies.receipt import Receipt
from policies.sight import Note, Sight


class Inbox(Protocol):
    """What arrived, stored before its ack."""

    async def receive(self, item: Received, due: NewDue) -> bool:
        """Store both in one transaction. False, and nothing stored, when key or place are known."""
        ...

    async def receive_all(self, items: Sequence[tuple[Received, NewDue]]) -> int:
        """Store all of them in one transaction, or none; how many were new."""
        ...

    async def missing(self, places: Sequence[str]) -> set[str]:
        """Those places from which nothing was ever received."""
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

    async def commit_all(self, changes: Sequence[Change]) -> Sequence[Incident | None]:
        """The same for several incidents in this order, in one transaction: all of it or nothing."""
        ...

    async def load(self, incident_id: str) -> Incident | None:
        """The state that the journal adds up to."""
        ...

    async def entries(self, incident_id: str) -> Sequence[Entry]:
        """The journal in order."""
        ...

    async def facts(self, name: str, since: datetime) -> Sequence[tuple[str, Entry]]:
        """Every fact of this kind (class name) since then with its incident's domain, oldest first."""
        ...

    async def find(self, keys: Sequence[str]) -> str | None:
        """The open incident that answers to any of these keys, the oldest first."""
        ...

    async def incidents(self, *, open_only: bool, limit: int) -> Sequence[IncidentLine]:
        """Newest first."""
        ...


class DueTable(Protocol):
    """Timer, outbox and job queue in one."""

    async def add(self, due: Sequence[NewDue], *, keep: bool = False) -> None:
        """Write rows on their own. With `keep`, a row that is there already stays as it is."""
        ...

    async def claim(self, now: datetime, *, limit: int, lease: timedelta) -> Sequence[Due]:
        """Take rows that are due and free, each by one claimer only, by lane and time."""
        ...

    async def renew(self, due: Sequence[Due], until: datetime) -> set[int]:
        """Prolong these claims; the ids of those that are still ours."""
        ...

    async def finish(self, due: Due, also: Sequence[NewDue] = ()) -> None:
        """Done; and write `also` in the same transaction. A newer wish for the key stays due.

        Raises `ClaimLost`, nothing stored, when somebody else has taken the row.
        """
        ...

    async def again(
        self, due: Due, at: datetime, *, error: str | None = None, counts: bool = True
    ) -> None:
        """Give it back for later. With `error` it was tried, and counts as a failed attempt unless said.

        Does nothing when somebody else has taken the row.
        """
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

    async def receipts_since(self, since: datetime) -> Sequence[Receipt]:
        """Those sealed since then, the newest first."""
        ...


class Levels(Protocol):
    """How much may be done alone, as people set it, and what is spent of a day's budget."""

    async def levels(self) -> Sequence[LevelEntry]:
        """Every entry, in order."""
        ...

    async def set_level(
        self, entry: LevelEntry, receipt: Receipt | None, *, done: Due, due: Sequence[NewDue]
    ) -> None:
        """Append the entry with its receipt and finish the row that asked for it. `StaleIncident`."""
        ...

    async def paid(self, domain: str, day: str) -> float:
        """What those runs cost together."""
        ...

    async def spent(self, domain: str, day: str) -> int:
        """How many runs were started without a fresh yes on that day (`YYYY-MM-DD`)."""
        ...


class Anchor(Protocol):
    """Somewhere outside the database that remembers the head of the chain."""

    async def write(self, number: int, head: str) -> None:
        """Append number and hash; the same head again is a no-op."""
        ...


class Stops(Protocol):
    """The halts. Raises `StoreUnavailable` when they can't be read: callers then act as if stopped."""

    async def stopped(self, *scopes: str) -> Stop | None:
        """The stop in force over everything, or else over any of these scopes; None when there is none."""
        ...

    async def stops(self, *, lifted_after: datetime | None = None) -> Sequence[Stop]:
        """All stops in force; with `lifted_after` those lifted since then instead."""
        ...

    async def stop(self, stop: Stop) -> bool:
        """Halt its scope. False when it was halted already."""
        ...

    async def lift(self, scope: str, by: str, at: datetime, *, people: int = 1) -> Lift:
        """Take it back; with `people` two, the second one takes it back."""
        ...


class Absences(Protocol):
    """Who said that they are away. Raises `StoreUnavailable`."""

    async def absences(self, now: datetime) -> Mapping[str, Absence]:
        """Those in force, by Slack id."""
        ...

    async def leave(self, absence: Absence, at: datetime) -> None:
        """Somebody is away; what they said before is replaced."""
        ...

    async def come_back(self, person: str) -> bool:
        """They are there again. False when they were not away."""
        ...


class Sights(Protocol):
    """How the looks at each connection went."""

    async def sights(self) -> Mapping[str, Sight]:
        """All of them, by connection."""
        ...

    async def saw(self, sight: Sight) -> None:
        """A look began or ended; its note is left as it is."""
        ...

    async def noted(self, connection: str, note: Note | None) -> None:
        """Where its note stands now; None once the note has said that it sees again."""
        ...


class Occasions(Protocol):
    """How often the same error came."""

    async def times(self, error: str, since: datetime) -> Times:
        """How often since then, and in which incidents, the newest first."""
        ...


class HookCounts(Protocol):
    """What became of the deliveries of webhooks."""

    async def count_hooks(self, counts: Sequence[HookCount]) -> None:
        """Add these to what is counted."""
        ...

    async def hook_counts(self) -> Sequence[HookCount]:
        """All that was ever counted, by webhook and outcome."""
        ...


class Store(
    Inbox,
    Journal,
    DueTable,
    Copies,
    Receipts,
    Stops,
    Absences,
    Levels,
    HookCounts,
    Sources,
    Sights,
    Occasions,
    Letters,
    Protocol,
):
    """The whole database, as the use cases see it."""

    async def ping(self) -> None:
        """Raise `StoreUnavailable` when it can't be read."""
        ...

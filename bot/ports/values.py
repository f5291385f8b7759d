"""The plain values that cross the ports."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import Any

from policies.autonomy.levels import LevelEntry
from policies.events import Event
from policies.incident import Phase
from policies.receipt import Receipt
from policies.recurrence import Occasion


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
    """A claimed row. `attempts` counts this one; `generation` tells a fresh wish from an old one.

    `claim` names the claim: who comes back after the lease and finds another name there has lost it.
    `tried`: somebody may have carried this out already and could not tell.
    """

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
    claim: str
    tried: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Spend:
    """One run of a day's budget: `limit` of them there are, `what` is the step that takes it.

    `cost` is what it costs; all of the day may cost `cost_limit` together, None: no matter how much.
    """

    domain: str
    day: str
    limit: int
    what: str
    cost: float = 0
    cost_limit: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """All that one transaction does to one incident.

    `base` is the version it was decided on (0 opens it): another version in the database raises
    `StaleIncident`. `keys` are fingerprints this incident answers to while it is open; on opening, a key
    that an open incident already has raises `StaleIncident` too; later it is left to that other one. `cancel` are due keys that no longer matter.
    `done` is the claimed row this change finishes. `levels` are lowered with it, and `spend` takes one run
    of the day's budget: when nothing is left of it, `StaleIncident`. `occasion` is one more time of an error.
    """

    incident_id: str
    base: int
    at: datetime
    events: tuple[Event, ...] = ()
    due: tuple[NewDue, ...] = ()
    cancel: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    receipt: Receipt | None = None
    levels: tuple[LevelEntry, ...] = ()
    spend: Spend | None = None
    occasion: Occasion | None = None
    done: Due | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Times:
    """How often an error came, and some of the incidents it came in, the newest first."""

    count: int = 0
    incidents: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Copy:
    """One Slack message that shows something of an incident.

    `name` is `card`, `reply:<seq>`, `request:<id>`, `dm:<request>:<person>` or `note:<seq>:<person>`; `shown` identifies what
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
    """A halt: who, when and why. `scope` is `*` (everything), `domain:<name>` or `connection:<name>`.

    `lift_asked_by` is the first of two people who must lift it, where two are needed.
    """

    by: str
    at: datetime
    reason: str
    scope: str = "*"
    lift_asked_by: str | None = None
    lifted_at: datetime | None = None


class Lift(StrEnum):
    """What came of lifting a stop."""

    LIFTED = "lifted"
    ONE_MORE = "one more person is needed"
    SAME_PERSON = "the second must be somebody else"
    NOT_STOPPED = "nothing was stopped"


@dataclass(frozen=True, kw_only=True, slots=True)
class HookCount:
    """How often a webhook's deliveries came to this outcome; when, and for what reason, the last of them did."""

    hook: str
    outcome: str
    count: int
    last_at: datetime
    says: str = ""

    @property
    def taken(self) -> bool:
        """True for an outcome that the sender may be content with."""
        return self.outcome in ("accepted", "replayed", "ignored")

    def before(self, newer: "HookCount") -> "HookCount":
        """Both together."""
        return replace(newer, count=self.count + newer.count)


def refusing(counts: Iterable[HookCount]) -> tuple[HookCount, ...]:
    """Each webhook that refused what came last, with that refusal."""
    last: dict[str, HookCount] = {}
    for one in counts:
        known = last.get(one.hook)
        if known is None or one.last_at > known.last_at:
            last[one.hook] = one
    return tuple(one for one in last.values() if not one.taken)


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

"""Who somebody is, as Slack says it now, and who may decide what."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from unicodedata import normalize

SeatKind = Literal["person", "group", "rota", "pagerduty", "opsgenie"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Person:
    """One person as the workspace knows them. `id` and `team` are what counts; names are display.

    `status` and `emoji` are what they say of themselves in Slack; `full_name` is beside the name they show.
    """

    id: str
    name: str = ""
    email: str | None = None
    team: str | None = None
    tz: str = "UTC"
    bot: bool = False
    deactivated: bool = False
    guest: bool = False
    external: bool = False
    status: str = ""
    emoji: str = ""
    full_name: str = ""

    def barred(self, allowed: Collection[str] = ()) -> str | None:
        """Why this person can never decide, or None. `allowed` may lift the ban on `guests` or `outsiders`."""
        reasons = {
            "bots never decide": self.bot,
            "this account is deactivated": self.deactivated,
            "guests never decide": self.guest and "guests" not in allowed,
            "people of other workspaces never decide": self.external and "outsiders" not in allowed,
        }
        return next((reason for reason, holds in reasons.items() if holds), None)

    def is_named(self, name: str) -> bool:
        """True when they are called so, whatever the spaces and capitals; no proof that it is them."""
        return bool(name) and _folded(name) in {_folded(self.name), _folded(self.full_name)}

    def called(self, ref: str) -> bool:
        """True when `ref` is this person's Slack id or email."""
        return ref == self.id or (self.email is not None and ref.lower() == self.email.lower())


@dataclass(frozen=True, kw_only=True, slots=True)
class Seat:
    """One named place in a chain: a person (by email or Slack id), a user group (by handle or id), or a rota.

    For the on-call kinds `ref` holds the prefix too: `rota:data`, `pagerduty:PSCHED1`.
    `because` tells where the naming came from, e.g. `owner of raw_sessions, from dagster`.
    """

    kind: SeatKind
    ref: str
    because: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Absence:
    """Somebody said that they are away until then, and who decides for them meanwhile, by Slack id."""

    person: str
    until: datetime
    delegate: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Delegate:
    """Somebody who decides for another who is away until then: in their own name."""

    person: Person
    for_person: str
    until: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Seated:
    """A seat with the people who sit in it now. Empty `people`: nobody can be found there.

    `absent` are those of them who said that they are away; `delegates` decide for these. `called` is what
    people call the seat, where Slack knows: somebody's name, or a group's handle.
    """

    seat: Seat
    people: tuple[Person, ...] = ()
    problem: str | None = None
    absent: tuple[Absence, ...] = ()
    delegates: tuple[Delegate, ...] = ()
    called: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Grant:
    """The right somebody had at the moment of deciding, and where it came from.

    A delegate's names whom they decided for, and until when that person is away.
    """

    person: str
    because: str
    hop: int
    for_person: str | None = None
    until: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Away:
    """What was known of somebody's absence when they were asked: `said_here`, or what Slack shows."""

    person: str
    says: str = ""
    said_here: bool = False
    until: datetime | None = None
    delegate: str | None = None


def _folded(name: str) -> str:
    return " ".join(normalize("NFKC", name).casefold().split())

"""Who somebody is, as Slack says it now, and who may decide what."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, kw_only=True, slots=True)
class Person:
    """One person as the workspace knows them. `id` and `team` are what counts; names are display."""

    id: str
    name: str = ""
    email: str | None = None
    team: str | None = None
    tz: str = "UTC"
    bot: bool = False
    deactivated: bool = False
    guest: bool = False
    external: bool = False

    def barred(self) -> str | None:
        """Why this person can never decide, or None."""
        reasons = {
            "bots never decide": self.bot,
            "this account is deactivated": self.deactivated,
            "guests never decide": self.guest,
            "people of other workspaces never decide": self.external,
        }
        return next((reason for reason, holds in reasons.items() if holds), None)


@dataclass(frozen=True, kw_only=True, slots=True)
class Seat:
    """One named place in a chain: a person (by email or Slack id) or a user group (by handle or id).

    `because` tells where the naming came from, e.g. `owner of raw_sessions, from dagster`.
    """

    kind: Literal["person", "group"]
    ref: str
    because: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Seated:
    """A seat with the people who sit in it now. Empty `people`: nobody can be found there."""

    seat: Seat
    people: tuple[Person, ...] = ()
    problem: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Grant:
    """The right somebody had at the moment of deciding, and where it came from."""

    person: str
    because: str
    hop: int

"""Emails: what one of them is about, which went out already, and who carries them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, Protocol

from policies.batch import Member
from policies.people import Person

LetterKind = Literal["asked", "reminder"]
ASKED: Final[LetterKind] = "asked"
REMINDER: Final[LetterKind] = "reminder"


@dataclass(frozen=True, kw_only=True, slots=True)
class Letter:
    """One email to one person about what waits for them: one request, or many of the same kind.

    `name` is its own: sent once more it is the same email. `follows` are the names of earlier ones in its
    thread, the first of them first; `subject` is the thread's, empty where it begins one.
    """

    person: Person
    members: tuple[Member, ...]
    kind: LetterKind
    name: str
    follows: tuple[str, ...] = ()
    subject: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Mailed:
    """That one request was in an email. `turn` tells this asking from an earlier one; `thread` names its first email."""

    person: str
    request: str
    turn: str
    kind: LetterKind
    letter: str
    thread: str
    subject: str
    at: datetime


class Letters(Protocol):
    """Which emails went out."""

    async def mailed(self, person: str, requests: Sequence[str]) -> Sequence[Mailed]:
        """Those to this person about any of these requests, oldest first."""
        ...

    async def keep_mailed(self, mailed: Sequence[Mailed]) -> None:
        """Remember them, all or none; what is known stays as it is."""
        ...


class Postman(Protocol):
    """Sends emails to those who are asked."""

    async def send(self, letter: Letter) -> str:
        """One email; the same name again has the same Message-ID. Returns its subject, without `Re:`.

        Raises `RetryAfter` (try again) or `Undeliverable` (refused for good, with the server's words).
        """
        ...

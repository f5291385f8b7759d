"""Slack, as the worker sees it: somewhere to speak, and people to find."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from bot.commands import Answer, Received
from bot.ports.values import Copy, Stop
from policies.autonomy.levels import Level, LevelEntry
from policies.batch import Member
from policies.events import Entry
from policies.incident import Incident
from policies.people import Person, Seat, Seated


async def always() -> None:
    """Nobody else can be at it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Showing:
    """All that is needed to show one copy. `together`: the requests that this direct message lists.

    `tried`: it may have been posted already. `hold` is asked last, and raises when somebody else does this.
    """

    incident: Incident
    name: str
    copy: Copy | None
    card: Copy | None
    entries: Sequence[Entry]
    stopped: Stop | None
    now: datetime
    together: tuple[Member, ...] = ()
    tried: bool = False
    hold: Callable[[], Awaitable[None]] = field(default=always, compare=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Notice:
    """A message about a connection that is blind, or that sees again (`seen_at`). `ts`: where it stands.

    `read_to`: it answers again, and what failed meanwhile is read up to then.
    """

    connection: str
    channel: str
    blind_from: datetime
    ts: str | None = None
    seen_at: datetime | None = None
    read_to: datetime | None = None
    problem: str = ""


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

    async def notice(self, notice: Notice) -> tuple[str, str]:
        """Post it, or update it where it is; the result is its channel and `ts` now."""
        ...

    async def reply(self, channel: str, thread_ts: str, text: str, *, key: str) -> None:
        """One short message in a thread; the same `key` again is not posted twice."""
        ...

    async def homes(self) -> None:
        """Bring the home tabs of those who looked lately up to date. Best effort."""
        ...

    async def tell_level(self, channel: str, entry: LevelEntry, was: Level) -> None:
        """Tell a domain's channel, once, that a level is another now, or that somebody wishes it."""
        ...


class History(Protocol):
    """What was said in the alert channels while nobody listened."""

    async def since(self, at: datetime) -> Sequence[Received]:
        """Messages of apps posted after `at`, as if they had just arrived. Raises `RetryAfter`."""
        ...


class Answerer(Protocol):
    """Answers a mention in words, from what is stored."""

    async def answer(self, question: Answer) -> str:
        """The text to post in the thread of the question."""
        ...


class Directory(Protocol):
    """Who people are, as Slack says it now. Fails closed: unknown means nobody.

    What is only shown may be a minute old; with `fresh` it is asked now, as every decision needs it.
    """

    async def person(self, slack_id: str, *, fresh: bool = False) -> Person | None:
        """One person by Slack id."""
        ...

    async def someone(self, ref: str) -> Person | None:
        """One person by Slack id or email, asked now."""
        ...

    async def seated(self, seat: Seat, *, fresh: bool = False) -> Seated:
        """The people who sit in a seat now, those of them who are away, and who decides for these."""
        ...

    async def quiet_until(self, slack_id: str) -> datetime | None:
        """Until when this person's notifications are paused; None when they are not, or nobody knows."""
        ...

"""What arrives, before anybody knows what it means: words and links with where each stood."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Source = Literal["slack", "webhook", "poll"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Words:
    """One piece of text and where in the message it stood, e.g. `blocks.0.text`. Already unescaped."""

    where: str
    value: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Link:
    """One URL of the message, unescaped, with the words a person would tap."""

    where: str
    url: str
    label: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sender:
    """Who posted, by the ids Slack vouches for. Names decide nothing."""

    bot_id: str | None = None
    app_id: str | None = None
    user: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Signal:
    """Something that arrived: a Slack message, a webhook, a polled run.

    `key` is the source's own id of the delivery (Slack's `event_id`, `poll:<connection>:<run>`):
    the same key twice is one signal. `posted_as` is what the sender calls itself, only ever shown.
    """

    key: str
    source: Source
    received_at: datetime
    sender: Sender
    channel: str | None = None
    ts: str | None = None
    thread_ts: str | None = None
    subtype: str | None = None
    words: tuple[Words, ...] = ()
    links: tuple[Link, ...] = ()
    posted_as: str = ""

    def text(self) -> str:
        """All words, in the order a reader meets them."""
        return "\n".join(piece.value for piece in self.words)

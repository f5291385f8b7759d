"""Puts one message into Slack exactly once, however the call ends.

Slack has no idempotency key for messages, so each of ours says in its metadata which one it is. When
an earlier try may have succeeded, it is looked for before it is posted again.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

import structlog
from slack_sdk.web.async_client import AsyncWebClient

from handlers import refusals
from handlers.blocks import Block, Message
from handlers.pace import Pace

Hold: TypeAlias = Callable[[], Awaitable[None]]
_log = structlog.get_logger(__name__)
_PAGE = 200
_PAGES = 5
#: how far our clock may be ahead of Slack's, in seconds
_SKEW = 600
_UPDATES = "updates"


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A channel, or a thread in it."""

    channel: str
    thread_ts: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Label:
    """What a message says about itself: the kind of label and its content."""

    event: str
    says: Mapping[str, str]

    def metadata(self) -> Block:
        """As Slack takes it."""
        return {"event_type": self.event, "event_payload": dict(self.says)}

    def on(self, found: Mapping[str, Any]) -> bool:
        """True when this message carries the label."""
        metadata = found.get("metadata") or {}
        says = metadata.get("event_payload") or {}
        same = all(says.get(key) == value for key, value in self.says.items())
        return metadata.get("event_type") == self.event and same


async def _ours() -> None:
    return


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """Since when a message is wanted, and whether an earlier try may have succeeded (`again`).

    `hold` is asked just before the call; it raises when somebody else says this by now.
    """

    since: datetime
    again: bool
    hold: Hold = _ours


class Poster:
    """Posts and updates with `AsyncWebClient`. The client must not retry by itself."""

    def __init__(self, client: AsyncWebClient, posts: Pace, updates: Pace) -> None:
        self._client, self._posts, self._updates = client, posts, updates
        self._uncertain: set[tuple[str, str]] = set()

    async def post(
        self, place: Place, said: Message, label: Label, wanted: Wanted
    ) -> tuple[str, str]:
        """The (channel, ts) of the message; found instead of posted when it is there already.

        Raises `RetryAfter` or `Undeliverable`.
        """
        name = (label.event, str(sorted(label.says.items())))
        if wanted.again or name in self._uncertain:
            found = await self._find(place, label, wanted.since)
            if found:
                self._uncertain.discard(name)
                return place.channel, found
        await self._posts.turn(place.channel)
        await wanted.hold()
        try:
            answer = await self._richest(place, said, label)
        except refusals.TROUBLE as error:
            if refusals.lost(error):
                self._uncertain.add(name)
            raise refusals.translated(error, f"posting in {place.channel}") from error
        self._uncertain.discard(name)
        return str(answer["channel"]), str(answer["ts"])

    async def update(
        self, place: Place, ts: str, said: Message, label: Label, hold: Hold = _ours
    ) -> bool:
        """Show this instead. False when the message is gone. Raises `RetryAfter`, `Undeliverable`."""
        await self._updates.turn(_UPDATES)
        await hold()
        fields = {"channel": place.channel, "ts": ts, "metadata": label.metadata()}
        try:
            await self._or_plainly(self._client.chat_update, fields, said)
        except refusals.TROUBLE as error:
            if refusals.code(error) in refusals.GONE:
                return False
            raise refusals.translated(error, f"updating in {place.channel}") from error
        return True

    async def _richest(self, place: Place, said: Message, label: Label) -> Any:
        fields = {
            "channel": place.channel,
            "metadata": label.metadata(),
            "unfurl_links": False,
            "unfurl_media": False,
        }
        if place.thread_ts:
            fields["thread_ts"] = place.thread_ts
        return await self._or_plainly(self._client.chat_postMessage, fields, said)

    async def _or_plainly(self, call: Any, fields: dict[str, Any], said: Message) -> Any:
        """With blocks; when Slack does not take them, in plain words: never lost for its looks."""
        try:
            return await call(**fields, text=said.text, blocks=list(said.blocks) or None)
        except refusals.TROUBLE as error:
            if refusals.code(error) not in refusals.TOO_RICH:
                raise
            _log.error("blocks refused, said plainly", code=refusals.code(error), text=said.text)
            return await call(**fields, text=plainly(said))

    async def _find(self, place: Place, label: Label, since: datetime) -> str | None:
        fields: dict[str, Any] = {
            "channel": place.channel,
            "include_all_metadata": True,
            "limit": _PAGE,
            "oldest": f"{since.timestamp() - _SKEW:.6f}",
        }
        call: Any = self._client.conversations_history
        if place.thread_ts:
            call = self._client.conversations_replies
            fields["ts"] = place.thread_ts
        try:
            return await _search(call, fields, label)
        except refusals.TROUBLE as error:
            doing = f"looking whether it was posted in {place.channel}"
            raise refusals.translated(error, doing) from error


async def _search(call: Any, fields: dict[str, Any], label: Label) -> str | None:
    cursor = ""
    for _ in range(_PAGES):
        answer = await call(**fields, **({"cursor": cursor} if cursor else {}))
        for found in answer.get("messages") or []:
            if label.on(found):
                return str(found["ts"])
        cursor = (answer.get("response_metadata") or {}).get("next_cursor") or ""
        if not cursor:
            return None
    return None


def plainly(said: Message) -> str:
    """The words without their looks, short enough for anything."""
    return (
        said.text[:1500] + "\n(Shown plainly: Slack refused the full view. `/dw why` tells more.)"
    )

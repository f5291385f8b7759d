"""Reads back what apps posted in the alert channels, as the events that never came."""

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import structlog
from slack_sdk.web.async_client import AsyncWebClient

from bot.clock import Clock
from bot.commands import Received
from bot.ports import Undeliverable
from handlers import refusals
from handlers.channels import Reading
from handlers.payloads import parse
from handlers.payloads.own import Identity

_log = structlog.get_logger(__name__)
_PAGES = 20
_LIMIT = 200
Message = Mapping[str, Any]


class SlackHistory:
    """`bot.ports.History` over conversations.history: one call a channel where nothing was missed."""

    def __init__(
        self,
        client: AsyncWebClient,
        clock: Clock,
        me: Identity,
        reading: Reading,
    ) -> None:
        self._client, self._clock, self._me, self._reading = client, clock, me, reading

    async def since(self, at: datetime) -> Sequence[Received]:
        """What apps posted after `at`, oldest first; what people say is not read back."""
        found: list[Received] = []
        await self._reading.look()
        for channel in sorted(self._reading.ids()):
            try:
                found += [item async for item in self._items(channel, at)]
            except Undeliverable as problem:
                _log.error("channel_not_read_back", channel=channel, problem=str(problem))
        return sorted(found, key=lambda item: item.place or "")

    async def _items(self, channel: str, at: datetime) -> AsyncIterator[Received]:
        async for message in self._messages(channel, at):
            item = self._read(channel, message)
            if item is not None:
                yield item

    def _read(self, channel: str, message: Message) -> Received | None:
        if not message.get("bot_id"):
            return None
        event = {**message, "type": "message", "channel": channel, "channel_type": "channel"}
        body = {
            "type": "event_callback",
            "team_id": self._me.team,
            "api_app_id": self._me.app or "",
            "event_id": f"history:{channel}:{message.get('ts')}",
            "event": event,
        }
        return parse.message(body, self._clock.now(), self._me, self._reading.ids())

    async def _messages(self, channel: str, at: datetime) -> AsyncIterator[Message]:
        cursor = ""
        for _ in range(_PAGES):
            answer = await self._page(channel, at, cursor)
            for message in answer["messages"]:
                yield message
            cursor = (answer.get("response_metadata") or {}).get("next_cursor") or ""
            if not cursor:
                return

    async def _page(self, channel: str, at: datetime, cursor: str) -> Mapping[str, Any]:
        try:
            answer = await self._client.conversations_history(
                channel=channel,
                oldest=f"{at.timestamp():.6f}",
                limit=_LIMIT,
                cursor=cursor or None,
            )
        except refusals.TROUBLE as error:
            raise refusals.translated(error, f"looking back over {channel}") from error
        return dict(answer.data) if isinstance(answer.data, dict) else {"messages": []}

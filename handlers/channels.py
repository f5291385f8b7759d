"""Channel names and ids: dw.yml may say `#data-alerts`, events and answers say `C0…`."""

import re
from collections.abc import Iterable, Sequence

import structlog
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.ports import Undeliverable
from handlers import refusals

_ID = re.compile(r"^[CGD][A-Z0-9]{4,}$")
_PAGES = 50
_log = structlog.get_logger(__name__)


class Channels:
    """Looks names up, and remembers them: a channel keeps its id when it is renamed."""

    def __init__(self, client: AsyncWebClient) -> None:
        self._client = client
        self._ids: dict[str, str] = {}

    async def id_of(self, name: str) -> str:
        """The id. Raises `Undeliverable` when there is no such channel, `RetryAfter` on outages."""
        if _ID.match(name):
            return name
        plain = name.lstrip("#")
        if plain not in self._ids:
            self._ids.update(await self._list())
        if plain not in self._ids:
            raise Undeliverable(
                f"I see no channel {name}: it does not exist, or it is private and I am not in it"
            )
        return self._ids[plain]

    async def ids_of(self, names: Iterable[str]) -> tuple[frozenset[str], tuple[str, ...]]:
        """The ids of these, and a sentence for each that can't be found."""
        found, problems = set(), []
        for name in names:
            try:
                found.add(await self.id_of(name))
            except Undeliverable as error:
                problems.append(str(error))
                _log.error("alert channel not found", channel=name, error=str(error))
        return frozenset(found), tuple(problems)

    def reading(self, names: Sequence[str]) -> "Reading":
        """The alert channels under these names, as far as they are found."""
        return Reading(self, names)

    async def _list(self) -> dict[str, str]:
        known: dict[str, str] = {}
        cursor = ""
        for _ in range(_PAGES):
            answer = await self._page(cursor)
            known.update({c["name"]: c["id"] for c in answer["channels"] if c.get("name")})
            cursor = (answer.get("response_metadata") or {}).get("next_cursor") or ""
            if not cursor:
                break
        return known

    async def _page(self, cursor: str) -> AsyncSlackResponse:
        try:
            return await self._client.conversations_list(
                types="public_channel,private_channel",
                exclude_archived=True,
                limit=1000,
                cursor=cursor or None,
            )
        except refusals.TROUBLE as error:
            raise refusals.translated(error, "listing the channels") from error


class Reading:
    """The alert channels of dw.yml. One that is made, or that invites us, later is found by the next look."""

    def __init__(self, channels: Channels, names: Sequence[str]) -> None:
        self._channels, self._left = channels, tuple(names)
        self._ids: frozenset[str] = frozenset()

    def ids(self) -> frozenset[str]:
        """Those that are known by now."""
        return self._ids

    async def look(self) -> tuple[str, ...]:
        """Look for those not found yet; a sentence for each that still can't be. Raises `RetryAfter`."""
        problems: list[str] = []
        left: list[str] = []
        for name in self._left:
            found, told = await self._channels.ids_of((name,))
            self._ids |= found
            left += [name] if told else []
            problems += told
        self._left = tuple(left)
        return tuple(problems)

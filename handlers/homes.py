"""Home tabs: published when opened, and again for whoever looked lately when something changed."""

import hashlib
import json
from datetime import datetime, timedelta

import structlog
from slack_sdk.web.async_client import AsyncWebClient

from bot.clock import Clock
from bot.desk import Desk
from bot.ports import RetryAfter, StoreUnavailable
from handlers import refusals, views
from handlers.answers import Answerer
from handlers.views.tab import Mine

_log = structlog.get_logger(__name__)
_LATELY = timedelta(hours=1)
_VIEWERS = 50
_RECEIPTS = 5


class Homes:
    """Who looked at the home tab lately, and what they see there."""

    def __init__(
        self, client: AsyncWebClient, desk: Desk, answerer: Answerer, clock: Clock
    ) -> None:
        self._client, self._desk, self._answerer, self._clock = client, desk, answerer, clock
        self._seen: dict[str, tuple[datetime, str]] = {}

    async def publish(self, person: str) -> None:
        """Show this person their tab as it is now."""
        await self._publish(person, looked=self._clock.now(), before="")

    async def refresh(self) -> None:
        """Bring the tabs of those who looked lately up to date. Best effort: they can tap Refresh."""
        earliest = self._clock.now() - _LATELY
        lately = [(p, at, was) for p, (at, was) in self._seen.items() if at > earliest]
        self._seen = {person: (at, was) for person, at, was in lately[-_VIEWERS:]}
        for person, at, was in lately[-_VIEWERS:]:
            try:
                await self._publish(person, looked=at, before=was)
            except (*refusals.TROUBLE, RetryAfter, StoreUnavailable) as error:
                _log.warning("home tab not updated", person=person, error=str(error))

    async def _publish(self, person: str, *, looked: datetime, before: str) -> None:
        status = await self._desk.status()
        waiting, passed = await self._answerer.theirs(person)
        receipts = await self._desk.receipts(_RECEIPTS)
        tab = views.home_tab(Mine(person, waiting, passed), status, receipts)
        shown = hashlib.sha256(json.dumps(tab, sort_keys=True).encode()).hexdigest()
        if shown != before:
            await self._client.views_publish(user_id=person, view=tab)
        self._seen[person] = (looked, shown)

"""Who is on call in an Opsgenie schedule, whatever teams and escalations are behind it. GET only."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar
from urllib.parse import urlencode

import httpx
from pydantic import BaseModel, Field

from connectors.base import Health
from connectors.http import Patience
from connectors.on_call import OnCall, segment

URL = "https://api.opsgenie.com"
_ID = re.compile(r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", re.IGNORECASE)


class _Schedule(BaseModel):
    enabled: bool = True


class _Recipients(BaseModel):
    schedule: _Schedule = Field(default_factory=_Schedule, alias="_parent")
    recipients: list[str] = Field(alias="onCallRecipients")


class _Answer(BaseModel):
    data: _Recipients


class _Schedules(BaseModel):
    data: list[object]


class OpsgenieReader(OnCall):
    """One account. `token` is an API integration's key. EU: `https://api.eu.opsgenie.com`."""

    kind: ClassVar[str] = "opsgenie"

    def __init__(
        self,
        connection: str,
        url: str | None,
        token: str | None,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        patience: Patience | None = None,
    ) -> None:
        headers = {"Authorization": f"GenieKey {token}"} if token else {}
        super().__init__(
            connection, url or URL, headers=headers, transport=transport, patience=patience
        )

    async def ping(self) -> Health:
        """Any schedule will do; it is only asked whether the key may look."""
        self._model(_Schedules, await self._get("/v2/schedules?expand="))
        return Health(version="v2", says="may read schedules")

    def _path(self, schedule: str, at: datetime) -> str:
        kind = "id" if _ID.match(schedule) else "name"
        asked = {
            "scheduleIdentifierType": kind,
            "flat": "true",
            "date": at.strftime("%Y-%m-%dT%H:%M:%S%z"),
        }
        return f"/v2/schedules/{segment(schedule)}/on-calls?{urlencode(asked)}"

    def _emails(self, told: object) -> Sequence[str]:
        """A schedule that is switched off has nobody on call, whatever its rotations say."""
        data = self._model(_Answer, told).data
        return data.recipients if data.schedule.enabled else []

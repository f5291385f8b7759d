"""Who is on call in a PagerDuty schedule, overrides included. Looks only: GET and nothing else."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import ClassVar
from urllib.parse import urlencode

import httpx
from pydantic import BaseModel

from connectors.base import Health
from connectors.http import Patience
from connectors.on_call import OnCall, segment

URL = "https://api.pagerduty.com"


class _User(BaseModel):
    email: str


class _Users(BaseModel):
    users: list[_User]


class _Schedules(BaseModel):
    schedules: list[object]


class PagerDutyReader(OnCall):
    """One account. `token` is a REST API key; a read-only one is enough. EU: `https://api.eu.pagerduty.com`."""

    kind: ClassVar[str] = "pagerduty"

    def __init__(
        self,
        connection: str,
        url: str | None,
        token: str | None,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        patience: Patience | None = None,
    ) -> None:
        headers = {"Accept": "application/vnd.pagerduty+json;version=2"}
        if token:
            headers["Authorization"] = f"Token token={token}"
        super().__init__(
            connection, url or URL, headers=headers, transport=transport, patience=patience
        )

    async def ping(self) -> Health:
        """Any schedule will do; it is only asked whether the key may look."""
        self._model(_Schedules, await self._get("/schedules?limit=1"))
        return Health(version="v2", says="may read schedules")

    def _path(self, schedule: str, at: datetime) -> str:
        """PagerDuty wants a span of time: one second of it is now."""
        span = {"since": _stamp(at), "until": _stamp(at + timedelta(seconds=1))}
        return f"/schedules/{segment(schedule)}/users?{urlencode(span)}"

    def _emails(self, told: object) -> Sequence[str]:
        return [user.email for user in self._model(_Users, told).users]


def _stamp(at: datetime) -> str:
    return at.isoformat(timespec="seconds")

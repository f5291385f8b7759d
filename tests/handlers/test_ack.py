"""Slack's ack is a promise that it is stored: it goes out after that, and not at all without it."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from slack_bolt.async_app import AsyncApp, AsyncBoltRequest
from slack_sdk.web.async_client import AsyncWebClient

from bot.commands import Received
from bot.ports import StoreUnavailable
from handlers import register
from handlers.app import Access, bolt
from handlers.payloads.own import Identity
from handlers.whispers import Whispers
from handlers.wiring import Wiring
from tests.clock import FakeClock
from tests.handlers.test_clicks import a_click

ME = Identity(team="T1", user="U0DWBOT", bot="B0DWBOT", app="A0DWBOT")
ALERT = {
    "type": "event_callback",
    "event_id": "Ev1",
    "team_id": "T1",
    "api_app_id": "A0DWBOT",
    "event": {
        "type": "message",
        "channel": "C0ALERTS",
        "ts": "1.1",
        "bot_id": "B0DAG",
        "app_id": "A0DAGPLUS",
        "text": "Asset check raw_sessions_complete failed on raw_sessions",
    },
}
CLICK = a_click(response_url="")
PAYLOADS = pytest.mark.parametrize("payload", [ALERT, CLICK], ids=["alert", "click"])


class SlowDesk:
    """Stores when it is let to, or fails."""

    def __init__(self) -> None:
        self.asked, self.may_store, self.stored = asyncio.Event(), asyncio.Event(), 0
        self.fails: Exception | None = None

    async def receive(self, _item: Received) -> bool:
        self.asked.set()
        await self.may_store.wait()
        if self.fails:
            raise self.fails
        self.stored += 1
        return True


@pytest.fixture
def desk() -> SlowDesk:
    return SlowDesk()


@pytest.fixture
def app(desk: SlowDesk, clock: FakeClock) -> AsyncApp:
    """The real app and every real listener; only the desk is imagined."""
    access = Access(base_url="http://127.0.0.1:1/api/", bot_token="xoxb-1")
    client = AsyncWebClient(base_url=access.base_url)
    made = bolt(access, ME, client)
    known: dict[str, Any] = dict.fromkeys(("directory", "answerer", "homes", "step_up"))
    here = frozenset({"C0ALERTS"})
    known |= {"desk": desk, "client": client, "alert_channels": lambda: here}
    register(made, Wiring(clock=clock, me=ME, whispers=Silent(), **known))
    return made


class Silent(Whispers):
    """Says nothing."""

    def __init__(self) -> None:
        return

    async def tell(self, respond_to: str, text: str) -> None:
        return


Arrive = Callable[[dict[str, Any]], Any]


@pytest.fixture
def arrive(app: AsyncApp) -> Arrive:
    def send(payload: dict[str, Any]) -> Any:
        return app.async_dispatch(AsyncBoltRequest(body=json.dumps(payload), mode="socket_mode"))

    return send


@PAYLOADS
async def test_nothing_is_acknowledged_before_it_is_stored(
    desk: SlowDesk, arrive: Arrive, payload: dict[str, Any]
) -> None:
    async with asyncio.TaskGroup() as group:
        answer = group.create_task(arrive(payload))
        await desk.asked.wait()
        await asyncio.sleep(0.05)
        assert not answer.done()
        desk.may_store.set()
    assert (answer.result().status, desk.stored) == (200, 1)


@PAYLOADS
async def test_what_could_not_be_stored_is_not_acknowledged_so_slack_sends_it_again(
    desk: SlowDesk, arrive: Arrive, payload: dict[str, Any]
) -> None:
    desk.fails = StoreUnavailable("gone")
    desk.may_store.set()
    answer = await arrive(payload)
    assert (answer.status, desk.stored) == (500, 0)

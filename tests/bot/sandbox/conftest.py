"""A small workspace, and an unmodified Bolt app to run against it."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import aiohttp
import pytest
from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.sandbox.workspace import (
    USUAL_EVENTS,
    USUAL_SCOPES,
    App,
    Channel,
    Completion,
    IncomingWebhook,
    Person,
    Shortcut,
    SlashCommand,
    Timing,
    UserGroup,
    Workspace,
    WorkspaceSeed,
)

DW = App(
    app_id="A0DW",
    bot_id="B0DW",
    user_id="U0DW",
    name="dw",
    bot_token="xoxb-dw",
    app_token="xapp-dw",
    signing_secret="planted-secret",
    scopes=USUAL_SCOPES | {"chat:write.customize"},
    events=USUAL_EVENTS,
    has_home=True,
    shortcuts=(Shortcut("explain", "Explain"), Shortcut("ask", "Ask", kind="shortcut")),
)
DAGSTER = App(
    app_id="A0DAG",
    bot_id="B0DAG",
    user_id="U0DAG",
    name="Dagster+",
    bot_token="xoxb-dagster",
    webhooks=(IncomingWebhook("T0/B0/hook", "C0ALERTS", "B0DAGHOOK", "Dagster+"),),
)
SEED = WorkspaceSeed(
    people=(
        Person("U0ANA", "ana", real_name="Ana Lima", email="ana@example.com", tz="Europe/Lisbon"),
        Person("U0BEN", "ben", real_name="Ben Okafor", email="ben@example.com"),
        Person("U0GONE", "gone", email="gone@example.com", deleted=True),
    ),
    apps=(DW, DAGSTER),
    channels=(
        Channel("C0ALERTS", "data-alerts", ("U0ANA", "U0BEN", "U0DW", "U0DAG")),
        Channel("C0QUIET", "quiet", ("U0ANA",)),
        Channel("G0SECRET", "secret", ("U0BEN",), is_private=True),
    ),
    usergroups=(UserGroup("S0DATA", "data-oncall", users=("U0ANA",)),),
    commands=(SlashCommand("/dw", "A0DW", "Ask the bot", "[status]", (Completion("status"),)),),
)
FAST = Timing(redeliver_after=(0.0, 0.05, 0.05))

Open = Callable[..., Any]


@pytest.fixture
async def workspace() -> AsyncIterator[Workspace]:
    async with Workspace(SEED, clock=time.time, timing=FAST) as running:
        yield running


@pytest.fixture
def open_workspace() -> Open:
    """Opens a workspace with another clock, timing, page or more routes."""

    def open_it(clock: Callable[[], float] = time.time, **more: Any) -> Workspace:
        own = {name: more.pop(name) for name in ("page", "routes") if name in more}
        return Workspace(SEED, clock=clock, timing=replace(FAST, **more), **own)

    return open_it


@pytest.fixture
def client() -> Callable[..., AsyncWebClient]:
    """A Web API client of one app."""

    def make(workspace: Workspace, **options: Any) -> AsyncWebClient:
        return AsyncWebClient(**{"token": DW.bot_token, "base_url": workspace.api_url, **options})

    return make


@pytest.fixture
def bolt(client: Callable[..., AsyncWebClient]) -> Open:
    """An unmodified Bolt app, connected by as many sockets as asked for once its listeners are set."""

    @asynccontextmanager
    async def connected(
        workspace: Workspace, listen: Callable[[AsyncApp], None], sockets: int = 1
    ) -> AsyncIterator[AsyncApp]:
        app = AsyncApp(client=client(workspace), process_before_response=True)
        listen(app)
        handlers = [
            AsyncSocketModeHandler(app, "xapp-dw", ping_interval=0.2) for _ in range(sockets)
        ]
        for handler in handlers:
            await handler.connect_async()
        try:
            yield app
        finally:
            for handler in handlers:
                await handler.close_async()

    return connected


@pytest.fixture
async def http() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session

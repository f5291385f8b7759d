"""The real house over the local workspace, and a bare Bolt app in the same workspace to hold it against.

Slack's pacing is off on both sides and time is the machine's own: what is measured is the code.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.clock import SystemClock
from bot.main import House, Means, house, live, settle
from bot.sandbox.demo import seed
from bot.sandbox.workspace import (
    USUAL_EVENTS,
    App,
    SlashCommand,
    Timing,
    Workspace,
    WorkspaceSeed,
    until,
)
from tests.journeys.stack import Stack
from tests.journeys.stage import rules, seeded, settings

BARE = App(
    app_id="A0BARE",
    bot_id="B0BARE",
    user_id="U0BARE",
    name="bare",
    bot_token="xoxb-bare",
    app_token="xapp-bare",
    events=USUAL_EVENTS,
)
PATIENT = Timing(ack_deadline=60.0, trigger_life=60.0, channel_rate=0, tiers={})
Listen = Callable[[AsyncApp], None]
Acted = Callable[[], Awaitable[Any]]


def with_the_bare_app() -> WorkspaceSeed:
    """The demo's workspace with one more app, which sits in the alert channel too."""
    known = seeded()
    channels = tuple(
        replace(c, members=(*c.members, BARE.user_id)) if c.id == seed.ALERTS else c
        for c in known.channels
    )
    commands = (*known.commands, SlashCommand("/bare", BARE.app_id, "Nothing", ""))
    return replace(known, apps=(*known.apps, BARE), channels=channels, commands=commands)


@asynccontextmanager
async def a_workspace() -> AsyncIterator[Workspace]:
    """With both apps installed and none connected."""
    async with Workspace(with_the_bare_app(), clock=time.time, timing=PATIENT) as workspace:
        yield workspace


@dataclass(frozen=True, kw_only=True, slots=True)
class Lived:
    """A house that hears, and the imaginary stack it looks at."""

    built: House
    stack: Stack

    async def idle(self) -> None:
        """Wait until nothing is due any more."""
        store, clock = self.built.store, SystemClock()
        async with asyncio.timeout(120):
            stats = await store.stats(clock.now())
            while stats.waiting:
                await asyncio.sleep(0.02)
                stats = await store.stats(clock.now())


@asynccontextmanager
async def lived_in(workspace: Workspace, url: str) -> AsyncIterator[Lived]:
    """The house as `dw run` opens it, but for the data stack and the pacing; it drains at the end."""
    stack, stopping = Stack(SystemClock()), asyncio.Event()
    means = Means(build=stack.build, posts=0, updates=0)
    given = settings(url, workspace.api_url)
    async with house(given, rules(), means) as built, asyncio.TaskGroup() as tasks:
        settle()
        tasks.create_task(live(built, stopping))
        await until(lambda: workspace.connections(seed.BOT_APP) == 2, 20, "The house")
        try:
            yield Lived(built=built, stack=stack)
        finally:
            stopping.set()


@asynccontextmanager
async def bare(workspace: Workspace, listen: Listen) -> AsyncIterator[None]:
    """An unmodified Bolt app with what `listen` gives it, connected as often as the house is."""
    client = AsyncWebClient(token=BARE.bot_token, base_url=workspace.api_url)
    app = AsyncApp(client=client, process_before_response=True)
    listen(app)
    handlers = [AsyncSocketModeHandler(app, BARE.app_token) for _ in range(2)]
    for handler in handlers:
        await handler.connect_async()
    try:
        yield
    finally:
        for handler in handlers:
            await handler.close_async()


async def timed(act: Acted) -> float:
    """How many seconds it took."""
    began = time.perf_counter()
    await act()
    return time.perf_counter() - began

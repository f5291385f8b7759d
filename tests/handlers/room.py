"""A real Bolt app over the strict workspace, a real desk over a real database, and the story's people."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bot.clock import SystemClock
from bot.commands import Received
from bot.desk import Desk
from bot.ports import Change, Copy, Showing, StoreUnavailable
from bot.sandbox.workspace import (
    USUAL_EVENTS,
    USUAL_SCOPES,
    App,
    Channel,
    Person,
    Shortcut,
    SlashCommand,
    Timing,
    UserGroup,
    Workspace,
    WorkspaceSeed,
    until,
)
from bot.store.store import SqlStore, open_store
from handlers import app as building
from handlers.entrance import Slack, Wish, enter
from handlers.socket import Rhythm, Sockets
from policies.events import Entry, Event
from tests.handlers import story
from tests.policies import night

DW = App(
    app_id="A0DWBOT",
    bot_id="B0DWBOT",
    user_id="U0DWBOT",
    name="dw",
    bot_token="xoxb-dw",
    app_token="xapp-dw",
    signing_secret="planted-secret",
    scopes=USUAL_SCOPES,
    events=USUAL_EVENTS,
    has_home=True,
    shortcuts=(
        Shortcut("dw.show_open", "Show open incidents", kind="shortcut"),
        Shortcut("dw.stop_all", "Stop", kind="shortcut"),
        Shortcut("dw.stop_here", "Stop"),
    ),
)
DAGSTER = App(
    app_id="A0DAGPLUS",
    bot_id="B0DAGPLUS",
    user_id="U0DAGPLUS",
    name="Dagster+",
    bot_token="xoxb-dagster",
)
ALL = ("U0ANA", "U0BO", "U0CLEO", "U0DEE", "U0ELI", "U0DWBOT", "U0DAGPLUS")
SEED = WorkspaceSeed(
    people=(
        Person("U0ANA", "ana", real_name="Ana Ortiz", email="ana@example.com"),
        Person("U0BO", "bo", real_name="Bo Lindqvist", email="bo@example.com"),
        Person("U0CLEO", "cleo", real_name="Cleo Marsh", email="cleo@example.com"),
        Person("U0DEE", "dee", real_name="Dee Okafor", email="dee@example.com", is_admin=True),
        Person("U0ELI", "eli", real_name="Eli Novak", email="eli@example.com"),
        Person("U0GONE", "gone", email="gone@example.com", deleted=True),
        Person("U0GUEST", "guest", email="guest@example.com", is_restricted=True),
        Person("U0FAR", "far", email="far@example.com", is_stranger=True, team_id="T0OTHER"),
    ),
    apps=(DW, DAGSTER),
    channels=(
        Channel("C0ALERTS", "data-alerts", ALL),
        Channel("C0GENERAL", "general", ALL),
        Channel("C0QUIET", "quiet", ("U0ANA",)),
    ),
    usergroups=(
        UserGroup("S0ONCALL", "data-oncall", users=("U0CLEO", "U0GONE")),
        UserGroup("S0OFF", "switched-off", users=("U0CLEO",), is_disabled=True),
    ),
    commands=(SlashCommand("/dw", "A0DWBOT", "Ask the bot", should_escape=True),),
)
FAST = Timing(redeliver_after=(0.0, 0.05, 0.05))


class ShakyDesk(Desk):
    """The desk of a database that is sometimes away."""

    away = False
    received: int = 0

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.items: list[Received] = []

    async def receive(self, item: Any) -> bool:
        if self.away:
            raise StoreUnavailable(StoreUnavailable.__doc__)
        self.received += 1
        fresh = await super().receive(item)
        self.items += [item] if fresh else []
        return fresh


@dataclass
class Room:
    workspace: Workspace
    store: SqlStore
    desk: ShakyDesk
    slack: Slack
    access: building.Access

    @property
    def people(self) -> Any:
        return self.workspace.people

    def texts(self, channel: str = "C0ALERTS") -> list[str]:
        return [self.people["ana"].text_of(m).strip() for m in self.people["ana"].reads(channel)]

    async def play(self, events: list[Event]) -> Showing:
        """Put a journal into the database; how it stands then."""
        for base, event in enumerate(events):
            change = Change(incident_id="DW-3", base=base, at=story.NOW, events=(event,))
            await self.store.commit(change)
        incident = await self.store.load("DW-3")
        assert incident is not None
        return story.showing(incident, tuple(await self.store.entries("DW-3")), card=None)

    async def show(self, showing: Showing, name: str = "card", **more: Any) -> Copy | None:
        return await self.slack.announcer.show(replace(showing, name=name, **more))

    async def asked(self) -> tuple[Showing, Copy, Copy]:
        """Ana is asked: the card and the request in its thread are posted."""
        told = story.the_night()
        kinds = [type(event).__name__ for event in told]
        showing = await self.play(told[: kinds.index("PeopleAsked") + 1])
        card = await self.show(showing)
        assert card is not None
        name = f"request:{next(iter(showing.incident.requests))}"
        request = await self.show(showing, name, card=card)
        assert request is not None
        return showing, card, request


@asynccontextmanager
async def a_room(folder: Path, *, sockets: int = 1, **timing: Any) -> AsyncIterator[Room]:
    """All of it, connected; `sockets=0` leaves Slack's deliveries alone."""
    async with AsyncExitStack() as opened:
        store = await open_store(f"sqlite+aiosqlite:///{folder}/dw.db")
        opened.push_async_callback(store.close)
        rules = night.rules(admins=["dee@example.com"])
        desk = ShakyDesk(store, rules, SystemClock(), asyncio.Event())
        slow_or_fast = replace(FAST, **timing)
        workspace = await opened.enter_async_context(
            Workspace(SEED, clock=time.time, timing=slow_or_fast)
        )
        access = building.Access(
            base_url=workspace.api_url, bot_token="xoxb-dw", app_token="xapp-dw"
        )
        session = await opened.enter_async_context(building.open_session(access))
        slack = await enter(access, session, desk, SystemClock(), QUICK)
        if sockets:
            await opened.enter_async_context(listening(slack, sockets, Rhythm(every=0.01)))
        yield Room(workspace, store, desk, slack, access)


@asynccontextmanager
async def listening(slack: Slack, count: int, rhythm: Rhythm) -> AsyncIterator[Sockets]:
    """Sockets that hear Slack, hung up afterwards."""
    ears = Sockets(slack.app, "xapp-dw", count=count, loopback=True, rhythm=rhythm)
    running = asyncio.ensure_future(ears.run())
    try:
        await until(lambda: ears.listening >= count, 5.0, "A socket")
        yield ears
    finally:
        running.cancel()
        await asyncio.wait([running])


SECRET = "JBSWY3DPEHPK3PXPJBSWY3DP"
QUICK = Wish(
    alert_channels=("#data-alerts",),
    posts_per_second=0,
    updates_per_second=0,
    authenticators={"U0ANA": SECRET},
)


def entry(showing: Showing, kind: type[Event]) -> Entry:
    return next(x for x in showing.entries if isinstance(x.event, kind))

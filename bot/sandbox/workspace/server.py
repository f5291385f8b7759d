"""The workspace: everything above wired together behind one aiohttp server on the loopback interface."""

import asyncio
from collections.abc import Coroutine, Iterable
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from bot.sandbox.workspace import events, membership, show, talk
from bot.sandbox.workspace.api.front import Front
from bot.sandbox.workspace.authors import by_bot, by_name, content
from bot.sandbox.workspace.core import Core
from bot.sandbox.workspace.errors import Json
from bot.sandbox.workspace.ids import Mint
from bot.sandbox.workspace.pace import Pace
from bot.sandbox.workspace.person.driver import Crowd, until
from bot.sandbox.workspace.person.live import Live
from bot.sandbox.workspace.person.routes import People
from bot.sandbox.workspace.responses import Responses
from bot.sandbox.workspace.seed import WorkspaceSeed
from bot.sandbox.workspace.state import Message, State
from bot.sandbox.workspace.stream import Streams
from bot.sandbox.workspace.timing import Clock, Timing
from bot.sandbox.workspace.wire.courier import Courier
from bot.sandbox.workspace.wire.faults import Faults
from bot.sandbox.workspace.wire.record import Record

_HOST = "127.0.0.1"
#: Seconds the server waits for open requests when it shuts.
_PATIENCE = 1.0
_MOST_BODY = 4 * 1024 * 1024


async def _ask_again(_request: web.Request, response: web.StreamResponse) -> None:
    # a browser that guesses how long a file stays fresh mixes modules of two versions of the page
    response.headers.setdefault("Cache-Control", "no-cache")


class Workspace:
    """A Slack workspace on this machine. Use it as an async context manager.

    `clock` gives epoch seconds; `port` 0 picks a free one; `page` is the folder with the page's files; `routes` are added as they are.
    Apps reach it at `api_url`, people at `base_url`.
    """

    def __init__(
        self,
        seed: WorkspaceSeed,
        *,
        clock: Clock,
        timing: Timing | None = None,
        port: int = 0,
        page: Path | None = None,
        routes: Iterable[web.RouteDef] = (),
    ) -> None:
        """Prepare; nothing listens yet."""
        self.timing = timing or Timing()
        self.faults = Faults()
        self.record = Record()
        self._port = port
        self._page = page
        self._extra = list(routes)
        self._running: set[asyncio.Task[None]] = set()
        self._tasks = asyncio.TaskGroup()
        mint = Mint(clock)
        self.core = Core(
            state=State(seed),
            mint=mint,
            timing=self.timing,
            pace=Pace(self.timing, clock),
            streams=Streams(),
            faults=self.faults,
            record=self.record,
            courier=Courier(self.timing, mint, self.faults, self.record, self._spawn),
        )
        self.core.courier.sockets.on_change = self._app_changed
        self.people = Crowd(self.core)
        self._runner = web.AppRunner(self._app(), access_log=None, shutdown_timeout=_PATIENCE)

    def _app(self) -> web.Application:
        front, responses = Front(self.core), Responses(self.core)
        app = web.Application(client_max_size=_MOST_BODY)
        app.on_response_prepare.append(_ask_again)
        app.add_routes(
            [
                web.route("*", "/api/{method}", front.handle),
                web.get("/link/", self.core.courier.sockets.link),
                web.post("/response/{key}", responses.respond),
                web.post("/services/{path:.+}", responses.webhook),
                *People(self.core).routes(),
                *Live(self.core).routes(),
                *self._extra,
            ]
        )
        if self._page is not None:
            app.add_routes(
                [
                    web.get("/", self._index),
                    web.get("/archives/{rest:.+}", self._index),
                    web.static("/", self._page),
                ]
            )
        return app

    async def _index(self, _request: web.Request) -> web.FileResponse:
        return web.FileResponse((self._page or Path()) / "index.html")

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = self._tasks.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    def _app_changed(self, app_id: str) -> None:
        app = show.app(self.core, self.core.state.apps[app_id])
        self.core.streams.tell_each("app", lambda _reader: {"app": app})

    # ------------------------------------------------------------------ running

    async def __aenter__(self) -> Self:
        """Listen."""
        await self._tasks.__aenter__()
        await self._runner.setup()
        site = web.TCPSite(self._runner, _HOST, self._port)
        await site.start()
        port = self._runner.addresses[0][1]
        self.core.base_url = f"http://{_HOST}:{port}"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Shut: streams end, sockets close, deliveries still under way are given up."""
        self.core.streams.end()
        await self.core.courier.close()
        for task in list(self._running):
            task.cancel()
        await self._runner.cleanup()
        await self._tasks.__aexit__(None, None, None)

    @property
    def base_url(self) -> str:
        """Where people find the page."""
        return self.core.base_url

    @property
    def api_url(self) -> str:
        """What an app takes as its `base_url`."""
        return f"{self.core.base_url}/api/"

    async def settled(self, within: float = 5.0) -> None:
        """Wait until every delivery is acked or given up."""
        deliveries = self.record.deliveries
        await until(lambda: all(d.state != "pending" for d in deliveries), within, "Quiet")

    # ------------------------------------------------------------------ apps

    async def use_http(self, app_id: str, request_url: str) -> None:
        """Serve an app over signed HTTP from now on, after Slack's `url_verification` handshake."""
        app = self.core.state.apps[app_id]
        await self.core.courier.pushes.verify(app, request_url)
        self.core.state.apps[app_id] = replace(app, request_url=request_url)

    def regrant(self, app_id: str, scopes: frozenset[str]) -> None:
        """Give an app other scopes."""
        self.core.state.apps[app_id] = replace(self.core.state.apps[app_id], scopes=scopes)

    async def disconnect(self, reason: str = "refresh_requested", app_id: str = "") -> None:
        """Send the apps' sockets away with a `disconnect` frame."""
        await self.core.courier.sockets.disconnect(reason, app_id)

    def abort(self, app_id: str = "") -> None:
        """Cut the apps' sockets without a word."""
        self.core.courier.sockets.abort(app_id)

    def connections(self, app_id: str) -> int:
        """How many sockets an app has open."""
        return len(self.core.courier.sockets.of(app_id))

    # ------------------------------------------------------------------ what happens

    def alert(self, app_id: str, channel: str, **said: Any) -> Message:
        """Post as an installed app without going through its token: `text`, `blocks`, `attachments`, `username`."""
        app = self.core.state.apps[app_id]
        body = content(self.core, said)
        named = said.get("username")
        authored = by_name(app, body, str(named)) if named else by_bot(self.core, app, body)
        return talk.say(self.core, self.core.state.conversation(channel), authored, app_id=app_id)

    def inject(self, channel: str, event: Json) -> None:
        """Tell the apps in a channel of a message event exactly as given; nothing is stored. For shapes only Slack makes."""
        conversation = self.core.state.conversation(channel)
        events.message_event(
            self.core, conversation, {"type": "message", "ts": self.core.mint.ts(), **event}
        )

    def unfurl(self, message: Message, attachment: Json) -> None:
        """Add a link preview to a message: a `message_changed` that nobody made."""
        previews = [*message.body.get("attachments", []), attachment]
        talk.change(self.core, message, {**message.body, "attachments": previews})

    def message(self, channel: str, ts: str) -> Message:
        """A message as it is now."""
        return talk.message_at(self.core.state.conversation(channel), ts)

    def deactivate(self, name: str) -> None:
        """Somebody leaves the company."""
        membership.deactivate(self.core, self.core.state.person(name))

    def regroup(self, group_id: str, *names: str) -> None:
        """Change who is in a user group."""
        users = tuple(self.core.state.person(name).id for name in names)
        membership.regroup(self.core, self.core.state.groups[group_id], users)

    def remove_from(self, channel: str, name: str) -> None:
        """Take somebody (or a bot) out of a channel."""
        membership.leave(
            self.core, self.core.state.conversation(channel), self.core.state.person(name).id
        )

    def archive(self, channel: str, by: str) -> None:
        """Archive a channel."""
        membership.archive(
            self.core, self.core.state.conversation(channel), self.core.state.person(by).id
        )

    def rename(self, channel: str, by: str, name: str) -> None:
        """Rename a channel."""
        membership.rename(
            self.core, self.core.state.conversation(channel), self.core.state.person(by).id, name
        )

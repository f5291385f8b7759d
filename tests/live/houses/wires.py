"""What lies between each house and the real server: it notes what passes, loses answers, and tells a test of moments.

One proxy for each house, so that a test knows who asked.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

import httpx
from aiohttp import web

_NOT_OURS = ("content-length", "content-encoding", "transfer-encoding", "connection", "host")


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """One request, and which house sent it."""

    who: int
    method: str
    path: str
    body: bytes


Is = Callable[[Asked], bool]
On = Callable[[str, int], Awaitable[None]]


async def nothing(_what: str, _who: int) -> None:
    """Nothing goes wrong."""


@dataclass(kw_only=True)
class Wires:
    """`on(what, who)` is waited for: `look` before the answer to a look-up by key is handed back, `start` before
    a start is passed on, `started` when the server has taken it and nobody knows yet.

    With `lose` the first answer to a start never comes back: the connection breaks.
    """

    target: str
    starts: Is
    looks: Is
    on: On = nothing
    lose: bool = False
    lost: int = 0
    urls: list[str] = field(default_factory=list)
    seen: list[Asked] = field(default_factory=list)

    @property
    def started(self) -> Sequence[Asked]:
        """Every request that would start a run."""
        return [asked for asked in self.seen if self.starts(asked)]

    async def pass_on(
        self, who: int, client: httpx.AsyncClient, request: web.Request
    ) -> web.StreamResponse:
        """One request to the real server and its answer back."""
        body = await request.read()
        asked = Asked(who=who, method=request.method, path=request.path, body=body)
        self.seen.append(asked)
        start = self.starts(asked)
        if start:
            await self.on("start", who)
        headers = _kept(request.headers)
        url = f"{self.target}{request.raw_path}"
        answer = await client.request(request.method, url, content=body, headers=headers)
        if self.looks(asked):
            await self.on("look", who)
        if start and answer.is_success:
            await self.on("started", who)
            if self.lose and not self.lost:
                self.lost += 1
                if request.transport is not None:
                    request.transport.abort()
        told = _kept(answer.headers)
        return web.Response(body=answer.content, status=answer.status_code, headers=told)


def _kept(headers: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name.lower() not in _NOT_OURS}


@asynccontextmanager
async def before(wires: Wires, count: int) -> AsyncIterator[Wires]:
    """So many proxies before the server for as long as the block lasts; `urls` tells each house its own."""
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(httpx.AsyncClient(trust_env=False, timeout=60))
        for who in range(count):
            wires.urls.append(await stack.enter_async_context(_serving(wires, who, client)))
        yield wires


@asynccontextmanager
async def _serving(wires: Wires, who: int, client: httpx.AsyncClient) -> AsyncIterator[str]:
    async def handle(request: web.Request) -> web.StreamResponse:
        return await wires.pass_on(who, client, request)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()

"""A loopback proxy before a real Airflow: it notes what passes, and may lose the answer to a start."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx
from aiohttp import web

_NOT_OURS = ("content-length", "content-encoding", "transfer-encoding", "connection", "host")


@dataclass(kw_only=True, slots=True)
class Proxy:
    """Its address, and `METHOD /path` of all that passed, in order."""

    url: str = ""
    seen: list[str] = field(default_factory=list)
    lost: int = 0
    """How many starts the server accepted without anybody hearing of it."""

    def starts(self) -> list[str]:
        """The requests that would start a run."""
        return [line for line in self.seen if line.startswith("POST") and "dagRuns" in line]


@asynccontextmanager
async def before(
    url: str,
    *,
    lose_starts: bool = False,
    silence: float = 20,
    meanwhile: Callable[[], object] | None = None,
) -> AsyncIterator[Proxy]:
    """A proxy before `url` for as long as the block lasts.

    With `lose_starts` the server gets and accepts a start, and whoever asked never hears of it: after
    `silence`, in seconds, the connection breaks. `meanwhile` is done just before a start is passed on.
    """
    proxy = Proxy()

    async def handle(request: web.Request) -> web.StreamResponse:
        proxy.seen.append(f"{request.method} {request.path}")
        headers = {k: v for k, v in request.headers.items() if k.lower() not in _NOT_OURS}
        start = request.method == "POST" and "dagRuns" in request.path
        if start and meanwhile:
            await asyncio.to_thread(meanwhile)
        answer = await client.request(
            request.method,
            f"{url}{request.raw_path}",
            content=await request.read(),
            headers=headers,
        )
        if lose_starts and start:
            assert answer.is_success, answer.text
            proxy.lost += 1
            await asyncio.sleep(silence)
            if request.transport is not None:
                request.transport.abort()
        told = {k: v for k, v in answer.headers.items() if k.lower() not in _NOT_OURS}
        return web.Response(body=answer.content, status=answer.status_code, headers=told)

    async with (
        httpx.AsyncClient(trust_env=False, timeout=30) as client,
        _serving(handle) as proxy.url,
    ):
        yield proxy


@asynccontextmanager
async def _serving(
    handle: Callable[[web.Request], Awaitable[web.StreamResponse]],
) -> AsyncIterator[str]:
    """Its address, on a free port."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()

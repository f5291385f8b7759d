"""A loopback proxy before a real Dagster: it demands a token as Dagster+ does, and is slow on purpose."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
from aiohttp import web

TOKEN = "user:planted-secret"
_HEADER = "Dagster-Cloud-Api-Token"
_JSON = {"content-type": "application/json"}


@asynccontextmanager
async def before(url: str, *, delay: float = 0, hold_back_start: float = 0) -> AsyncIterator[str]:
    """The base URL of a proxy before `url` for as long as the block lasts.

    `delay` comes before the request is passed on; `hold_back_start` after a start was passed on.
    """

    async def handle(request: web.Request) -> web.Response:
        if request.headers.get(_HEADER) != TOKEN:
            return web.json_response({"error": "unauthorized"}, status=401)
        await asyncio.sleep(delay)
        body = await request.read()
        answer = await client.post(f"{url}{request.path}", content=body, headers=_JSON)
        await asyncio.sleep(hold_back_start if b"mutation" in body else 0)
        return web.Response(body=answer.content, status=answer.status_code, headers=_JSON)

    app = web.Application()
    app.router.add_post("/graphql", handle)
    async with httpx.AsyncClient(trust_env=False, timeout=30) as client:
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        try:
            yield f"http://127.0.0.1:{runner.addresses[0][1]}"
        finally:
            await runner.cleanup()

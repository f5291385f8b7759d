"""A loopback proxy before a real Prefect that passes a start on and loses the answer."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
from aiohttp import web


@asynccontextmanager
async def losing_starts(url: str) -> AsyncIterator[str]:
    """The base URL of a proxy before `url`; what creates a run arrives there and is never answered."""

    async def handle(request: web.Request) -> web.Response:
        head = {"Authorization": request.headers["Authorization"]}
        answer = await client.request(
            request.method,
            f"{url}{request.path_qs}",
            content=await request.read(),
            headers={**head, "content-type": "application/json"},
        )
        if request.path.endswith("/create_flow_run") and request.transport:
            request.transport.close()
        return web.Response(
            body=answer.content, status=answer.status_code, content_type="application/json"
        )

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", handle)
    async with httpx.AsyncClient(trust_env=False, timeout=30) as client:
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        try:
            yield f"http://127.0.0.1:{runner.addresses[0][1]}"
        finally:
            await runner.cleanup()

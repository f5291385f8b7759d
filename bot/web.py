"""What can be asked over HTTP: is it alive, can it work, what are its figures; and Slack's HTTP mode.

`/healthz` answers while the process lives: restart it when it does not. `/readyz` answers 200 while
database, Slack and worker are well, else 503 with the reasons: send it no work, but do not restart it.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager

from aiohttp import web

from bot.health import Finding, Health
from bot.metrics import Metrics

PATIENCE = 5.0
"""Seconds that looking at the own health may take; slower than that is not ready."""

_HEALTH = web.AppKey("health", Health)
_METRICS = web.AppKey("metrics", Metrics)
_SHOW: web.AppKey[Callable[[str], str]] = web.AppKey("show")
_PATIENCE = web.AppKey("patience", float)


def build_web(
    health: Health,
    metrics: Metrics,
    extra_routes: Iterable[web.AbstractRouteDef] = (),
    *,
    redact: Callable[[str], str] = str,
    patience: float = PATIENCE,
) -> web.Application:
    """The app. `extra_routes` are those of Slack's HTTP mode; `redact` takes secrets out of reasons."""
    app = web.Application()
    app[_HEALTH], app[_METRICS], app[_SHOW] = health, metrics, redact
    app[_PATIENCE] = patience
    app.add_routes(
        [
            web.get("/healthz", _healthz),
            web.get("/readyz", _readyz),
            web.get("/metrics", _figures),
            *extra_routes,
        ]
    )
    return app


@asynccontextmanager
async def serving(app: web.Application, host: str, port: int) -> AsyncIterator[str]:
    """Serve while inside; yields the address. Port 0 takes a free one. Raises OSError when taken."""
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port)
        await site.start()
        yield f"http://{host}:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


async def _healthz(_: web.Request) -> web.Response:
    return web.json_response({"ok": True})


async def _readyz(request: web.Request) -> web.Response:
    app = request.app
    findings, show = await _looked(app[_HEALTH], app[_PATIENCE]), app[_SHOW]
    ready = all(finding.ok is not False for finding in findings)
    parts = {f.name: {"ok": f.ok, "says": show(f.says)} for f in findings}
    return web.json_response({"ready": ready, "parts": parts}, status=200 if ready else 503)


async def _looked(health: Health, patience: float) -> Sequence[Finding]:
    try:
        async with asyncio.timeout(patience):
            return await health.ready()
    except TimeoutError:
        says = f"its parts did not say how they are within {patience:g} s"
        return [Finding(name="health", ok=False, says=says)]


async def _figures(request: web.Request) -> web.Response:
    metrics = request.app[_METRICS]
    return web.Response(body=metrics.render(), headers={"Content-Type": metrics.content_type})

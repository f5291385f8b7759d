"""A house at work: it listens, works and answers until it is told to stop; then it drains."""

import asyncio
import gc
from collections import Counter

import structlog
from aiohttp import web

from bot.log import Redactor
from bot.main.house import House
from bot.outbox import refresh
from bot.ports import StoreUnavailable
from bot.web import build_web, serving
from bot.worker.catching_up import first_look
from bot.worker.polling import first_looks
from handlers.app import http_endpoint
from policies.kinds import runs

log = structlog.get_logger("dw")
_MEASURE_SECONDS = 5.0


def settle() -> None:
    """What was loaded to start stays: the collector need not walk it again, which would hold up acks."""
    gc.collect()
    gc.freeze()


async def live(built: House, stopping: asyncio.Event) -> None:
    """Listen, work and answer health checks until `stopping` is set; then drain."""
    await look_around(built)
    app = build_web(
        built,
        built.metrics,
        [*_slack_routes(built), *built.doors.routes()],
        redact=Redactor(built.settings.secret_values()).text,
    )
    async with serving(app, built.settings.host, built.settings.port) as address:
        log.info("started", address=address, mode=built.settings.slack_mode)
        async with asyncio.TaskGroup() as tasks:
            sockets = tasks.create_task(built.sockets.run()) if built.sockets else None
            tasks.create_task(built.worker.run())
            measuring = tasks.create_task(_measure(built))
            await stopping.wait()
            log.info("stopping")
            measuring.cancel()
            if sockets is not None:
                sockets.cancel()
                await asyncio.wait([sockets])
            built.worker.stop()
    await _keep_counts(built)


async def look_around(built: House) -> None:
    """After a restart: every open copy is looked at again, and the systems are polled."""
    now = built.clock.now()
    if built.store.database.alone:
        log.info("claims_freed", rows=await built.store.free())
    for line in await built.store.incidents(open_only=True, limit=1000):
        incident = await built.store.load(line.id)
        if incident is not None:
            await built.store.add(refresh(incident, now))
    await built.store.add((first_look(now),), keep=True)
    if built.rules.poll_every is not None:
        names = [n for n, c in built.rules.connections.items() if runs(c.kind)]
        await built.store.add(first_looks(names, now), keep=True)


async def _measure(built: House) -> None:
    """Keep the gauges fresh; a database that does not answer is `/readyz`'s to tell."""
    while True:
        await _keep_counts(built)
        try:
            stats = await built.store.stats(built.clock.now())
            lines = await built.store.incidents(open_only=True, limit=1000)
            stopped = await built.store.stopped() is not None
            built.metrics.stands(stats, Counter(line.phase for line in lines), stopped=stopped)
        except StoreUnavailable as problem:
            log.warning("not_measured", problem=str(problem))
        await asyncio.sleep(_MEASURE_SECONDS)


async def _keep_counts(built: House) -> None:
    """What webhooks were told, for the doctor of another process."""
    try:
        await built.doors.tally.keep(built.store)
    except StoreUnavailable as problem:
        log.warning("hooks_not_counted", problem=str(problem))


def _slack_routes(built: House) -> list[web.AbstractRouteDef]:
    if built.settings.slack_mode == "socket":
        return []
    endpoint = http_endpoint(built.slack.app, built.metrics.unsigned.inc)
    return [web.post("/slack/events", endpoint)]

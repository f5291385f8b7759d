"""The composition root: the only place that names the concrete store, connectors and Slack.

It builds, starts, and on SIGTERM or Ctrl-C drains: nothing new is taken, what is in hand is finished.
"""

import asyncio
import gc
import signal
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import structlog
from aiohttp import web

from bot import anchor
from bot.clock import Clock, SystemClock
from bot.desk import Desk
from bot.health import Finding
from bot.log import Redactor
from bot.metrics import Metrics
from bot.outbox import refresh
from bot.ports import Directory, StoreUnavailable
from bot.seating import Seating
from bot.settings import Settings
from bot.store.store import SqlStore, open_store
from bot.web import build_web, serving
from bot.worker.catching_up import first_look
from bot.worker.context import Context, Pace, Systems
from bot.worker.kinds import KINDS
from bot.worker.loop import Worker
from bot.worker.polling import first_looks
from connectors.catalogue import Catalogue, Secrets, build
from handlers.app import Access, access_of, check_app_token, http_endpoint, open_session
from handlers.entrance import Slack, Wish, enter
from handlers.socket import Sockets
from policies.kinds import runs
from policies.rules import Rules
from policies.signal import Sender

log = structlog.get_logger("dw")
_SLOWEST_LOOK = timedelta(seconds=30)
_MEASURE_SECONDS = 5.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Means:
    """What a house is built with: the real ones, as they are; a test has its own.

    `build` makes the connectors; `posts` and `updates` are messages a second to Slack.
    """

    build: Callable[..., Catalogue] = build
    clock: Clock = field(default_factory=SystemClock)
    pace: Pace = field(default_factory=Pace)
    posts: float = 1.0
    updates: float = 0.8


@dataclass(frozen=True, kw_only=True, slots=True)
class FileAnchor:
    """`bot.ports.Anchor` over a file."""

    path: Path
    clock: Clock

    async def write(self, number: int, head: str) -> None:
        """Append; a thread, because the disk may be slow."""
        await asyncio.to_thread(anchor.append, self.path, number, head, self.clock.now())


@dataclass(frozen=True, kw_only=True, slots=True)
class House:
    """Everything built and connected, nothing running yet."""

    settings: Settings
    rules: Rules
    store: SqlStore
    desk: Desk
    worker: Worker
    slack: Slack
    sockets: Sockets | None
    metrics: Metrics
    clock: Clock = field(default_factory=SystemClock)

    async def ready(self) -> Sequence[Finding]:
        """`bot.health.Health`: database, Slack and worker."""
        return (await self._database(), self._slack(), self._worker())

    async def _database(self) -> Finding:
        try:
            await self.store.ping()
        except StoreUnavailable as problem:
            return Finding(name="database", ok=False, says=str(problem))
        return Finding(name="database", ok=True, says="answers")

    def _slack(self) -> Finding:
        if self.sockets is None:
            return Finding(name="slack", ok=True, says="listens for Slack's requests")
        open_ = self.sockets.listening
        return Finding(name="slack", ok=open_ > 0, says=f"{open_} sockets connected")

    def _worker(self) -> Finding:
        age = self.clock.now() - self.worker.last_look
        says = f"looked {age.total_seconds():.0f} s ago"
        return Finding(name="worker", ok=age < _SLOWEST_LOOK, says=says)


async def run(settings: Settings, rules: Rules) -> int:
    """Run until told to stop. Raises what a person must mend before it can start."""
    async with house(settings, rules) as built:
        stopping = asyncio.Event()
        for name in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(name, stopping.set)
        settle()
        await live(built, stopping)
    log.info("stopped")
    return 0


def settle() -> None:
    """What was loaded to start stays: the collector need not walk it again, which would hold up acks."""
    gc.collect()
    gc.freeze()


@asynccontextmanager
async def house(
    settings: Settings, rules: Rules, means: Means | None = None
) -> AsyncIterator[House]:
    """Build everything; let go of it afterwards."""
    means = means or Means()
    clock, wake, metrics = means.clock, asyncio.Event(), Metrics()
    store = await open_store(settings.database_url.get_secret_value())
    catalogue = means.build(rules, _secrets(settings, rules), acting=settings.acting)
    access = access_of(settings)
    session = open_session(access)
    try:
        desk = Desk(store, rules, clock, wake)
        seating = _seating(rules, clock, store, catalogue)
        slack = await enter(
            access, session, desk, clock, _wish(settings, means, rules.alert_channels, seating)
        )
        for problem in slack.problems:
            log.error("alert_channel_missing", problem=problem)
        pace = replace(means.pace, follow=settings.follow_seconds, watch=settings.watch_seconds)
        context = _context((store, catalogue, slack), rules, metrics, pace, clock)
        if settings.anchor is not None:
            context = replace(context, anchor=FileAnchor(path=settings.anchor, clock=clock))
        yield House(
            settings=settings,
            rules=rules,
            store=store,
            desk=desk,
            worker=Worker(context, KINDS, wake),
            slack=slack,
            sockets=await _sockets(settings, access, slack),
            metrics=metrics,
            clock=clock,
        )
    finally:
        await session.close()
        await catalogue.close()
        await store.close()


def _seating(
    rules: Rules, clock: Clock, store: SqlStore, catalogue: Catalogue
) -> Callable[[Directory], Directory]:
    """Puts rotas, schedules and absences in front of Slack's directory."""

    def seating(slack: Directory) -> Directory:
        return Seating(
            slack=slack,
            rules=rules,
            clock=clock,
            absences=store,
            schedules=catalogue.schedules,
        )

    return seating


async def live(built: House, stopping: asyncio.Event) -> None:
    """Listen, work and answer health checks until `stopping` is set; then drain."""
    await _look_around(built)
    app = build_web(
        built,
        built.metrics,
        _slack_routes(built),
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


async def _look_around(built: House) -> None:
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
        try:
            stats = await built.store.stats(built.clock.now())
            lines = await built.store.incidents(open_only=True, limit=1000)
            stopped = await built.store.stopped() is not None
            built.metrics.stands(stats, Counter(line.phase for line in lines), stopped=stopped)
        except StoreUnavailable as problem:
            log.warning("not_measured", problem=str(problem))
        await asyncio.sleep(_MEASURE_SECONDS)


def _wish(
    settings: Settings,
    means: Means,
    channels: Sequence[str],
    seating: Callable[[Directory], Directory],
) -> Wish:
    return Wish(
        alert_channels=channels,
        posts_per_second=means.posts,
        updates_per_second=means.updates,
        authenticators={
            who: secret.get_secret_value() for who, secret in settings.authenticators().items()
        },
        seating=seating,
    )


def _secrets(settings: Settings, rules: Rules) -> dict[str, Secrets]:
    """The one place where secrets leave their wrapping: into the connectors that use them."""
    return {name: Secrets(**settings.secrets_for(name).bare()) for name in rules.connections}


async def _sockets(settings: Settings, access: Access, slack: Slack) -> Sockets | None:
    if settings.slack_mode == "http":
        return None
    await check_app_token(slack.client, access.app_token or "")
    return Sockets(slack.app, access.app_token or "", loopback=access.loopback)


def _slack_routes(built: House) -> list[web.AbstractRouteDef]:
    if built.settings.slack_mode == "socket":
        return []
    return [web.post("/slack/events", http_endpoint(built.slack.app))]


def _context(
    parts: tuple[SqlStore, Catalogue, Slack],
    rules: Rules,
    metrics: Metrics,
    pace: Pace,
    clock: Clock,
) -> Context:
    store, catalogue, slack = parts
    systems = Systems(
        readers=catalogue.readers,
        orchestrators=catalogue.orchestrators,
        actuators=catalogue.actuators,
        manifests=catalogue.manifests,
    )
    return Context(
        store=store,
        announcer=slack.announcer,
        directory=slack.directory,
        answerer=slack.answerer,
        systems=systems,
        rules=rules,
        clock=clock,
        own=Sender(bot_id=slack.me.bot, app_id=slack.me.app, user=slack.me.user),
        pace=pace,
        metrics=metrics,
        history=slack.history,
    )

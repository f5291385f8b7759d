"""Builds every part from settings and dw.yml, and hands each what it needs."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

import structlog
from aiohttp import ClientSession

from bot.clock import Clock
from bot.desk import Desk
from bot.main.anchoring import FileAnchor
from bot.main.house import House
from bot.main.mailing import office_of, pages
from bot.main.means import Means
from bot.metrics import Metrics
from bot.ports import Directory
from bot.seating import Seating
from bot.settings import Settings
from bot.store.store import SqlStore, open_store
from bot.worker.context import Context, Pace, Systems
from bot.worker.kinds import KINDS
from bot.worker.loop import Worker
from connectors.catalogue import Catalogue, Secrets
from handlers.app import Access, access_of, check_app_token, open_session
from handlers.entrance import Slack, Wish, enter
from handlers.socket import Sockets
from handlers.webhooks import Doors, Tally
from policies.rules import Rules
from policies.signal import Sender

log = structlog.get_logger("dw")


@asynccontextmanager
async def house(
    settings: Settings, rules: Rules, means: Means | None = None
) -> AsyncIterator[House]:
    """Build everything; let go of it afterwards."""
    means = means or Means()
    clock, wake, metrics = means.clock, asyncio.Event(), Metrics()
    store = await open_store(settings.database_url.get_secret_value())
    catalogue = _catalogue(settings, rules, means)
    access = access_of(settings)
    session = open_session(access)
    try:
        desk = Desk(store, rules, clock, wake, catalogue.no_actuator)
        seating = _seating(rules, clock, store, catalogue)
        office = office_of(settings, rules, session, clock)
        wish = _wish(settings, means, rules.alert_channels, seating)
        login = office.login_page if office and office.login else None
        wish = replace(wish, login_page=login, repeated=metrics.repeated.inc)
        slack = await _entered(access, session, desk, clock, wish)
        context = _context((store, catalogue, slack), rules, metrics, _pace(settings, means), clock)
        anchor = FileAnchor(path=settings.anchor, clock=clock) if settings.anchor else None
        context = replace(context, anchor=anchor, postman=office.postman if office else None)
        yield House(
            settings=settings,
            rules=rules,
            store=store,
            desk=desk,
            worker=Worker(context, KINDS, wake, desk.arriving),
            slack=slack,
            sockets=await _sockets(settings, access, slack, alone=store.database.alone),
            metrics=metrics,
            anchor=anchor,
            doors=_doors(settings, rules, desk, clock, metrics),
            pages=pages(office, desk, slack, metrics),
            clock=clock,
        )
    finally:
        await session.close()
        await catalogue.close()
        await store.close()


def _catalogue(settings: Settings, rules: Rules, means: Means) -> Catalogue:
    secrets = _secrets(settings, rules)
    return means.build(rules, secrets, acting=settings.acting, data=settings.data)


async def _entered(
    access: Access, session: ClientSession, desk: Desk, clock: Clock, wish: Wish
) -> Slack:
    slack = await enter(access, session, desk, clock, wish)
    for problem in slack.problems:
        log.error("alert_channel_missing", problem=problem)
    return slack


def _pace(settings: Settings, means: Means) -> Pace:
    return replace(means.pace, follow=settings.follow_seconds, watch=settings.watch_seconds)


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


def _doors(settings: Settings, rules: Rules, desk: Desk, clock: Clock, metrics: Metrics) -> Doors:
    """The ways in for webhooks. Raises `ConfigError` for one without a secret."""
    return Doors(
        webhooks=rules.webhooks,
        secrets=settings.hook_secrets(rules.webhooks),
        desk=desk,
        clock=clock,
        tally=Tally(metrics, clock),
    )


async def _sockets(
    settings: Settings, access: Access, slack: Slack, *, alone: bool
) -> Sockets | None:
    if settings.slack_mode == "http":
        return None
    await check_app_token(slack.client, access.app_token or "")
    return Sockets(slack.app, access.app_token or "", loopback=access.loopback, alone=alone)


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

"""Alert → durable: a storm of alerts, each read, stored with the wish to take it up, and counted when its ack may go."""

import asyncio
import itertools
import time
from collections.abc import Awaitable, Callable

from sqlalchemy import text

from bot.clock import SystemClock
from bot.desk import Desk
from bot.store.store import SqlStore, open_store
from handlers.payloads import parse
from handlers.payloads.own import Identity
from tests.bench.figures import Figure
from tests.journeys.stage import rules

ALERTS, CALLERS, CONNECTIONS = 3000, 100, 10
ME = Identity(team="T1", user="U0DWBOT", bot="B0DWBOT", app="A0DWBOT")
HERE = frozenset({"C0ALERTS"})
_TABLE = "CREATE TABLE bare (key TEXT PRIMARY KEY, body TEXT NOT NULL)"
_ROW = text("INSERT INTO bare (key, body) VALUES (:key, :body)")
_runs = itertools.count()


async def measure(url: str, database: str, goal: int) -> Figure:
    """Alerts a second, beside as many bare inserts with a transaction each."""
    store, connections = await open_store(url), asyncio.Semaphore(CONNECTIONS)
    desk = Desk(store, rules(), SystemClock(), asyncio.Event())
    async with store.database.write() as connection:
        await connection.execute(text(_TABLE))
    try:
        for count in (CALLERS, ALERTS):  # the first one warms up
            baseline = await a_second(count, lambda key: _bare(store, connections, key))
            ours = await a_second(count, lambda key: _alert(desk, key))
    finally:
        await store.close()
    return Figure(
        name=f"alert → durable, {CALLERS} callers, {database}",
        unit="alerts/s",
        ours=ours,
        baseline=baseline,
        beside="one-row inserts, a transaction each",
        goal=f"≥ {goal}/s",
        met=ours >= goal,
    )


async def a_second(count: int, store: Callable[[str], Awaitable[object]]) -> float:
    """How many a second, by so many callers, each waiting for its answer before the next."""
    run = next(_runs)
    keys = (f"{run}:{n}" for n in range(count))

    async def call() -> None:
        for key in keys:
            await store(key)

    began = time.perf_counter()
    async with asyncio.TaskGroup() as callers:
        for _ in range(CALLERS):
            callers.create_task(call())
    return count / (time.perf_counter() - began)


async def _alert(desk: Desk, key: str) -> None:
    item = parse.message(_payload(key), SystemClock().now(), ME, HERE)
    assert item is not None
    assert await desk.receive(item), "known already"


async def _bare(store: SqlStore, connections: asyncio.Semaphore, key: str) -> None:
    async with connections, store.database.write() as connection:
        await connection.execute(_ROW, {"key": key, "body": "x" * 2000})


def _payload(key: str) -> dict[str, object]:
    """An alert as Slack tells of it."""
    words = f"*Asset check rows_complete failed on raw_sessions_{key}*"
    section = {"type": "section", "text": {"type": "mrkdwn", "text": words}}
    facts = {"type": "mrkdwn", "text": "*Deployment:* prod\n*Partition:* 2026-09-28"}
    event = {
        "type": "message",
        "subtype": "bot_message",
        "channel": "C0ALERTS",
        "ts": f"17{key.replace(':', '.')}",  # each its own place in the channel
        "bot_id": "B0DAGPLUS",
        "app_id": "A0DAGPLUS",
        "text": words,
        "blocks": [section, {"type": "section", "fields": [facts]}],
    }
    return {"event_id": key, "api_app_id": ME.app, "team_id": ME.team, "event": event}

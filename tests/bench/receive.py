"""How fast clicks and alerts are stored: the time from arrival to the moment an ack may be sent."""

import asyncio
import itertools
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import quantiles

from bot.commands import AskQuestion, Received
from bot.ports import NewDue, Store

_AT = datetime(2026, 9, 29, 3, 12, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True, slots=True)
class ReceiveFigures:
    """What was measured: times in milliseconds from call to stored."""

    stored: int
    per_second: float
    median_ms: float
    p99_ms: float
    slowest_ms: float


async def measure_receive(store: Store, n: int, concurrency: int) -> ReceiveFigures:
    """Store `n` new items from so many callers at once, each waiting for its answer before the next."""
    numbers = itertools.count()
    times: list[float] = []
    began = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for _ in range(concurrency):
            group.create_task(_call(store, numbers, n, times))
    took = time.perf_counter() - began
    cuts = quantiles(times, n=100)
    return ReceiveFigures(
        stored=len(times),
        per_second=len(times) / took,
        median_ms=1000 * cuts[49],
        p99_ms=1000 * cuts[98],
        slowest_ms=1000 * max(times),
    )


async def _call(store: Store, numbers: "itertools.count[int]", n: int, times: list[float]) -> None:
    while (number := next(numbers)) < n:
        key = f"bench:{time.time_ns()}:{number}"
        due = NewDue(kind="intake", key=f"intake:{key}", at=_AT, payload={"inbox": key})
        began = time.perf_counter()
        await store.receive(_item(key), due)
        times.append(time.perf_counter() - began)


def _item(key: str) -> Received:
    """About the size of a real click."""
    words = {"incident_id": "DW-1", "request_id": "R1", "person": "U0ANA", "text": "why? " * 20}
    return Received(key=key, command=AskQuestion(key=key, at=_AT, **words), raw="x" * 4000, at=_AT)

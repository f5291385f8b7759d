"""One campaign: so many requests in flight at a time, until all are decided, while things go wrong."""

import asyncio
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tests.faults.campaign.counting import Count
from tests.faults.campaign.field import Field, a_field
from tests.faults.campaign.outside import nothing
from tests.faults.campaign.trouble import Trouble
from tests.postgres_server import Server

PEOPLE = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """How much, and how hard: so many `blows`, with `pause` seconds between two of them."""

    database: str
    requests: int
    at_once: int = 12
    pause: float = 4.0
    blows: int = 1_000_000
    server: Server | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What came of it."""

    plan: Plan
    count: Count
    struck: Counter[str]
    lives: int
    seconds: float


async def play(url: str, folder: Path, plan: Plan) -> Outcome:
    """Play it and count."""
    began = time.perf_counter()
    async with a_field(url, folder, jobs=plan.requests) as field:
        trouble = Trouble(field, plan.pause, plan.server, plan.blows)
        await _until_decided(field, trouble, plan)
        await field.quiet(180)
        found = await field.count()
        lives = sum(replica.lives for replica in field.replicas)
    seconds = time.perf_counter() - began
    return Outcome(plan=plan, count=found, struck=trouble.struck, lives=lives, seconds=seconds)


async def _until_decided(field: Field, trouble: Trouble, plan: Plan) -> None:
    """Trouble all the while; then whoever died last is left standing, to end what is open."""
    field.replicas[0].start()
    await field.hears(2)
    slots = asyncio.Semaphore(plan.at_once)

    async def one(number: int) -> None:
        async with slots:
            await field.trouble(number, PEOPLE)

    async with asyncio.TaskGroup() as beside:
        meanwhile = [beside.create_task(trouble.keep_up()), beside.create_task(trouble.strike())]
        async with asyncio.TaskGroup() as requests:
            for number in range(plan.requests):
                requests.create_task(one(number))
        for task in meanwhile:
            task.cancel()
    field.workspace.faults.clear()
    field.outside.on = nothing
    for replica in field.replicas:
        replica.kill()
        await replica.dead()
        replica.start()

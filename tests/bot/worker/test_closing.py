"""Whatever changed something leaves a receipt, and its head is remembered outside the database."""

import asyncio
from dataclasses import dataclass, field, replace

from bot.worker.kinds import KINDS
from bot.worker.loop import Worker
from connectors.errors import TooSlow
from policies.incident import Phase
from policies.receipt import verify
from tests.bot.worker.world import World


@dataclass
class Outside:
    """The anchor's file, imagined."""

    heads: list[tuple[int, str]] = field(default_factory=list)

    async def write(self, number: int, head: str) -> None:
        self.heads.append((number, head))


async def approved(world: World) -> None:
    await world.alert()
    await world.later(seconds=1)
    await world.approve()


async def settle(world: World) -> None:
    for _ in range(12):
        await world.later(seconds=10)


async def test_an_incident_that_is_handed_over_after_a_start_leaves_a_receipt(
    world: World,
) -> None:
    await approved(world)
    world.actuator.before = [TooSlow() for _ in range(9)]  # type: ignore[misc]
    await world.backfill()
    await settle(world)
    incident = await world.incident()
    assert incident.phase is Phase.HANDED_OVER
    (receipt,) = await world.store.receipts()
    assert (receipt.number, receipt.hash) == (incident.receipt, incident.receipt_hash)
    assert receipt.body["incident"]["phase"] == "handed_over"


async def test_the_head_of_the_receipts_is_anchored_outside_the_database(world: World) -> None:
    outside = Outside()
    world.context = replace(world.context, anchor=outside)
    world.worker = Worker(world.context, KINDS, asyncio.Event())
    await approved(world)
    await world.backfill()
    await world.later(seconds=10)
    world.runs.end("run-1")
    await settle(world)
    assert outside.heads == [await world.store.head()]
    assert verify(await world.store.receipts(), outside.heads[0]) is None

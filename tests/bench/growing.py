"""Three hundred failures of one cause, taken up one after the other: the last ones must cost what the first ones do.

Everything is looked at again with each alert of a trouble, so what grows with their number would make a storm
cost its square.
"""

import time

from bot.commands import Polled, Received
from policies.alert import AlertKind
from policies.lineage import Asset, Lineage
from tests.bench.figures import Figure, milliseconds, p50
from tests.bot.worker.world import World, a_world
from tests.building import an_alert
from tests.clock import FakeClock
from tests.policies import night

FAILED, PART = 300, 50
MODELS = tuple(f"fct_model_{n}" for n in range(FAILED))


async def measure(url: str, database: str) -> Figure:
    """An alert of the last fifty, beside one of the first fifty: of each the middle one."""
    clock = FakeClock()
    async with a_world(url, clock) as world:
        world.systems["dagster"].graph = _everything()  # type: ignore[attr-defined]
        await world.alert()
        await world.later(seconds=31)
        costs = [await _cost(world, first) for first in range(0, FAILED, PART)]
        found = await world.incident()
        assert len(found.alerts) == FAILED + 1, "they are not one incident"
    return Figure(
        name=f"storm: one more alert of a trouble that has {FAILED - PART} of them, {database}",
        unit="ms",
        ours=costs[-1],
        baseline=costs[0],
        beside=f"each of its first {PART}",
        goal="≤ 2 × the first ones",
        met=costs[-1] <= 2 * costs[0],
    )


async def _cost(world: World, first: int) -> float:
    """Milliseconds for one alert, the middle of so many, with all that follows from it."""
    took: list[float] = []
    for number in range(first, first + PART):
        began = time.perf_counter()
        key, model = f"poll:{number}", MODELS[number]
        known = {"kind": AlertKind.RUN_FAILED, "check": None, "partition": night.DAY}
        failed = an_alert(signal_key=key, asset=model, title=model, run_id=f"run-{number}", **known)
        item = Received(key=key, command=Polled(alert=failed), raw="", at=world.clock.now())
        await world.desk.receive(item)
        await world.work()
        took.append(time.perf_counter() - began)
    return milliseconds(p50(took))


def _everything() -> Lineage:
    assets = {m: Asset(key=m, job=f"build_{m}", said_by="dagster") for m in MODELS}
    return Lineage(assets=assets, edges=frozenset(("raw_sessions", m) for m in MODELS))

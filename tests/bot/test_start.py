"""After a restart every open incident is looked at again before anything else."""

from typing import Any

from bot.main import House
from bot.main.living import look_around
from bot.metrics import Metrics
from bot.settings import Settings
from tests.bot.store.builders import LEASE
from tests.bot.worker.world import a_world, sqlite_url


async def test_every_open_copy_is_looked_at_again_after_a_restart(
    tmp_path: Any, clock: Any
) -> None:
    async with a_world(sqlite_url(tmp_path), clock) as world:
        await world.alert()
        await world.later(seconds=1)
        state = await world.request()
        await world.work()
        nothing: dict[str, Any] = {"slack": None, "sockets": None, "doors": None}
        house = House(
            settings=Settings(),
            rules=world.context.rules,
            store=world.store,
            desk=world.desk,
            worker=world.worker,
            metrics=Metrics(),
            clock=clock,
            **nothing,
        )
        await look_around(house)
        keys = {r.key for r in await world.store.claim(clock.now(), limit=50, lease=LEASE)}
    copies = ("card", f"request:{state.request.id}", f"dm:{state.request.id}:U0ANA")
    assert keys >= {f"show:DW-1:{name}" for name in copies}

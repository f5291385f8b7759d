"""A world whose Dagster is looked at once a minute, and what a test says of those looks."""

from datetime import timedelta
from typing import Any

from bot.worker.polling import first_looks
from policies.run import Run, RunState
from policies.sight import Sight
from tests.bot.fakes import FakeOrchestrator
from tests.bot.worker.world import World


async def watching(world: World, **changes: Any) -> FakeOrchestrator:
    """Begin to look; `changes` go over the connection's entry in dw.yml."""
    rules = world.context.rules
    dagster = rules.connections["dagster"].model_copy(update=changes)
    more = {
        "poll_every": timedelta(minutes=1),
        "connections": {**rules.connections, "dagster": dagster},
    }
    world.use(rules=rules.model_copy(update=more))
    await world.store.add(first_looks(["dagster"], world.clock.now()), keep=True)
    await world.work()
    system = world.systems["dagster"]
    assert isinstance(system, FakeOrchestrator)
    return system


async def sight(world: World) -> Sight:
    return (await world.store.sights())["dagster"]


def a_failure(world: World, name: str, **ago: float) -> Run:
    """A run that ended badly so long ago, by the clock of the other side."""
    ended = world.clock.now() - timedelta(**ago)
    return world.runs.add(
        Run(
            connection="dagster",
            id=name,
            job="growth_rollups_job",
            state=RunState.FAILED,
            created_at=ended,
            ended_at=ended,
        )
    )

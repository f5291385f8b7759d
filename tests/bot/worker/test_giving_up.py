"""What fails for ever is told, and what only hiccups is never given up."""

from connectors.errors import Broken
from policies.incident import StepPhase
from policies.run import Run
from tests.bot.worker.world import World


async def started(world: World) -> None:
    """The rollups run."""
    await world.alert()
    await world.later(seconds=1)
    await world.approve()
    await world.backfill()
    await world.later(seconds=10)


def hiccups(world: World, *, always: bool) -> None:
    """Every second look at a run fails, or every one."""
    orchestrator, looks = world.systems["dagster"], [0]
    run = orchestrator.run  # type: ignore[attr-defined]

    async def look(run_id: str) -> Run:
        looks[0] += 1
        if always or looks[0] % 2:
            raise Broken("it stumbled")
        return await run(run_id)  # type: ignore[no-any-return]

    orchestrator.run = look  # type: ignore[attr-defined]


async def test_a_long_run_is_followed_to_its_end_although_many_looks_fail(world: World) -> None:
    await started(world)
    hiccups(world, always=False)
    for _ in range(60):
        await world.later(minutes=6)
    world.runs.end("run-1")
    for _ in range(6):
        await world.later(minutes=6)
    assert (await world.incident()).steps["run_growth_rollups_job"].phase is StepPhase.DONE

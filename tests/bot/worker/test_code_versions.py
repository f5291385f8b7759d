"""Only the code that a plan would run, or that failed, is asked about: an estate has hundreds of jobs."""

from policies.systems import Job
from tests.bot.fakes import FakeOrchestrator
from tests.bot.worker.world import World


async def test_only_the_jobs_of_the_plan_are_asked_for_their_code(world: World) -> None:
    connection = world.context.rules.connections["dagster"]
    jobs = {**connection.jobs, **{f"other_{n}": Job.model_validate({}) for n in range(20)}}
    named = connection.model_copy(update={"jobs": jobs})
    connections = {**world.context.rules.connections, "dagster": named}
    world.use(rules=world.context.rules.model_copy(update={"connections": connections}))
    await world.alert()
    system = world.systems["dagster"]
    assert isinstance(system, FakeOrchestrator)
    assert set(system.versions_asked) == {"growth_rollups_job"}

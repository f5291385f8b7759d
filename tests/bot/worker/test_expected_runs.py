"""A run that never came opens one incident, joins what fails later, and closes it when it comes after all."""

from datetime import datetime, timedelta

from bot.worker.polling import first_looks
from policies import events as e
from policies.incident import Incident, Phase
from policies.systems import Expected
from tests.bot.worker.looks import a_failure, sight, watching
from tests.bot.worker.world import World

JOB = "growth_rollups_job"
EXPECTED = {JOB: Expected(late_after=timedelta(minutes=30))}


def says(world: World, due_at: datetime | None, **more: object) -> None:
    told = {"due_at": due_at.isoformat() if due_at else None, "held": None, **more}
    world.systems["dagster"].values["expected"] = told  # type: ignore[assignment]


async def missing(world: World) -> Incident:
    """Its scheduler died an hour ago."""
    says(world, world.clock.now() - timedelta(hours=1), says="its daemon gave no sign since 03:10")
    await watching(world, expected=EXPECTED)
    await world.later(seconds=1)
    return await world.incident()


async def test_it_opens_one_incident_that_says_why_and_asks_nobody(world: World) -> None:
    incident = await missing(world)
    for _ in range(3):
        await world.later(minutes=2)
    assert len(await world.store.incidents(open_only=True, limit=9)) == 1
    assert incident.phase is Phase.PLANNED
    assert incident.diagnosis is not None
    assert incident.diagnosis.cause is not None
    assert "its daemon gave no sign since 03:10" in incident.diagnosis.cause.says
    assert incident.requests == {}
    assert incident.diagnosis.unknown == ()


async def test_the_incident_closes_with_a_note_when_the_run_comes_after_all(world: World) -> None:
    await missing(world)
    says(world, None, began_at=world.clock.now().isoformat())
    for _ in range(2):
        await world.later(minutes=2)
    incident = await world.incident()
    assert incident.phase is Phase.DISMISSED
    assert (incident.closed_because or "").startswith(f"{JOB} began after all at ")
    entries = await world.store.entries("DW-1")
    assert [x for x in entries if isinstance(x.event, e.Settled)]


async def test_a_failure_of_the_same_job_joins_it_and_keeps_it_open(world: World) -> None:
    await missing(world)
    a_failure(world, "late-and-broken")
    says(world, None)
    for _ in range(3):
        await world.later(minutes=2)
    incident = await world.incident()
    assert [alert.kind.value for alert in incident.alerts] == [
        "run_absent",
        "run_failed",
        "run_came",
    ]
    assert not incident.phase.closed
    assert await world.store.load("DW-2") is None


async def test_a_paused_job_is_said_so_and_opens_nothing(world: World) -> None:
    says(world, world.clock.now() - timedelta(hours=9), held="it is paused")
    await watching(world, expected=EXPECTED)
    assert (await sight(world)).remarks == (f"{JOB}: it is paused; no run is expected",)
    assert await world.store.load("DW-1") is None


async def test_a_restart_forgets_no_missing_run(world: World) -> None:
    await missing(world)
    await world.store.add(first_looks(["dagster"], world.clock.now()), keep=True)
    await world.later(minutes=2)
    assert set((await sight(world)).missing) == {JOB}
    assert await world.store.load("DW-2") is None

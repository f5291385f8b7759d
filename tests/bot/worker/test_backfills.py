"""Failures of one backfill over several days are one incident that says so, and which days its plan does not mend."""

from dataclasses import replace

from handlers import views
from tests.bot.worker.looks import a_failure, watching
from tests.bot.worker.world import World

DAYS = ("2026-09-01", "2026-09-02", "2026-09-03", "2026-09-04")


async def failed(world: World, *days: str, backfill: str | None = "bkfl-1", job: str) -> None:
    """The look finds these days of a backfill, one after the other."""
    for day in days:
        run = a_failure(world, f"{backfill}-{day}")
        world.runs.add(replace(run, partition=day, backfill=backfill, job=job))
        await world.later(minutes=1)


async def cards(world: World) -> list[str]:
    """What each incident's card shows now."""
    await world.later(seconds=31)
    lines = await world.store.incidents(open_only=False, limit=50)
    told = {s.incident.id: s for s in world.slack.showings if s.name == "card"}
    return [str(views.card(told[line.id]).blocks) for line in lines]


async def test_four_days_of_one_backfill_are_one_incident_that_says_so(world: World) -> None:
    await watching(world)
    await failed(world, *DAYS, job="growth_rollups_job")
    (card,) = await cards(world)
    assert "*Backfill `bkfl-1`*: 4 partitions of it failed" in card
    assert "`2026-09-01`, `2026-09-02`, `2026-09-03` and 1 more" in card


async def test_runs_of_picked_assets_have_no_job_in_common_but_their_backfill(world: World) -> None:
    await watching(world)
    await failed(world, *DAYS, job="__ASSET_JOB")
    (card,) = await cards(world)
    assert "4 failures, 1 cause" in card
    assert "*Not mended here*: it failed for `2026-09-02`, `2026-09-03`, `2026-09-04` too" in card


async def test_another_backfill_of_picked_assets_is_another_trouble(world: World) -> None:
    await watching(world)
    await failed(world, DAYS[0], job="__ASSET_JOB")
    await failed(world, DAYS[1], job="__ASSET_JOB", backfill="bkfl-2")
    assert len(await cards(world)) == 2

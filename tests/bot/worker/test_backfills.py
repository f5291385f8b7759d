"""Failures of one backfill over several days are one incident that says so, and which days its plan does not mend."""

from dataclasses import replace

from handlers import views
from policies.incident import Incident, StepPhase
from policies.run import RunState
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
    assert (
        "*Not mended here*: it failed for `2026-09-04` too" in card
    )  # until the plan is drafted anew


async def test_another_backfill_of_picked_assets_is_another_trouble(world: World) -> None:
    await watching(world)
    await failed(world, DAYS[0], job="__ASSET_JOB")
    await failed(world, DAYS[1], job="__ASSET_JOB", backfill="bkfl-2")
    assert len(await cards(world)) == 2


async def replanned(world: World) -> Incident:
    """After a moment in which others may come, the plan is drafted anew."""
    await world.later(seconds=91)
    return await world.incident()


def green(world: World, day: str) -> None:
    """Somebody's run of this day ends well."""
    run = a_failure(world, f"green-{day}")
    assets = ("raw_sessions", "stg_sessions", "fct_daily_active_users")
    more = replace(run, partition=day, state=RunState.SUCCEEDED, assets=assets, job="__ASSET_JOB")
    world.runs.add(more)


async def test_all_partitions_that_failed_are_in_the_plan_and_nothing_is_left_out(
    world: World,
) -> None:
    await watching(world)
    await failed(world, *DAYS[:3], job="__ASSET_JOB")
    (step, *_) = (await replanned(world)).plan.steps  # type: ignore[union-attr]
    assert (step.doer, step.params["partitions"]) == ("person", list(DAYS[:3]))
    assert "3 partitions" in step.title
    (card,) = await cards(world)
    assert "Not mended here" not in card


async def test_one_more_partition_voids_what_was_asked_and_is_asked_with_it(world: World) -> None:
    await watching(world)
    await failed(world, *DAYS[:2], job="__ASSET_JOB")
    before = await replanned(world)
    await failed(world, DAYS[2], job="__ASSET_JOB")
    after = await replanned(world)
    outcomes = [state.outcome for state in after.requests.values()]
    assert len(after.requests) > len(before.requests)
    assert outcomes[-1] is None
    assert set(outcomes[:-1]) == {"void"}
    assert after.step("backfill").params["partitions"] == list(DAYS[:3])


async def test_each_partition_is_told_and_the_last_settles_the_part(world: World) -> None:
    await watching(world)
    await failed(world, *DAYS[:3], job="__ASSET_JOB")
    await replanned(world)
    green(world, DAYS[0])
    await world.approve()
    await world.later(seconds=15)
    state = (await world.incident()).steps["backfill"]
    assert state.phase is StepPhase.READY
    assert state.held == "1 of 3 partitions are green; still to come: 2026-09-02 and 2026-09-03"
    green(world, DAYS[1])
    await world.later(seconds=15)
    assert "2 of 3" in str((await world.incident()).steps["backfill"].held)
    green(world, DAYS[2])
    await world.later(seconds=15)
    await world.later(seconds=15)
    done = (await world.incident()).steps["backfill"]
    assert done.phase is StepPhase.DONE
    assert done.why == "3 of 3 partitions are green: 2026-09-01, 2026-09-02 and 2026-09-03"

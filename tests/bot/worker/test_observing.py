"""At L0 and L1 nobody is asked and nothing runs; what would have been done is compared with what was."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.outbox import replan
from policies.events import ShadowSeen
from policies.incident import Phase
from policies.run import Run, RunState
from tests.bot.worker.levels import STEP, asked, set_level
from tests.bot.worker.world import World, a_world, sqlite_url
from tests.clock import FakeClock
from tests.policies import night


@asynccontextmanager
async def at(folder: Path, clock: FakeClock, level: str) -> AsyncIterator[World]:
    async with a_world(sqlite_url(folder), clock, level=level) as world:
        world.context.rules.admins.append("U0DEE")
        yield world


async def test_l0_shows_the_alert_and_its_owner_and_looks_into_nothing(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with at(tmp_path, clock, "L0") as world:
        await asked(world)
        incident = await world.incident()
        assert (incident.phase, incident.diagnosis, incident.evidence) == (Phase.OPEN, None, ())
        assert incident.observed is not None
        assert incident.observed.owner == "ana@example.com"
        assert {name for _, name in world.slack.shown} == {"card"}


async def test_l1_plans_asks_nobody_and_says_what_each_step_would_have_needed(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with at(tmp_path, clock, "L1") as world:
        await asked(world)
        incident = await world.incident()
        assert incident.phase is Phase.PLANNED
        assert incident.requests == {}
        assert incident.observed is not None
        would = dict(incident.observed.would)
        queue = f"would queue growth_rollups_job for {night.DAY}"
        assert would[STEP] == f"would ask ana@example.com; {queue}"
        assert len(would) == 2


async def test_a_day_later_it_is_seen_that_the_run_was_made_by_hand(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with at(tmp_path, clock, "L1") as world:
        await asked(world)
        world.runs.add(
            Run(
                connection="dagster",
                id="by-hand",
                job="growth_rollups_job",
                state=RunState.SUCCEEDED,
                partition=night.DAY,
                created_at=world.clock.advance(hours=1),
            )
        )
        await world.later(hours=24)
        incident = await world.incident()
        assert incident.phase is Phase.HANDED_OVER
        (seen,) = await looks(world)
        assert seen.run is not None
        assert seen.run.id == "by-hand"
        (domain,) = await world.desk.autonomy()
        (line,) = domain.classes
        assert (line.shadow.would, line.shadow.by_hand) == (1, 1)


async def test_what_is_void_when_its_level_falls_does_not_stay_open_for_ever(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with at(tmp_path, clock, "L2") as world:
        await asked(world)
        await set_level(world, "L1", "*")
        world.systems["dagster"].version = "v2"  # type: ignore[attr-defined]
        await world.store.add([replan("DW-1", world.clock.now())])
        await world.later(seconds=5)
        assert (await world.incident()).open_requests() == ()
        await world.later(hours=25)
        assert (await world.incident()).phase is Phase.HANDED_OVER


async def test_a_day_later_it_is_seen_that_nobody_did_it(tmp_path: Path, clock: FakeClock) -> None:
    async with at(tmp_path, clock, "L1") as world:
        await asked(world)
        await world.later(hours=25)
        assert [seen.run for seen in await looks(world)] == [None]
        assert world.runs.started == []


async def test_a_level_set_in_slack_counts_for_the_next_incident(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with at(tmp_path, clock, "L2") as world:
        await set_level(world, "L1", "*")
        await asked(world)
        incident = await world.incident()
        assert (incident.level, incident.requests) == ("L1", {})


async def looks(world: World) -> list[ShadowSeen]:
    entries = await world.store.entries("DW-1")
    return [x.event for x in entries if isinstance(x.event, ShadowSeen)]

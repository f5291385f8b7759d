"""How long somebody has: as dw.yml says for the change, where they are, and before it is read."""

import asyncio
from datetime import datetime
from pathlib import Path

import pytest

from bot.ports import Due, RetryAfter
from bot.worker.context import Context
from bot.worker.kinds import KINDS
from bot.worker.loop import Worker
from policies import events as e
from tests.bot.worker.test_deciding import asked, events
from tests.bot.worker.world import World, a_world, sqlite_url
from tests.building import a_person
from tests.clock import FakeClock

BERLIN = "Europe/Berlin"
HOURS = {"from": "09:00", "to": "18:00"}


def at(text: str) -> datetime:
    return datetime.fromisoformat(f"2026-09-29T{text}+00:00")


async def test_a_turn_that_begins_at_night_ends_in_the_morning_of_whoever_is_asked(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with a_world(sqlite_url(tmp_path), clock, hours=HOURS) as world:
        world.people.people["U0ANA"] = a_person("U0ANA", tz=BERLIN)
        await asked(world)
        request = (await world.request()).request
        assert request.deadline == at("07:05")
        assert request.until is not None
        assert request.until.hours == f"09:00–18:00 mon-fri, {BERLIN}"
        await world.later(hours=2)
        assert await events(world, e.Reminded) == []
        assert (await world.request()).request.hop == 0
        world.clock.advance(seconds=(at("07:02") - world.clock.now()).total_seconds())
        await world.work()
        assert (await world.request()).open
        await world.later(seconds=40)
        assert len(await events(world, e.Reminded)) == 1
        await world.later(minutes=3)
        assert (await world.request()).request.hop == 1


async def test_it_must_be_decided_before_it_is_read(tmp_path: Path, clock: FakeClock) -> None:
    """The standup is at half past nine; half a day would be too long."""
    times = {"run_job": "12h", "backfill": "12h"}
    async with a_world(sqlite_url(tmp_path), clock, deadlines=times) as world:
        await asked(world)
        request = (await world.request()).request
        assert request.turn.seconds == 12 * 3600
        assert request.deadline == at("09:00")
        assert request.until is not None
        assert request.until.read == "Hex: Growth standup"
        await world.later(hours=8, minutes=30)
        assert (await world.request()).request.hop == 1


@pytest.mark.parametrize("counts", [True, False])
async def test_a_late_answer_of_whoever_was_asked_earlier_counts_only_if_dw_yml_says_so(
    tmp_path: Path, clock: FakeClock, *, counts: bool
) -> None:
    async with a_world(sqlite_url(tmp_path), clock, late_counts=counts) as world:
        await asked(world)
        await world.later(minutes=6)
        assert (await world.request()).request.hop == 1
        await world.approve("U0ANA")
        assert ((await world.request()).outcome == "approved") is counts
        assert (len(await events(world, e.DecisionRefused)) == 0) is counts


async def test_half_of_the_time_is_said_to_whoever_is_asked_in_a_line_of_its_own(
    world: World,
) -> None:
    await asked(world)
    await world.later(minutes=2, seconds=31)
    await world.later(seconds=1)
    notes = [name for _, name in world.slack.shown if name.startswith("note:")]
    assert [name.rpartition(":")[2] for name in notes] == ["U0ANA"]


async def test_the_line_is_brought_up_to_date_when_the_turn_is_over(world: World) -> None:
    """It is the last that somebody reads who looks at their messages in the morning."""
    await asked(world)
    await world.later(minutes=2, seconds=31)
    await world.later(minutes=3)
    await world.later(minutes=2)
    await world.later(minutes=2)
    notes = [name for _, name in world.slack.shown if name.startswith("note:")]
    ana, cleo = ([name for name in notes if name.endswith(who)] for who in ("U0ANA", "U0CLEO"))
    assert len(set(ana)) == len(set(cleo)) == 1
    assert len(ana) >= 3, "posted, moved on, and over"
    assert len(cleo) >= 2


async def test_a_tap_that_can_not_be_weighed_does_not_hold_up_the_chain_for_ever(
    world: World,
) -> None:
    async def never(_context: Context, _due: Due) -> None:
        raise RetryAfter(60, "Slack does not answer")

    await asked(world)
    await world.click("U0ANA")
    world.worker = Worker(world.context, {**KINDS, "intake": never}, asyncio.Event())
    await world.later(minutes=5, seconds=2)
    assert (await world.request()).request.hop == 0, "the tap came in time: it goes first"
    await world.later(minutes=10, seconds=2)
    assert (await world.request()).request.hop == 1

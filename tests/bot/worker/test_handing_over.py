"""A request changes hands: who may hand it over, to whom, and what becomes of the time."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from policies import events as e
from tests.bot.worker.test_deciding import asked, events
from tests.bot.worker.test_the_clock import at
from tests.bot.worker.world import World, a_world, sqlite_url
from tests.building import a_person
from tests.clock import FakeClock


async def test_who_is_chosen_is_asked_and_decides_and_the_chain_goes_on_after_them(
    world: World,
) -> None:
    await asked(world)
    before = (await world.request()).request
    await world.hand_over("U0ANA", "U0ELI")
    state = await world.request()
    assert state.request.turn.seat.ref == "U0ELI"
    assert state.request.deadline == before.deadline
    assert ("U0ELI", 1) in state.asked
    assert [hop.seat.ref for hop in state.request.rule.chain][2:] == ["@data-oncall"]
    await world.approve("U0ELI")
    (decision,) = (await world.request()).decisions
    assert (decision.person, decision.grant.because) == ("U0ELI", "handed over by <@U0ANA>")


async def test_who_handed_it_over_can_not_decide_any_more(world: World) -> None:
    await asked(world)
    await world.hand_over("U0ANA", "U0ELI")
    await world.approve("U0ANA")
    assert (await world.request()).open
    assert "You can't decide it any more" in world.slack.whispers[0]
    assert "not among those" in world.slack.whispers[1]


async def test_nobody_but_who_may_decide_may_hand_over(world: World) -> None:
    await asked(world)
    await world.hand_over("U0ELI", "U0BO")
    assert await events(world, e.HandedOn) == []
    assert len(await events(world, e.DecisionRefused)) == 1
    assert "Only somebody who may decide" in world.slack.whispers[0]


async def test_it_goes_to_nobody_who_may_not_decide_or_had_it_before(world: World) -> None:
    world.people.people["U0BO"] = replace(world.people.people["U0BO"], guest=True)
    await asked(world)
    for to in ("U0BO", "U0NOBODY", "U0ANA"):
        await world.hand_over("U0ANA", to)
    assert await events(world, e.HandedOn) == []
    assert [
        next(p for p in ("guests never", "does not know", "with you already") if p in said)
        for said in world.slack.whispers
    ] == ["guests never", "does not know", "with you already"]
    await world.hand_over("U0ANA", "U0ELI")
    await world.hand_over("U0ELI", "U0ANA")
    assert "handed it on already" in world.slack.whispers[-1]


async def test_at_least_half_of_the_time_is_left_and_then_the_next_is_asked(world: World) -> None:
    await asked(world)
    start = (await world.request()).request.asked_at
    await world.later(minutes=4)
    await world.hand_over("U0ANA", "U0ELI")
    state = await world.request()
    assert state.request.deadline >= start + timedelta(minutes=4) + timedelta(seconds=150)
    assert not state.reminded
    await world.later(seconds=80)
    assert (await world.request()).reminded
    await world.later(seconds=80)
    state = await world.request()
    assert state.request.turn.seat.ref == "@data-oncall"
    await world.later(minutes=4)
    assert (await world.request()).outcome == "expired"


async def test_whoever_takes_over_has_half_of_it_in_their_own_working_hours(
    tmp_path: Path, clock: FakeClock
) -> None:
    hours = {"from": "09:00", "to": "18:00"}
    async with a_world(sqlite_url(tmp_path), clock, hours=hours) as world:
        world.people.people["U0ANA"] = a_person("U0ANA", tz="Asia/Tokyo")
        world.people.people["U0ELI"] = a_person("U0ELI", tz="Europe/Berlin")
        await asked(world)
        assert (await world.request()).request.deadline == at("00:46"), "it is a morning in Tokyo"
        await world.later(minutes=4)
        await world.hand_over("U0ANA", "U0ELI")
        assert (await world.request()).request.deadline == at("07:02:30"), "and a night in Berlin"


async def test_handed_over_it_must_still_be_decided_before_it_is_read(
    tmp_path: Path, clock: FakeClock
) -> None:
    """The standup is at half past nine; half of twelve hours would be long after it."""
    times = {"run_job": "12h", "backfill": "12h"}
    async with a_world(sqlite_url(tmp_path), clock, deadlines=times) as world:
        await asked(world)
        await world.later(hours=8)
        await world.hand_over("U0ANA", "U0ELI")
        assert (await world.request()).request.deadline == at("09:00")

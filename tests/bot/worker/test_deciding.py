"""Taps: who may, who may not, who was first, and what happens when nobody answers."""

import asyncio
from datetime import timedelta

from bot.worker.asking import expire
from bot.worker.intake import intake
from policies import events as e
from policies.incident import Phase, StepPhase
from tests.bot.worker.world import World


async def asked(world: World) -> None:
    await world.alert()
    await world.later(seconds=1)


async def events(world: World, kind: type[e.Event]) -> list[e.Event]:
    return [
        entry.event for entry in await world.store.entries("DW-1") if isinstance(entry.event, kind)
    ]


async def test_somebody_who_is_not_entitled_is_told_why_and_who_is(world: World) -> None:
    await asked(world)
    await world.approve("U0ELI")
    assert (await world.request()).open
    assert "<@U0ANA>" in world.slack.whispers[0]
    assert len(await events(world, e.DecisionRefused)) == 1


async def test_of_two_taps_in_the_same_second_one_decides_and_the_other_is_told(
    world: World,
) -> None:
    await asked(world)
    await asyncio.gather(world.click("U0ANA", "yes"), world.click("U0ANA", "no"))
    await world.later(seconds=1)
    assert len(await events(world, e.DecisionMade)) == 1
    assert len(world.slack.whispers) == 2
    assert any("already" in words for words in world.slack.whispers)


async def test_a_tap_on_an_old_screen_does_not_count(world: World) -> None:
    await asked(world)
    await world.approve(digest="sha256:old")
    assert (await world.request()).open
    assert "not what would run" in world.slack.whispers[0]


async def test_a_redelivered_tap_is_a_no_op(world: World) -> None:
    await asked(world)
    await world.click("U0ANA", key="same")
    await world.click("U0ANA", key="same")
    await world.later(seconds=1)
    assert len(await events(world, e.DecisionMade)) == 1
    assert len(world.slack.whispers) == 1


async def test_a_no_ends_it_and_nothing_runs(world: World) -> None:
    await asked(world)
    await world.approve(choice="no", reason="wrong cause")
    await world.later(minutes=30)
    incident = await world.incident()
    assert incident.phase is Phase.HANDED_OVER
    assert "wrong cause" in (incident.closed_because or "")
    assert world.runs.started == []
    assert incident.receipt is None


async def test_silence_reminds_escalates_and_ends_as_a_no(world: World) -> None:
    await asked(world)
    await world.later(minutes=2, seconds=31)
    assert len(await events(world, e.Reminded)) == 1
    await world.later(minutes=3)
    state = await world.request()
    assert state.request.hop == 1
    assert ("U0CLEO", 1) in state.asked
    await world.later(minutes=4)
    incident = await world.incident()
    assert incident.phase is Phase.HANDED_OVER
    assert {s.phase for s in incident.steps.values()} <= {StepPhase.EXPIRED, StepPhase.PROPOSED}
    assert await events(world, e.ApprovalGranted) == []
    assert world.runs.started == []


async def test_the_next_in_the_chain_may_decide_and_so_may_the_owner_who_is_late(
    world: World,
) -> None:
    await asked(world)
    await world.later(minutes=6)
    await world.approve("U0ANA")
    state = await world.request()
    assert state.outcome == "approved"
    assert state.decisions[0].grant.hop == 0


async def test_a_tap_made_in_time_counts_when_it_is_taken_up_after_the_deadline(
    world: World,
) -> None:
    await asked(world)
    await world.later(minutes=6)
    await world.click("U0CLEO")
    world.clock.advance(minutes=20)
    await world.work()
    await world.later(seconds=1)
    assert (await world.request()).outcome == "approved"


async def test_the_deadline_waits_for_a_tap_that_is_stored_and_not_yet_taken_up(
    world: World,
) -> None:
    await asked(world)
    await world.click("U0ANA")
    world.clock.advance(minutes=6)
    rows = await world.store.claim(world.clock.now(), limit=50, lease=timedelta(seconds=60))
    (deadline,) = (row for row in rows if row.kind == "expire")
    await expire(world.context, deadline)
    assert (await world.request()).request.hop == 0
    (tap,) = (row for row in rows if row.kind == "intake")
    await intake(world.context, tap)
    assert (await world.request()).outcome == "approved"


async def test_a_seat_that_holds_nobody_passes_the_turn_at_once(world: World) -> None:
    world.people.seats["ana@example.com"] = ()
    await asked(world)
    state = await world.request()
    assert state.request.hop == 1
    assert [person for person, _ in state.asked] == ["U0CLEO"]


async def test_nobody_may_decide_while_everything_is_stopped(world: World) -> None:
    await asked(world)
    await world.stop()
    await world.approve()
    assert (await world.request()).open
    assert "stopped" in world.slack.whispers[0]


async def test_ten_people_at_once_make_one_decision(world: World) -> None:
    await asked(world)
    people = ["U0ANA", "U0ELI", "U0BO", "U0DEE", "U0CLEO"] * 2
    await asyncio.gather(*(world.click(person) for person in people))
    await world.later(seconds=1)
    assert len(await events(world, e.ApprovalGranted)) == 1
    assert len(await events(world, e.DecisionMade)) == 1
    assert len(world.slack.whispers) == 10

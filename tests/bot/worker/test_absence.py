"""Somebody is away: their delegate is asked, decides in their own name, and both names are kept."""

from datetime import timedelta

from policies import events as e
from policies.people import Absence
from tests.bot.worker.test_deciding import asked, events
from tests.bot.worker.world import World


async def away(world: World, person: str = "U0ANA", delegate: str | None = "U0BO") -> Absence:
    until = world.clock.now() + timedelta(days=3)
    absence = Absence(person=person, until=until, delegate=delegate)
    assert await world.desk.leave(absence) is None
    return absence


async def test_the_delegate_is_asked_and_decides_in_their_own_name(world: World) -> None:
    absence = await away(world)
    await asked(world)
    state = await world.request()
    assert state.asked == (("U0BO", 0),)
    assert [(a.person, a.delegate, a.said_here) for a in state.away] == [("U0ANA", "U0BO", True)]
    await world.approve("U0BO")
    (decision,) = (await world.request()).decisions
    assert decision.person == "U0BO"
    assert (decision.grant.for_person, decision.grant.until) == ("U0ANA", absence.until)
    assert decision.grant.because == "owner of raw_sessions, from dw.yml"


async def test_both_names_are_in_the_receipt(world: World) -> None:
    await away(world)
    await asked(world)
    await world.approve("U0BO")
    await world.backfill()
    await world.later(seconds=10)
    world.runs.end("run-1")
    await world.later(seconds=10)
    (receipt,) = await world.store.receipts()
    (decision,) = receipt.body["decisions"]
    assert decision["person"] == "U0BO"
    assert decision["delegate"] == {"for": "U0ANA", "away_until": "2026-10-02T00:41:00+00:00"}


async def test_who_is_away_may_still_decide_themselves(world: World) -> None:
    await away(world)
    await asked(world)
    await world.approve("U0ANA")
    (decision,) = (await world.request()).decisions
    assert decision.grant.for_person is None


async def test_without_a_delegate_the_next_in_the_chain_is_asked_at_once(world: World) -> None:
    await away(world, delegate=None)
    await asked(world)
    state = await world.request()
    assert state.request.hop == 1
    assert state.asked == (("U0CLEO", 1),)
    passed = (await events(world, e.PeopleAsked))[0]
    assert isinstance(passed, e.PeopleAsked)
    assert passed.problem == "everybody there is away, and nobody decides for them"


async def test_a_delegate_of_somebody_who_is_back_has_no_right_any_more(world: World) -> None:
    await away(world)
    await asked(world)
    await world.desk.come_back("U0ANA")
    await world.approve("U0BO")
    assert (await world.request()).open
    assert "not among those" in world.slack.whispers[0]


async def test_a_delegation_in_a_circle_is_refused_and_changes_nothing(world: World) -> None:
    await away(world)
    back = Absence(person="U0BO", until=world.clock.now() + timedelta(days=1), delegate="U0ANA")
    assert "lead back" in (await world.desk.leave(back) or "")
    assert set(await world.store.absences(world.clock.now())) == {"U0ANA"}


async def test_paused_notifications_are_seen_when_asking_and_told(world: World) -> None:
    until = world.clock.now() + timedelta(hours=6)
    world.people.quiet["U0ANA"] = until
    await asked(world)
    state = await world.request()
    assert state.asked == (("U0ANA", 0),)
    (seen,) = state.away
    assert (seen.says, seen.until) == ("their notifications are paused", until)

"""Forty reruns after one cause are one message and one tap, and forty decisions."""

from collections import Counter
from dataclasses import replace

from bot.batches import gather
from bot.commands import Decide
from bot.ports import Change
from policies import events as e
from policies.batch import Member, digest_of, waiting
from policies.incident import StepPhase
from tests.bot.worker.many import a_rerun
from tests.bot.worker.world import World
from tests.building import a_request


async def opens(world: World, number: int, because: str = "") -> str:
    """One more trouble of the same cause; Ana is asked for a rerun."""
    name, now = await world.store.next_id(), world.clock.now()
    *facts, asked = a_rerun(name, number, now, because)
    change = Change(incident_id=name, base=0, at=now, events=tuple(facts))
    incident = await world.store.commit(change)
    assert incident is not None
    await world.context.commit(incident, asked)
    return name


async def forty(world: World, count: int = 40) -> list[str]:
    names = [await opens(world, number) for number in range(count)]
    await settle(world)
    return names


async def settle(world: World) -> None:
    for _ in range(6):
        await world.later(seconds=5)


async def members(world: World, name: str = "DW-1") -> tuple[Member, ...]:
    incident = await world.incident(name)
    (state,) = incident.requests.values()
    return await gather(world.store, incident, state, "U0ANA")


async def answers(world: World, choice: str = "yes", key: str = "tap", **changes: object) -> bool:
    """Ana taps the button of the list, as it is now."""
    listed = waiting(await members(world))
    known = {
        "key": key,
        "incident_id": "DW-1",
        "request_id": "DW-1-R1",
        "person": "U0ANA",
        "name": "Ana",
        "team": "T0DEMO",
        "choice": choice,
        "digest": digest_of(listed),
        "where": "direct message",
        "at": world.clock.now(),
    }
    return await world.desk.decide_all(Decide(**{**known, **changes}), len(listed), "{}")  # type: ignore[arg-type]


def dms(world: World) -> Counter[str]:
    return Counter(i for i, name in world.slack.shown if name.startswith("dm:"))


async def test_forty_requests_of_one_cause_are_one_direct_message(world: World) -> None:
    names = await forty(world)
    assert len(names) == 40
    assert set(dms(world)) == {"DW-1"}
    said = [s for s in world.slack.showings if s.name.startswith("dm:")][-1]
    assert len(said.together) == 40
    lines = [name for _, name in world.slack.shown if name.startswith("more:")]
    assert len(lines) == 1, "one line notifies, not forty"


async def test_one_tap_is_a_decision_in_the_journal_of_each(world: World) -> None:
    names = await forty(world, 6)
    assert await answers(world)
    await settle(world)
    for name in names:
        (state,) = (await world.incident(name)).requests.values()
        (decision,) = state.decisions
        assert (state.outcome, decision.person) == ("approved", "U0ANA")
        assert decision.digest == state.request.digest
    assert set(dms(world)) == {"DW-1"}


async def test_a_list_that_has_grown_meanwhile_is_not_decided(world: World) -> None:
    await forty(world, 3)
    seen = digest_of(waiting(await members(world)))
    await opens(world, 99)
    assert not await answers(world, digest=seen)
    await settle(world)
    assert {s.outcome for _, s in await members(world)} == {None}


async def test_the_same_tap_delivered_twice_is_one(world: World) -> None:
    names = await forty(world, 3)
    assert await answers(world)
    await settle(world)
    assert await answers(world), "known already, and nothing new"
    await settle(world)
    for name in names:
        made = [x for x in await world.store.entries(name) if isinstance(x.event, e.DecisionMade)]
        assert len(made) == 1


async def test_one_of_them_may_be_decided_alone_and_the_rest_still_wait(world: World) -> None:
    await forty(world, 3)
    state = (await world.incident("DW-2")).requests["DW-2-R1"]
    await world.click(
        "U0ANA", incident_id="DW-2", request_id="DW-2-R1", digest=state.request.digest, choice="no"
    )
    await settle(world)
    assert [i.id for i, _ in waiting(await members(world))] == ["DW-1", "DW-3"]
    assert set(dms(world)) == {"DW-1"}


async def test_the_next_one_lends_its_message_when_the_first_is_over(world: World) -> None:
    await forty(world, 3)
    state = (await world.incident()).requests["DW-1-R1"]
    await world.click("U0ANA", request_id="DW-1-R1", digest=state.request.digest, choice="no")
    await settle(world)
    assert (await world.incident()).phase.closed
    assert set(dms(world)) == {"DW-1", "DW-2"}
    last = [s for s in world.slack.showings if s.name == "dm:DW-2-R1:U0ANA"][-1]
    assert [i.id for i, _ in last.together] == ["DW-2", "DW-3"]


async def test_who_is_asked_again_gets_a_message_of_its_own_and_the_list_moves_there(
    world: World,
) -> None:
    await forty(world, 2)
    incident = await world.incident()
    assert incident.plan is not None
    request = a_request(incident.plan, "DW-1-R2", asked_at=world.clock.now())
    facts = (
        e.RequestVoided(request_id="DW-1-R1", why="the reach has grown"),
        e.ApprovalRequested(request=replace(request, deadline=world.clock.now().replace(hour=23))),
        e.PeopleAsked(request_id="DW-1-R2", hop=0, people=("U0ANA",)),
    )
    await world.context.commit(incident, *facts)
    await settle(world)
    last = {s.name: s for s in world.slack.showings if s.name.startswith("dm:")}
    assert last["dm:DW-1-R1:U0ANA"].together == ()
    (fresh,) = [name for name in last if name != "dm:DW-1-R1:U0ANA"]
    assert [state.request.id for _, state in last[fresh].together] == ["DW-2-R1", "DW-1-R2"]


async def test_another_cause_another_message(world: World) -> None:
    await opens(world, 1)
    await opens(world, 2, because="the schema has changed")
    await settle(world)
    assert set(dms(world)) == {"DW-1", "DW-2"}


async def test_of_a_list_only_what_did_not_count_is_told(world: World) -> None:
    """The plan of one of three has changed since: that one is void, the others are decided."""
    await forty(world, 3)
    incident = await world.incident("DW-2")
    assert incident.plan is not None
    other = replace(incident.plan, version=2, steps=(replace(incident.plan.steps[0], undo="no"),))
    await world.context.commit(incident, e.Planned(plan=other))
    assert await answers(world, respond_to="http://127.0.0.1/response")
    await settle(world)
    states = [await world.incident(name) for name in ("DW-1", "DW-2", "DW-3")]
    outcomes = [next(iter(i.requests.values())).outcome for i in states]
    assert outcomes == ["approved", "void", "approved"]
    (told,) = world.slack.whispers
    assert told.startswith("DW-2: Your tap did not count, because what would run is not")


async def test_somebody_without_the_right_decides_none_of_a_list(world: World) -> None:
    names = await forty(world, 3)
    world.people.seats["ana@example.com"] = ("U0BO",)
    assert await answers(world, respond_to="http://127.0.0.1/response")
    await settle(world)
    assert len(world.slack.whispers) == 1, "one answer, not one for each"
    for name in names:
        incident = await world.incident(name)
        assert {s.phase for s in incident.steps.values()} == {StepPhase.ASKED}

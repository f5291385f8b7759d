"""Every way to forge a yes: refused, recorded where there is something to record, answered in words."""

from dataclasses import replace

import pytest

from bot.commands import Decide, Received
from policies import events as e
from policies.incident import StepPhase
from tests.bot.worker.test_deciding import asked, events
from tests.bot.worker.world import World


async def refused(world: World, says: str) -> None:
    """It did not count, nothing was approved or started, it was recorded, and they were told."""
    assert (await world.request()).open
    assert await events(world, e.DecisionMade) == []
    assert await events(world, e.ApprovalGranted) == []
    (record,) = await events(world, e.DecisionRefused)
    assert isinstance(record, e.DecisionRefused)
    assert says in record.refusal.why
    assert says in world.slack.whispers[-1]
    assert "nothing changed" in world.slack.whispers[-1]
    assert world.runs.started == []


async def test_an_outsider_of_the_chain(world: World) -> None:
    await asked(world)
    await world.approve("U0ELI")
    await refused(world, "not among those who may decide")


@pytest.mark.parametrize(
    ("trait", "says"),
    [
        ("guest", "guests never decide"),
        ("bot", "bots never decide"),
        ("deactivated", "this account is deactivated"),
        ("external", "people of other workspaces never decide"),
    ],
)
async def test_somebody_who_sits_in_the_seat_and_is_not_what_they_were(
    world: World, trait: str, says: str
) -> None:
    await asked(world)
    world.people.people["U0ANA"] = replace(world.people.people["U0ANA"], **{trait: True})
    await world.approve("U0ANA")
    await refused(world, says)


async def test_somebody_slack_does_not_know_at_all(world: World) -> None:
    await asked(world)
    await world.approve("U0GHOST")
    await refused(world, "this account is deactivated")


async def test_a_member_who_was_taken_out_of_the_group_a_second_ago(world: World) -> None:
    await asked(world)
    await world.later(minutes=6)
    assert (await world.request()).request.turn.seat.ref == "@data-oncall"
    world.people.seats["@data-oncall"] = ("U0DEE",)
    await world.approve("U0CLEO")
    await refused(world, "not among those who may decide")
    assert "<@U0DEE>" in world.slack.whispers[-1]
    assert {"ana@example.com", "@data-oncall", "U0CLEO"} <= set(world.people.asked_fresh)


async def test_a_delegate_nobody_named(world: World) -> None:
    await asked(world)
    await world.approve("U0BO")
    await refused(world, "not among those who may decide")


async def test_a_yes_to_a_dangerous_plan_without_its_code(world: World) -> None:
    await asked(world)
    state = await world.request()
    stricter = replace(state.request, rule=replace(state.request.rule, step_up=True))
    voided = e.RequestVoided(request_id=stricter.id, why="it is dangerous now")
    incident = await world.context.commit(await world.incident(), voided)
    again = e.ApprovalRequested(request=replace(stricter, id="DW-1-R2"))
    await world.context.commit(incident, again)
    await world.approve("U0ANA")
    (record,) = await events(world, e.DecisionRefused)
    assert isinstance(record, e.DecisionRefused)
    assert "needs a code of your authenticator" in record.refusal.why
    assert await events(world, e.DecisionMade) == []
    await world.approve("U0ANA", step_up="totp")
    (made,) = await events(world, e.DecisionMade)
    assert isinstance(made, e.DecisionMade)
    assert made.decision.step_up == "totp"


async def test_a_request_of_another_incident(world: World) -> None:
    await asked(world)
    real = (await world.request()).request
    for incident_id, request_id in (("DW-2", real.id), ("DW-1", "DW-2-R1"), ("DW-1", "")):
        await world.click("U0ANA", incident_id=incident_id, request_id=request_id)
        await world.later(seconds=1)
        assert "not known any more" in world.slack.whispers[-1]
    assert (await world.request()).open
    assert await events(world, e.DecisionMade) == []
    records = await events(world, e.DecisionRefused)
    assert [record.request_id for record in records] == ["DW-2-R1", ""]  # type: ignore[attr-defined]
    assert (await world.store.stats(world.clock.now())).poisoned == ()


async def test_an_edited_digest(world: World) -> None:
    await asked(world)
    shown = (await world.request()).request.digest
    for digest in (shown[:-1] + ("0" if shown[-1] != "0" else "1"), "", shown.upper()):
        await world.click("U0ANA", digest=digest)
        await world.later(seconds=1)
        assert "did not count" in world.slack.whispers[-1]
    assert len(await events(world, e.DecisionRefused)) == 3
    assert (await world.request()).open
    assert await events(world, e.DecisionMade) == []
    incident = await world.incident()
    assert {s.phase for s in incident.steps.values()} <= {StepPhase.ASKED, StepPhase.PROPOSED}


async def test_a_tap_in_another_persons_name_counts_for_nobody_but_who_tapped(
    world: World,
) -> None:
    await asked(world)
    await world.click("U0ELI", name="ana")
    await world.later(seconds=1)
    await refused(world, "not among those who may decide")


async def test_a_stored_tap_is_weighed_as_things_are_when_it_is_taken_up(world: World) -> None:
    await asked(world)
    state = await world.request()
    command = Decide(
        key="k",
        incident_id="DW-1",
        request_id=state.request.id,
        person="U0ANA",
        name="ana",
        team="T0DEMO",
        choice="yes",
        digest=state.request.digest,
        where="thread",
        at=world.clock.now(),
        respond_to="http://127.0.0.1/response",
    )
    await world.desk.receive(Received(key="k", command=command, raw="{}", at=world.clock.now()))
    world.people.seats["ana@example.com"] = ("U0BO",)
    await world.later(seconds=1)
    await refused(world, "not among those who may decide")

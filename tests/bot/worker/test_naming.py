"""Names are looked up once, with the plan, and kept in the journal; without them the work goes on all the same."""

from dataclasses import replace

from bot.ports import RetryAfter
from bot.worker import naming
from policies import events as e
from policies.lineage import BlastRadius, Hit, Reach
from policies.people import Seat, Seated
from tests.bot.fakes import FakeDirectory
from tests.bot.worker.world import World
from tests.building import a_plan


async def test_the_chain_the_owners_and_the_readers_of_what_is_reached_are_named(
    world: World,
) -> None:
    world.people.people["U0BO"] = replace(world.people.people["U0BO"], name="Bo Lindqvist")
    await world.alert()
    (planned,) = [
        x.event for x in await world.store.entries("DW-1") if isinstance(x.event, e.Planned)
    ]
    assert {"ana@example.com", "@data-oncall", "bo@example.com"} <= set(dict(planned.named))
    assert dict((await world.incident()).named)["bo@example.com"] == "Bo Lindqvist"


async def test_what_is_known_is_not_looked_up_again_and_a_reach_of_a_thousand_is_bounded(
    world: World,
) -> None:
    await world.alert()
    incident = await world.incident()
    assert incident.plan is not None
    assert incident.radius is not None
    assert await naming.names(world.context, incident, incident.plan, incident.radius) == ()
    hits = tuple(
        Hit(asset=f"a{n}", kind="table", reach=Reach.DUE, owner=f"p{n}@example.com")
        for n in range(1000)
    )
    people = {f"U{n}": replace(world.people.people["U0ANA"], id=f"U{n}") for n in range(1000)}
    world.people.people |= people
    world.people.seats |= {f"p{n}@example.com": (f"U{n}",) for n in range(1000)}
    found = await naming.names(world.context, incident, a_plan(), BlastRadius(root="r", hits=hits))
    assert len(found) == naming.MOST


class Deaf(FakeDirectory):
    """Slack answers nothing about seats."""

    async def seated(self, seat: Seat, *, fresh: bool = False) -> Seated:
        raise RetryAfter(30, "Slack does not answer")


async def test_a_slack_that_does_not_answer_holds_up_no_plan(world: World) -> None:
    world.use(directory=Deaf())
    await world.alert()
    incident = await world.incident()
    assert incident.plan is not None
    assert incident.named == ()

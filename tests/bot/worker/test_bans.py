"""Who may not decide though they sit in the right seat, how many must, and what a yes needs with it."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.worker.delegating import put
from connectors.errors import TooSlow
from policies import events as e
from policies.approval import ApprovalRule, Ban
from policies.bans import bans, untold
from policies.people import Person, Seat, Seated
from policies.seats import Bans
from policies.standing import Refusal, entitle, standing
from tests.bot.fakes import FakeReader, FakeSchedule
from tests.bot.worker.test_deciding import asked, events
from tests.bot.worker.world import World, a_world, sqlite_url
from tests.building import ANA, BO, a_person, a_plan, a_request
from tests.clock import FakeClock
from tests.policies import blamed, night

SEAT = Seat(kind="person", ref="ana@example.com", because="owner of raw_sessions")


def seated(*people: Person) -> list[tuple[int, Seated]]:
    return [(0, Seated(seat=SEAT, people=people))]


async def a_blamed_night(world: World, *authors: object, **domain: object) -> None:
    """A change of code broke it, and the code was mended since; a repository tells who wrote the change."""
    silent = domain.pop("repository", None)
    known = blamed.rules(**domain)
    seating = replace(world.context.directory, rules=known)  # type: ignore[type-var]
    for (connection, probe), told in blamed.answers(blamed.changes(*authors)).items():  # type: ignore[arg-type]
        reader = world.systems.setdefault(connection, FakeReader(connection, {}))
        reader.values[probe] = dict(told) if isinstance(told, dict) else {}
    if isinstance(silent, Exception):
        world.systems["pipelines"].values["changes"] = silent
    world.systems["dagster"].version = blamed.image(blamed.MENDED)  # type: ignore[attr-defined]
    world.use(rules=known, directory=seating)
    await asked(world)


def test_who_asked_who_planned_and_who_broke_it_are_banned_each_unless_dw_yml_says_so() -> None:
    plan = replace(a_plan(), asked_by="U0BO", written_by="U0CLEO")
    incident = blamed.incident()
    everybody = [ban.who for ban in bans(incident, plan, Bans())]
    assert everybody == ["U0BO", "U0CLEO", "U0ANA"]
    for name, who in (("asker", "U0BO"), ("planner", "U0CLEO"), ("author", "U0ANA")):
        lifted = bans(incident, plan, Bans(**{name: False}))
        assert who not in [ban.who for ban in lifted]


def test_an_email_bans_the_person_behind_it_in_any_case() -> None:
    request = a_request(a_plan())
    banned = (Ban(who="u0ana@EXAMPLE.com", because="you wrote the change that broke it"),)
    request = replace(request, rule=replace(request.rule, banned=banned))
    found = entitle(request, a_person(ANA), seated(a_person(ANA)))
    assert isinstance(found, Refusal)
    assert found.why == "you wrote the change that broke it"


@pytest.mark.parametrize(("kind", "trait"), [("guests", "guest"), ("outsiders", "external")])
def test_guests_and_outsiders_may_only_where_dw_yml_says_so(kind: str, trait: str) -> None:
    somebody = a_person(ANA, **{trait: True})
    rule = a_request(a_plan()).rule
    assert standing(rule, seated(somebody)).may == ()
    lifted = replace(rule, allowed=Bans(**{kind: False}).allowed())
    assert standing(lifted, seated(somebody)).who() == (ANA,)


@pytest.mark.parametrize("trait", ["bot", "deactivated"])
def test_bots_and_deactivated_accounts_never_may(trait: str) -> None:
    rule = replace(a_request(a_plan()).rule, allowed=("guests", "outsiders", "bots", "deactivated"))
    assert standing(rule, seated(a_person(ANA, **{trait: True}))).may == ()


def test_a_policy_that_nobody_could_say_yes_to_is_dead() -> None:
    rule: ApprovalRule = a_request(a_plan()).rule
    assert standing(rule, seated()).dead(1) == "nobody is left who may decide this"
    assert standing(rule, seated(a_person(ANA))).dead(2) == "2 must say yes, and only 1 may"
    assert standing(rule, seated(a_person(ANA), a_person(BO))).dead(2) is None


async def test_the_author_of_the_change_is_passed_over_and_their_tap_is_refused(
    world: World,
) -> None:
    """What the cause rests on names her as the author; the next in the chain is asked at once."""
    await a_blamed_night(world, blamed.ANA)
    (first, second) = await events(world, e.PeopleAsked)
    assert isinstance(first, e.PeopleAsked)
    assert isinstance(second, e.PeopleAsked)
    assert first.problem == "you wrote the change that broke it (bbbbbbb)"
    assert second.people == ("U0CLEO",)
    await world.approve("U0ANA")
    assert "you wrote the change that broke it (bbbbbbb)" in world.slack.whispers[-1]
    assert (await world.request()).open
    await world.approve("U0CLEO")
    assert (await world.request()).outcome == "approved"


async def test_who_the_authors_are_is_looked_up_once_and_kept_as_evidence(world: World) -> None:
    await a_blamed_night(world, blamed.ANA, blamed.KIM)
    found = (await world.incident()).evidence
    [people] = [piece.value["people"] for piece in found if piece.probe.name == "people"]
    known = {"id": "U0ANA", "name": "U0Ana"}
    assert people == {"u0ana@example.com": known, "kim@old.example.com": None}
    assert len({piece.id for piece in found}) == len(found)


async def test_a_repository_that_does_not_answer_holds_up_the_night_for_a_moment_only(
    world: World,
) -> None:
    await a_blamed_night(world, blamed.ANA, repository=TooSlow(connection="pipelines"))
    assert (await world.incident()).diagnosis is None
    for _ in range(4):
        await world.later(minutes=1)
    found = await world.incident()
    assert found.diagnosis is not None
    assert "pipelines could not tell" in " ".join(found.diagnosis.unknown)
    assert len({piece.id for piece in found.evidence}) == len(found.evidence)
    assert "It did not answer in time" in (await world.request()).request.rule.untold[-1]


async def test_when_everybody_in_the_chain_wrote_a_part_of_it_it_is_a_no(world: World) -> None:
    cleo = {"name": "Cleo", "email": "u0cleo@example.com", "commits": []}
    await a_blamed_night(world, blamed.ANA, cleo)
    assert (await world.request()).outcome == "expired"
    assert world.runs.started == []


async def test_an_author_whom_nobody_knows_makes_it_two_where_dw_yml_wants_that(
    world: World,
) -> None:
    strict = {"bans": {"unmatched_author": "two_people"}}
    await a_blamed_night(world, blamed.KIM, **strict)
    await world.approve("U0ANA")
    assert (await world.request()).open
    await world.later(minutes=5)
    await world.approve("U0CLEO")
    assert (await world.request()).outcome == "approved"


@pytest.mark.parametrize(
    ("role", "says"),
    [("asked_by", "you asked for this change"), ("written_by", "you wrote this plan")],
)
async def test_who_asked_for_it_or_wrote_the_plan_does_not_decide_it(
    world: World, role: str, says: str
) -> None:
    await asked(world)
    known = await world.incident()
    assert known.plan is not None
    void = e.RequestVoided(request_id=(await world.request()).request.id, why="drafted by hand")
    planned = e.Planned(plan=replace(known.plan, version=2, **{role: "U0ANA"}))
    incident = await world.context.commit(known, void, planned)
    assert incident.plan is not None
    outcome = await put(world.context, incident, incident.plan)
    await world.context.commit(incident, *outcome.facts, due=outcome.rows)
    await world.later(seconds=1)
    await world.approve("U0ANA")
    assert says in world.slack.whispers[-1]
    assert list((await world.incident()).requests.values())[-1].open
    refused = await events(world, e.DecisionRefused)
    assert [event.refusal.why for event in refused] == [says]  # type: ignore[attr-defined]


async def test_a_ban_that_meets_nobody_says_why(world: World) -> None:
    await asked(world)
    rule = (await world.request()).request.rule
    assert rule.untold == (
        "whoever asked for it: nobody did, an alert began it",
        "whoever wrote the plan: no person did, it follows from dw.yml and what was read",
        "whoever wrote the change that broke it: no change of code is blamed",
    )
    plan = replace(a_plan(), asked_by="U0BO", written_by="U0CLEO")
    assert untold(blamed.incident(), plan, Bans()) == ()
    off = Bans(asker=False, planner=False, author=False)
    assert untold(blamed.incident(), a_plan(), off) == ()


async def test_a_seat_of_banned_people_passes_the_turn_and_says_why(world: World) -> None:
    world.people.people["U0ANA"] = replace(world.people.people["U0ANA"], guest=True)
    await asked(world)
    (first, _) = await events(world, e.PeopleAsked)
    assert isinstance(first, e.PeopleAsked)
    assert first.problem == "guests never decide"
    assert (await world.request()).request.hop == 1


async def test_a_yes_without_the_reason_that_is_needed_does_not_count(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with a_world(sqlite_url(tmp_path), clock, reason_needed=True) as world:
        await asked(world)
        await world.approve()
        assert (await world.request()).open
        assert "needs a reason" in world.slack.whispers[0]
        assert len(await events(world, e.DecisionRefused)) == 1
        await world.approve(reason="the replica has caught up")
        assert (await world.request()).outcome == "approved"


async def test_whoever_is_on_call_by_the_rota_is_asked(tmp_path: Path, clock: FakeClock) -> None:
    chain = [{"who": "rota:nights", "within": "5m"}, {"who": "pagerduty:P1", "within": "3m"}]
    async with a_world(sqlite_url(tmp_path), clock, chain=chain) as world:
        rota = {"people": ["bo@example.com", "dee@example.com"], "handoffs": ["09:00"]}
        known = night.rules(
            rotas={"nights": {**rota, "starts": "2026-09-28"}},
            domains={"growth": night.growth(chain=chain)},
        )
        seating = replace(world.context.directory, rules=known)  # type: ignore[type-var]
        people = await seating.seated(Seat(kind="rota", ref="rota:nights", because="on call"))
        assert [p.id for p in people.people] == ["U0BO"]
        clock.advance(days=1)
        people = await seating.seated(Seat(kind="rota", ref="rota:nights", because="on call"))
        assert [p.id for p in people.people] == ["U0DEE"]


async def test_a_schedule_that_can_not_be_read_holds_nobody_and_says_so(world: World) -> None:
    pages = FakeSchedule({"P1": ("dee@example.com",), "P2": TooSlow(connection="pagerduty")})
    world.people.schedules["pagerduty"] = pages
    for ref, found, problem in (
        ("pagerduty:P1", ["U0DEE"], None),
        ("pagerduty:P2", [], "pagerduty:P2 can't be read now: pagerduty: It did not answer"),
        ("pagerduty:P3", [], "nobody is on call for pagerduty:P3"),
        ("opsgenie:x", [], "dw.yml describes no opsgenie:x"),
        ("rota:none", [], "dw.yml describes no rota:none"),
    ):
        kind = ref.partition(":")[0]
        seat = Seat(kind=kind, ref=ref, because="on call")  # type: ignore[arg-type]
        told = await world.context.directory.seated(seat, fresh=True)
        assert [p.id for p in told.people] == found
        assert (told.problem or "").startswith(problem or "")

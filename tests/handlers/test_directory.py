"""Who people are comes from Slack, for a minute, and fails closed with a reason."""

from datetime import timedelta

import pytest

from bot.ports import RetryAfter
from handlers.directory import SlackDirectory, person_of
from policies.people import Seat, Seated
from tests.clock import FakeClock
from tests.handlers.room import Room

pytestmark = pytest.mark.loopback


def directory(room: Room, clock: FakeClock | None = None) -> SlackDirectory:
    return SlackDirectory(room.slack.client, clock or FakeClock(), room.slack.me.team)


async def seated(room: Room, ref: str, kind: str = "person") -> Seated:
    return await directory(room).seated(Seat(kind=kind, ref=ref, because="owner"))  # type: ignore[arg-type]


async def test_an_email_or_an_id_is_a_person(quiet_room: Room) -> None:
    for ref in ("ana@example.com", "U0ANA"):
        found = await seated(quiet_room, ref)
        assert [p.id for p in found.people] == ["U0ANA"]
        assert found.problem is None


async def test_a_group_seats_its_members_and_flags_who_left(quiet_room: Room) -> None:
    for ref in ("@data-oncall", "data-oncall", "S0ONCALL"):
        found = await seated(quiet_room, ref, "group")
        assert {p.id: p.barred() for p in found.people} == {
            "U0CLEO": None,
            "U0GONE": "this account is deactivated",
        }
        assert found.problem is None


@pytest.mark.parametrize(
    ("ref", "kind", "problem"),
    [
        ("nobody@example.com", "person", "nobody is found"),
        ("U0NOBODY", "person", "nobody is found"),
        ("@nowhere", "group", "no user group @nowhere"),
        ("@switched-off", "group", "switched off"),
        ("U0GONE", "person", "deactivated"),
        ("U0GUEST", "person", "guests never decide"),
        ("U0FAR", "person", "other workspaces never decide"),
        ("U0DAGPLUS", "person", "bots never decide"),
    ],
)
async def test_a_seat_that_holds_nobody_able_says_why(
    quiet_room: Room, ref: str, kind: str, problem: str
) -> None:
    found = await seated(quiet_room, ref, kind)
    assert problem in (found.problem or "")
    assert all(p.barred() for p in found.people)


async def test_an_outage_is_not_an_answer(quiet_room: Room) -> None:
    quiet_room.workspace.faults.add("answer", method="users.info", answer={"error": "ratelimited"})
    with pytest.raises(RetryAfter):
        await directory(quiet_room).person("U0ANA")
    quiet_room.workspace.faults.add("answer", method="users.lookupByEmail", answer={"status": 503})
    with pytest.raises(RetryAfter):
        await seated(quiet_room, "ana@example.com")
    assert await directory(quiet_room).person("U0NOBODY") is None


async def test_what_is_known_is_asked_again_after_a_minute(quiet_room: Room) -> None:
    clock = FakeClock()
    known = directory(quiet_room, clock)
    for _ in range(2):
        assert (await known.person("U0ANA")).barred() is None  # type: ignore[union-attr]
    quiet_room.workspace.deactivate("ana")
    clock.advance(timedelta(seconds=59))
    assert (await known.person("U0ANA")).barred() is None  # type: ignore[union-attr]
    clock.advance(timedelta(seconds=2))
    assert (await known.person("U0ANA")).barred()  # type: ignore[union-attr]
    assert len(quiet_room.workspace.record.called("users.info")) == 2


def test_a_colleague_of_the_same_organisation_is_not_external() -> None:
    grid = {"id": "W1", "team_id": "T2", "enterprise_user": {"teams": ["T1", "T2"]}}
    assert not person_of(grid, "T1").external
    assert person_of({"id": "U1", "team_id": "T2"}, "T1").external
    assert person_of({"id": "U1", "is_workflow_bot": True}, "T1").bot

"""Who people are comes from Slack, for a minute, and fails closed with a reason."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.ports import RetryAfter
from handlers.directory import SlackDirectory, paused_until, person_of
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


async def test_for_a_decision_everything_is_asked_afresh(quiet_room: Room) -> None:
    known, group = directory(quiet_room), Seat(kind="group", ref="@data-oncall", because="on call")
    assert "U0CLEO" in [p.id for p in (await known.seated(group)).people]
    assert (await known.person("U0ANA")).barred() is None  # type: ignore[union-attr]
    core = quiet_room.workspace.core
    core.state.groups["S0ONCALL"] = replace(core.state.groups["S0ONCALL"], users=("U0DEE",))
    quiet_room.workspace.deactivate("ana")
    assert [p.id for p in (await known.seated(group)).people] != ["U0DEE"]
    assert [p.id for p in (await known.seated(group, fresh=True)).people] == ["U0DEE"]
    assert (await known.person("U0ANA", fresh=True)).barred()  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("told", "until"),
    [
        ({"dnd_enabled": True, "next_dnd_start_ts": -60, "next_dnd_end_ts": 3600}, 3600),
        ({"dnd_enabled": True, "next_dnd_start_ts": 60, "next_dnd_end_ts": 3600}, None),
        ({"snooze_enabled": True, "snooze_endtime": 300}, 300),
        ({"snooze_enabled": True, "snooze_endtime": -1}, None),
        ({"snooze_enabled": False, "snooze_endtime": 300}, None),
        ({"dnd_enabled": "x", "next_dnd_start_ts": None}, None),
        (None, None),
    ],
)
def test_paused_notifications_are_read_from_quiet_hours_and_snoozes(told: Any, until: Any) -> None:
    now = FakeClock().now()
    shifted = {
        k: now.timestamp() + v if k.endswith(("ts", "time")) and v is not None else v
        for k, v in (told or {}).items()
    }
    found = paused_until(shifted if told else told, now)
    assert (None if found is None else (found - now).total_seconds()) == until


async def test_whether_somebody_is_disturbed_is_only_told_and_never_an_error(
    quiet_room: Room,
) -> None:
    assert await directory(quiet_room).quiet_until("U0ANA") is None
    quiet_room.workspace.faults.add("answer", method="dnd.info", answer={"error": "missing_scope"})
    assert await directory(quiet_room).quiet_until("U0ANA") is None


def test_a_colleague_of_the_same_organisation_is_not_external() -> None:
    grid = {"id": "W1", "team_id": "T2", "enterprise_user": {"teams": ["T1", "T2"]}}
    assert not person_of(grid, "T1").external
    assert person_of({"id": "U1", "team_id": "T2"}, "T1").external
    assert person_of({"id": "U1", "is_workflow_bot": True}, "T1").bot


async def test_a_scope_that_is_missing_is_an_answer_in_words_and_nobody_is_entitled(
    quiet_room: Room,
) -> None:
    for method in ("users.info", "users.lookupByEmail", "usergroups.list"):
        quiet_room.workspace.faults.add(
            "answer", method=method, times=9, answer={"error": "missing_scope"}
        )
    for ref, kind in (
        ("ana@example.com", "person"),
        ("U0ANA", "person"),
        ("@data-oncall", "group"),
    ):
        found = await seated(quiet_room, ref, kind)
        assert found.people == ()
    assert "installed again" in ((await seated(quiet_room, "@data-oncall", "group")).problem or "")
    assert await directory(quiet_room).person("U0ANA") is None


class Crowd:
    """Slack with a group of many, and the calls that were made."""

    def __init__(self, many: int) -> None:
        self.ids, self.calls = [f"U{n:04}" for n in range(many)], 0

    async def usergroups_list(self, **_: Any) -> dict[str, Any]:
        return {"usergroups": [{"id": "S1", "handle": "all", "date_delete": 0}]}

    async def usergroups_users_list(self, **_: Any) -> dict[str, Any]:
        return {"users": self.ids}

    async def users_list(self, *, limit: int, cursor: str | None) -> dict[str, Any]:
        self.calls += 1
        first = int(cursor or 0)
        after = first + limit
        more = str(after) if after < len(self.ids) else ""
        members = [{"id": one, "team_id": "T1"} for one in self.ids[first:after]]
        return {"members": members, "response_metadata": {"next_cursor": more}}


async def test_a_group_of_hundreds_seats_all_of_them_in_a_few_calls() -> None:
    crowd = Crowd(450)
    slack = SlackDirectory(crowd, FakeClock(), "T1")  # type: ignore[arg-type]
    for _ in range(2):
        found = await slack.seated(Seat(kind="group", ref="@all", because="on call"))
        assert len(found.people) == 450
    assert crowd.calls == 3

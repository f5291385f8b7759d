"""A list of requests in one message: all of it on the screen, and its buttons say which list."""

from dataclasses import replace

import pytest
from sqlalchemy import select

from bot.commands import Decide
from bot.ports import Change, Showing
from bot.sandbox.workspace.blocks.surface import block_problems
from bot.store.tables import inbox
from handlers import ids, views
from policies import events as e
from policies.batch import Member, digest_of
from policies.incident import Incident
from policies.lifecycle import replay
from tests.building import NOW, a_diagnosis, a_plan, a_radius, a_request, a_step, an_alert, opened
from tests.handlers import story
from tests.handlers.room import Room


def facts(name: str, part: str, **rule: object) -> list[e.Event]:
    plan = a_plan(a_step(params={"job": "growth_rollups_job", "partition": part}))
    asked = a_request(plan, f"{name}-R1")
    asked = replace(asked, rule=replace(asked.rule, **rule))  # type: ignore[arg-type]
    return [
        replace(opened(), alert=an_alert(signal_key=f"Ev{name}", partition=part)),
        e.Diagnosed(diagnosis=a_diagnosis()),
        e.RadiusDrawn(radius=a_radius()),
        e.Planned(plan=plan),
        e.ApprovalRequested(request=asked),
        e.PeopleAsked(request_id=asked.id, hop=0, people=("U0ANA",)),
    ]


def a_member(number: int, **rule: object) -> Member:
    name = f"DW-{number}"
    told = facts(name, f"part-{number}", **rule)
    incident: Incident = replay(
        name, [e.Entry(seq=n, at=NOW, event=fact) for n, fact in enumerate(told, start=1)]
    )
    return incident, incident.requests[f"{name}-R1"]


def a_list(count: int, **rule: object) -> Showing:
    members = tuple(a_member(number, **rule) for number in range(1, count + 1))
    host = members[0][0]
    return story.showing(host, name="dm:DW-1-R1:U0ANA", together=members)


def shown(showing: Showing) -> views.Message:
    return views.together(showing, showing.together[0][1])


def labels(said: views.Message) -> list[str]:
    rows = [block for block in said.blocks if block["type"] == "actions"]
    return [x["text"]["text"] for row in rows for x in row["elements"] if x["type"] == "button"]


@pytest.mark.parametrize("count", [2, 7, 40])
def test_every_request_of_the_list_is_on_the_screen_and_slack_takes_it(count: int) -> None:
    showing = a_list(count)
    said = shown(showing)
    assert block_problems(list(said.blocks), "message") == []
    words = str(said.blocks)
    for number in range(1, count + 1):
        assert f"part-{number}`" in words
    assert labels(said) == [f"Approve all {count}", f"Reject all {count}"]


def test_the_button_carries_exactly_what_is_listed() -> None:
    showing = a_list(3)
    row = next(b for b in shown(showing).blocks if b["type"] == "actions")
    tag = ids.decode(row["elements"][0]["value"])
    assert tag.digest == digest_of(showing.together)
    assert tag.step == "3"


@pytest.mark.parametrize("rule", [{"reason_needed": True}, {"step_up": True}])
def test_what_takes_more_than_a_tap_is_not_approved_together(rule: dict[str, object]) -> None:
    assert not any(label.startswith("Approve") for label in labels(shown(a_list(2, **rule))))


@pytest.mark.loopback
async def test_one_tap_stores_a_decision_for_each(room: Room) -> None:
    for number in (1, 2):
        for base, fact in enumerate(facts(f"DW-{number}", f"part-{number}")):
            await room.store.commit(
                Change(incident_id=f"DW-{number}", base=base, at=story.NOW, events=(fact,))
            )
    showing = a_list(2)
    card = await room.show(showing, "card")
    await room.show(showing, "dm:DW-1-R1:U0ANA", card=card)
    ana = room.people["ana"]
    message = await ana.wait_for_message("2 requests of the same kind", channel=ana.dm("dw"))
    await ana.click("Approve all 2", on=message)
    assert sorted(await decided(room)) == ["DW-1-R1", "DW-2-R1"]


async def decided(room: Room) -> list[str]:
    """The requests for which a decision is in the inbox."""
    query = select(inbox.c.body).where(inbox.c.name == Decide.__name__)
    async with room.store.database.read() as connection:
        return [body["request_id"] for body in (await connection.execute(query)).scalars()]

"""Approve with a reason or a code, Hand over, away, back, who-can: through the workspace to the desk."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pyotp
import pytest

from bot.commands import Decide, HandOn
from bot.sandbox.workspace.errors import SlackError
from handlers import ids, views
from handlers.payloads import address
from policies import events as e
from tests.handlers import story
from tests.handlers.room import QUICK, SECRET, Room, a_room
from tests.handlers.test_asking import answer, mention

pytestmark = pytest.mark.loopback


async def asked(room: Room, **rule: Any) -> Any:
    """Ana is asked under a rule that wants more than a tap."""
    told = story.the_night()
    at = next(n for n, x in enumerate(told) if isinstance(x, e.ApprovalRequested))
    first = told[at]
    assert isinstance(first, e.ApprovalRequested)
    stricter = replace(first.request, rule=replace(first.request.rule, **rule))
    people = e.PeopleAsked(request_id=stricter.id, hop=0, people=("U0ANA",))
    showing = await room.play([*told[:at], e.ApprovalRequested(request=stricter), people])
    card = await room.show(showing)
    await room.show(showing, f"request:{stricter.id}", card=card)
    return await room.people["ana"].wait_for_message("needs a yes or no")


def stored(room: Room, kind: type) -> list[Any]:
    return [item.command for item in room.desk.items if isinstance(item.command, kind)]


async def test_a_reason_goes_with_the_yes(room: Room) -> None:
    request = await asked(room, reason_needed=True)
    ana = room.people["ana"]
    await ana.click("Approve", on=request)
    await ana.wait_for_modal("Reason")
    await ana.submit({ids.REASON: "the replica has caught up"})
    (yes,) = stored(room, Decide)
    assert (yes.choice, yes.reason, yes.person, yes.where) == (
        *("yes", "the replica has caught up"),
        *("U0ANA", "C0ALERTS"),
    )
    assert yes.step_up is None
    assert address.decode(yes.respond_to or "").channel == "C0ALERTS"


async def test_a_no_in_own_words_counts_once_it_is_sent(room: Room) -> None:
    request = await asked(room)
    ana = room.people["ana"]
    other = next(
        option["value"]
        for block in request.body["blocks"]
        for element in block.get("elements", [])
        for option in element.get("options", [])
        if option["text"]["text"] == "Reject: other…"
    )
    await ana.click(action_id=ids.REJECT_WITH, on=request, selected_option=other)
    await ana.wait_for_modal("Reason")
    assert stored(room, Decide) == []
    await ana.submit({ids.REASON: "finance closes the month tonight"})
    (no,) = stored(room, Decide)
    assert (no.choice, no.reason) == ("no", "finance closes the month tonight")
    assert no.digest.startswith("sha256:")


async def test_a_code_is_checked_at_once_counts_once_and_is_not_kept(room: Room) -> None:
    request = await asked(room, step_up=True)
    ana = room.people["ana"]
    await ana.click("Approve", on=request)
    await ana.wait_for_modal("Code")
    with pytest.raises(SlackError, match="not the code"):
        await ana.submit({ids.CODE: "12345"})
    assert stored(room, Decide) == []
    code = pyotp.TOTP(SECRET).now()
    await ana.submit({ids.CODE: code})
    (yes,) = stored(room, Decide)
    assert yes.step_up == "totp"
    assert code not in room.desk.items[-1].raw
    await ana.click("Approve", on=request)
    await ana.wait_for_modal("Code")
    with pytest.raises(SlackError, match="used already"):
        await ana.submit({ids.CODE: code})


async def test_whoever_is_chosen_gets_it(room: Room) -> None:
    await room.asked()
    ana = room.people["ana"]
    request = await ana.wait_for_message("needs a yes or no")
    await ana.click("Hand over to…", on=request)
    await ana.wait_for_modal("Hand over")
    await ana.submit({ids.TO: "U0BO"})
    (handed,) = stored(room, HandOn)
    assert (handed.person, handed.to, handed.request_id) == ("U0ANA", "U0BO", "DW-3-R1")


async def test_away_names_a_delegate_and_back_ends_it(room: Room) -> None:
    said = await answer(room, "away until friday → @bo")
    assert "<@U0BO> may decide what you may" in said
    refused = await answer(room, "away until friday → @ana", "bo")
    assert "Nothing was changed" in refused
    assert "lead back" in refused
    assert "Welcome back" in await answer(room, "back")
    assert "not away" in await answer(room, "back")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("away", "I don't understand when"),
        ("away until friday → @nobody", "I don't know who @nobody is"),
        ("away until friday → nobody@example.com", "Slack knows nobody"),
        ("away until friday → @guest", "guests never decide"),
        ("away until friday → @dw", "bots never decide"),
        ("away until friday → @ana", "you named yourself"),
    ],
)
async def test_what_can_not_be_is_refused_in_words(room: Room, words: str, says: str) -> None:
    said = await answer(room, words)
    assert "Nothing was changed" in said
    assert says in said


async def test_a_mention_does_the_same(room: Room) -> None:
    assert "<@U0BO> may decide" in await mention(room, "away until friday → @U0BO")
    assert "Welcome back" in await mention(room, "back")


async def test_who_can_says_who_and_why_for_requests_steps_and_assets(room: Room) -> None:
    await room.asked()
    for words in ("DW-3", "DW-3-R1", "backfill"):
        said = await room.slack.answerer.say(f"who-can {words}", "U0ELI")
        assert "ana (owner of raw_sessions, from dw.yml)" in said.words()
    asset = (await room.slack.answerer.say("who-can stg_sessions", "U0ELI")).words()
    assert "bo (owner of stg_sessions, from dw.yml)" in asset
    assert "cleo (next in the chain" in asset
    assert "gone: this account is deactivated" in asset
    unknown = (await room.slack.answerer.say("who-can dim_users", "U0ELI")).words()
    assert "I know no request" in unknown


async def test_where_people_log_in_approve_leads_to_that_page_and_decides_nothing(
    tmp_path: Path,
) -> None:
    def page(tag: ids.Tag, person: str) -> str:
        return f"https://dw.example.com/decide/{tag.request}.{person}"

    wish = replace(QUICK, login_page=page, authenticators={})
    async with a_room(tmp_path, wish=wish) as room:
        request = await asked(room, step_up=True)
        ana = room.people["ana"]
        await ana.click("Approve", on=request)
        modal = str((await ana.wait_for_modal("Log in and answer")).body)
        assert "/decide/DW-3-R1.U0ANA" in modal
        assert ids.CODE not in modal
        assert stored(room, Decide) == []


def test_who_has_an_authenticator_may_use_either() -> None:
    rule = replace(story.asked_stage().incident.open_requests()[0].request.rule, step_up=True)
    both = str(views.approve_form(rule, "meta", "https://dw.example.com/decide/x"))
    assert ids.CODE in both
    assert "log in and answer there" in both

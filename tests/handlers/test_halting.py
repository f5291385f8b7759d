"""Stop without a word typed: from the home tab, the lightning menu and any message; what it holds is told."""

import pytest

from bot.commands import StopAll
from bot.ports import Stop
from handlers import ids
from policies import events as e
from tests.handlers import story
from tests.handlers.room import Room

pytestmark = pytest.mark.loopback


async def stops(room: Room) -> list[tuple[str, str, str]]:
    return [(stop.scope, stop.by, stop.reason) for stop in await room.desk.stops()]


async def test_one_tap_on_the_home_tab_stops_everything_with_a_reason(room: Room) -> None:
    eli = room.people["eli"]
    await eli.open_home()
    tab = await eli.wait_for_home("Waiting for you: 0")
    await eli.click("Stop…", on=tab, value="wrong_data")
    assert await stops(room) == [("*", "U0ELI", "wrong data is going out")]
    await eli.wait_for_modal("*Stopped.* By <@U0ELI>")
    await eli.wait_for_home("*STOPPED* by <@U0ELI>")


async def test_a_part_is_stopped_in_own_words_from_the_lightning_menu(room: Room) -> None:
    dee = room.people["dee"]
    await dee.shortcut("dw.stop_all")
    await dee.wait_for_modal("Nothing new starts")
    answer = {ids.SCOPE: "connection:dagster", ids.REASON: "upgrade <!here>"}
    await dee.submit(answer)
    assert await stops(room) == [("connection:dagster", "U0DEE", "upgrade <!here>")]
    shown = await dee.wait_for_modal("*Stopped `dagster`.*")
    assert "/dw resume dagster" in str(shown.body)
    assert "<!here>" not in str(shown.body)
    said = (await dee.command("C0ALERTS", "/dw status")).answer
    assert "*STOPPED* `dagster` by <@U0DEE>" in str(said), "a stop of a part is shown too"


async def test_a_message_of_the_menu_opens_the_same_form_filled_in(room: Room) -> None:
    card = (await room.asked())[1]
    ana = room.people["ana"]
    there = next(m for m in ana.reads("C0ALERTS") if m.ts == card.ts)
    await ana.shortcut("dw.stop_here", on=there)
    await ana.wait_for_modal("Nothing new starts")
    await ana.submit()
    assert await stops(room) == [("*", "U0ANA", "something looks wrong")]


async def test_what_has_its_yes_and_is_held_is_listed(room: Room) -> None:
    told = story.the_night()
    kinds = [type(event) for event in told]
    await room.play(told[: kinds.index(e.ApprovalGranted) + 1])
    bo = room.people["bo"]
    assert "Held by it" not in str((await bo.command("C0ALERTS", "/dw status")).answer)
    said = str((await bo.command("C0ALERTS", "/dw stop growth")).answer["text"])
    assert "*Held by it*\n• `DW-3` " in said
    await bo.open_home()
    await bo.wait_for_home("*Held by it*")


async def test_only_whom_dw_yml_names_stops_and_they_are_told_whom_to_ask(room: Room) -> None:
    room.desk._rules.stoppers.append("dee@example.com")
    await room.people["eli"].open_home()
    tab = await room.people["eli"].wait_for_home("Waiting")
    await room.people["eli"].click("Stop…", on=tab, value="drill")
    await room.people["eli"].wait_for_modal("dw.yml names who may stop: dee@example.com")
    assert await stops(room) == []


async def test_a_scope_that_was_edited_stops_nothing_and_says_so(room: Room) -> None:
    forged = StopAll(person="U0ELI", reason="", at=story.NOW, scope="domain:billing")
    assert await room.desk.stop(forged) == "dw.yml has no domain billing"
    assert await stops(room) == []


async def test_a_step_of_another_connection_is_not_said_to_be_held(room: Room) -> None:
    told = story.the_night()
    kinds = [type(event) for event in told]
    await room.play(told[: kinds.index(e.ApprovalGranted) + 1])
    elsewhere = Stop(by="U0DEE", at=story.NOW, reason="", scope="connection:warehouse")
    await room.store.stop(elsewhere)
    assert await room.desk.held() == []

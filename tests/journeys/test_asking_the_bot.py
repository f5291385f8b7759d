"""People ask, in words, in a thread, in a direct message and by command; and later alerts join."""

import pytest

from bot.sandbox.demo import seed
from tests.journeys import alerts
from tests.journeys.moves import approved, asked, ended
from tests.journeys.stage import Stage
from tests.journeys.test_stopping import says

pytestmark = [
    pytest.mark.loopback,
    pytest.mark.parametrize("url", ["sqlite"], indirect=True),
]


async def test_a_later_alert_downstream_joins_the_same_thread(stage: Stage) -> None:
    await approved(stage)
    stage.clock.advance(hours=6)
    alerts.freshness_missed(stage.workspace)
    said = stage.ana.text_of(await stage.reply("One more alert of this trouble"))
    assert "fct_daily_active_users is downstream of raw_sessions" in said
    await stage.card("2 alerts")
    assert len(stage.cards()) == 1


async def test_why_is_answered_in_the_thread_where_it_was_asked(stage: Stage) -> None:
    await asked(stage)
    eli = stage.person("eli")
    question = await eli.post("C0GROWTH", "@dw why did raw_sessions fail?")
    answer = await eli.wait_for_message(
        "the source replica was behind", channel="C0GROWTH", within=20
    )
    assert answer.thread_ts == question.ts
    words = eli.text_of(answer)
    assert words.startswith("`DW-1` *waiting for a yes*: raw_sessions_complete failed")
    assert "Asked now: <@U0ANA>" in words
    there = stage.cards()[0]
    await eli.post(seed.ALERTS, "@dw why did raw_sessions fail?", thread_ts=there.ts)
    again = await stage.reply("Asked now: <@U0ANA>")
    assert again.thread_ts == there.ts


async def test_why_without_a_name_means_the_incident_of_the_thread(stage: Stage) -> None:
    await asked(stage)
    there = stage.cards()[0]
    await stage.person("eli").post(seed.ALERTS, "@dw why?", thread_ts=there.ts)
    assert (await stage.reply("Asked now: <@U0ANA>")).thread_ts == there.ts


async def test_what_cannot_be_answered_is_answered_with_what_can(stage: Stage) -> None:
    eli = stage.person("eli")
    await eli.post("C0GROWTH", "@dw what is the weather <!channel>?")
    answer = await eli.wait_for_message("I don't know", channel="C0GROWTH", within=20)
    words = eli.text_of(answer)
    assert "Nothing was done. " in words.replace("\n", " ")
    assert "`status`" in words
    assert "<!channel>" not in words


async def test_a_direct_message_is_answered_there(stage: Stage) -> None:
    await asked(stage)
    eli = stage.person("eli")
    await eli.post(eli.dm("dw"), "why raw_sessions")
    await eli.wait_for_message("the source replica was behind", channel=eli.dm("dw"), within=20)


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("/dw", "*What I can do*"),
        ("/dw help", "`/dw stop [reason]`"),
        ("/dw status", "*Open: 1 incident*"),
        ("/dw incidents", "`DW-1` raw_sessions_complete failed"),
        ("/dw why dw-1", "*Cause* the source replica was behind"),
        ("/dw why “raw_sessions”", "*Cause* the source replica was behind"),
        ("/dw why nonsense", "I know no incident about `nonsense`"),
        ("/dw approvals", "*1 request for you*"),
        ("/dw receipts", "None yet."),
        ("/dw receipts 9", "I don't know `receipt 9`"),
        ("/dw dance", "I don't know `dance`"),
    ],
)
async def test_every_word_of_the_command_is_answered(
    stage: Stage, command: str, answer: str
) -> None:
    await asked(stage)
    assert answer in await says(stage.ana, command)


async def test_the_home_tab_shows_what_waits_for_whom(stage: Stage) -> None:
    await asked(stage)
    eli = stage.person("eli")
    await eli.open_home()
    await eli.wait_for_home("Waiting for you: 0", within=20)
    await stage.ana.open_home()
    home = await stage.ana.wait_for_home("Waiting for you: 1", within=20)
    await stage.ana.click("Approve", on=home)
    await stage.reply("*Approved* by <@U0ANA>")
    await stage.ana.wait_for_home("Waiting for you: 0", within=20)
    assert "in home tab" in stage.ana.text_of(await stage.reply("*Approved* by <@U0ANA>"))
    await ended(stage)


async def test_the_shortcut_shows_what_is_open(stage: Stage) -> None:
    await asked(stage)
    await stage.person("bo").shortcut("dw.show_open")
    await stage.person("bo").wait_for_modal("DW-1", within=20)

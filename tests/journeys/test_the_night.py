"""Monday night as the people in Slack see it, from the alert to the receipt."""

import json
import time

import pytest

from bot.sandbox.demo import seed
from bot.sandbox.workspace import Timing
from policies.receipt import verify
from tests.journeys import alerts
from tests.journeys.moves import approved, asked, ended
from tests.journeys.stage import Stage, a_stage

pytestmark = pytest.mark.loopback

TOLD = (
    "Cause: the source replica",
    "drafted, for later",
    "*Approved* by",
    "is ready: <@U0ANA> can do it now",
    "recognised run",
    "in this order* is done",
    "started: run",
    "2026-09-28* is done: run run-1",
    "receipt 1",
)


def _place(line: str) -> int:
    """Where in the story this stands; what is no part of it comes last."""
    return next((n for n, words in enumerate(TOLD) if words in line), len(TOLD))


async def test_an_alert_becomes_one_card_with_cause_reach_and_plan(stage: Stage) -> None:
    alerts.check_failed(stage.workspace)
    card = await stage.card("waiting for a yes")
    words = stage.ana.text_of(card)
    assert words.startswith("DW-1 · waiting for a yes: raw_sessions_complete failed")
    assert "*Cause* the source replica was behind when raw_sessions read it (95% sure)" in words
    assert "primary has 28,300 rows for 2026-09-28, loaded 23,100" in words
    assert "*Reaches 4 assets, first read 09:30 UTC*" in words
    assert "1. Backfill raw_sessions, stg_sessions and fct_daily_active_users" in words
    assert "2. Run growth_rollups_job for 2026-09-28 – _the bot_: *waiting for a yes*" in words
    assert len(stage.cards()) == 1
    assert stage.stack.rollups() == []


async def test_the_owner_is_asked_in_the_thread_and_privately_with_all_that_counts(
    stage: Stage,
) -> None:
    dm = stage.ana.text_of(await asked(stage))
    request = stage.ana.text_of(await stage.reply("needs a yes or no"))
    for words in (dm, request):
        assert words.startswith("DW-1: your yes or no is needed until")
        assert "A yes covers exactly 2 steps" in words
        assert words.count("*Undo*") == words.count("*Risk*") == 2
        assert "• only if raw_sessions_complete passes" in words
        assert "Silence never counts as a yes" in words
        assert "Approve" in words
    assert stage.person("eli").everything()[-1].channel == seed.ALERTS, "nobody else is written to"


async def test_a_yes_is_in_every_copy_within_two_seconds_and_its_buttons_are_gone(
    stage: Stage,
) -> None:
    dm = await asked(stage)
    request = await stage.reply("needs a yes or no")
    await stage.ana.open_home()
    await stage.ana.wait_for_home("Waiting for you: 1")
    tapped = time.monotonic()
    await stage.ana.click("Approve", on=dm)
    await stage.card("repair under way", within=2)
    await stage.ana.wait_for_home("Waiting for you: 0", within=2)
    await stage.dm("ana", "*Approved* by <@U0ANA>", within=2)
    await stage.reply("request `DW-1-R1`", within=2)
    for message in (dm, request):
        await stage.says(message, "*Approved* by <@U0ANA>", within=2)
        assert not stage.ana.sees_button("Approve", on=message)
    assert time.monotonic() - tapped < 2, "all of them, not each"
    assert "in direct message" in stage.ana.text_of(request)


async def test_the_night_ends_with_one_run_one_card_and_a_receipt(stage: Stage) -> None:
    await approved(stage)
    assert stage.stack.rollups() == [], "the rollups wait for the backfill"
    await ended(stage)
    assert len(stage.stack.rollups()) == 1
    assert len(stage.cards()) == 1
    card = stage.ana.text_of(stage.cards()[0])
    assert card.startswith("DW-1 · resolved:")
    assert "`rows_vs_primary` passes: 28,300 of 28,300 rows" in card
    receipt = stage.ana.text_of(await stage.reply("*Receipt 1*"))
    assert "*Approved* by <@U0ANA>" in receipt
    assert "before: 23,100 of 28,300 rows" in receipt
    incident = await stage.incident()
    assert stage.built is not None
    receipts = await stage.built.store.receipts()
    assert verify(receipts) is None
    assert (receipts[0].number, receipts[0].hash) == (incident.receipt, incident.receipt_hash)
    assert receipts[0].hash in receipt


async def test_the_receipt_can_be_read_whole_and_asked_for(stage: Stage) -> None:
    await approved(stage)
    await ended(stage)
    eli = stage.person("eli")
    await eli.click("JSON", on=await stage.reply("*Receipt 1*"))
    modal = await eli.wait_for_modal("raw_sessions")
    whole = "".join(block["text"]["text"] for block in modal.body["blocks"])
    assert json.loads(whole)["number"] == 1
    await eli.close()
    await eli.command(seed.ALERTS, "/dw receipts 1")
    said = eli.reads(seed.ALERTS)[-1]
    assert said.reader == eli.id
    assert "*Receipt 1*" in eli.text_of(said)
    await eli.command(seed.ALERTS, "/dw receipts")
    assert "1: `DW-1`" in eli.text_of(eli.reads(seed.ALERTS)[-1])


@pytest.mark.parametrize("url", ["postgres"], indirect=True)
async def test_at_slacks_own_pace_the_thread_is_told_in_the_order_of_the_journal(url: str) -> None:
    async with a_stage(url, timing=Timing(), faster=1) as stage:
        await approved(stage)
        stage.stack.backfill()
        run = await stage.rollups()
        stage.stack.runs.end(run.id)
        await stage.reply("*Receipt 1*", within=30)
        told = [words.splitlines()[0] for words in stage.thread()]
        asked = [line for line in told if "Approved: Backfill" in line]
        assert len(asked) == 1, "the request has its own message, wherever it stands"
        assert [line for line in told if line not in asked] == sorted(told, key=_place)[:-1]


async def test_over_signed_http_the_night_is_the_same(url: str) -> None:
    async with a_stage(url, mode={"slack_mode": "http"}) as stage:
        await approved(stage)
        await ended(stage)
        await stage.ana.command(seed.ALERTS, "/dw status")
        assert "*Open: 0 incidents*" in stage.ana.text_of(stage.ana.reads(seed.ALERTS)[-1])
        assert stage.workspace.connections(seed.BOT_APP) == 0
        assert len(stage.stack.rollups()) == 1

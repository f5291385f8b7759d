"""Slack repeats, forgets, refuses and hangs up: nothing is lost, nothing is said twice."""

from dataclasses import replace

import pytest

from bot.sandbox.demo import seed
from bot.sandbox.workspace import SlackError, until
from tests.journeys import alerts
from tests.journeys.moves import approved, asked, ended
from tests.journeys.props import PATIENCE, TIMING
from tests.journeys.stage import Stage, a_stage

pytestmark = pytest.mark.loopback
ON_SQLITE = pytest.mark.parametrize("url", ["sqlite"], indirect=True)
TRIES = 1 + len(TIMING.redeliver_after)


async def _whole(stage: Stage) -> None:
    """The night went as ever: one card, one request, one direct message, every reply once, one run."""
    assert stage.doubled() == []
    assert len(stage.cards()) == 1
    words = stage.thread()
    for once in ("Cause:", "Approved: Backfill", "recognised run", "started: run", "*Receipt 1*"):
        assert len([text for text in words if once in text]) == 1, once
    assert list(stage.stack.tagged().values()) == [1]
    assert stage.built is not None
    lines = await stage.built.store.incidents(open_only=False, limit=10)
    assert [line.id for line in lines] == ["DW-1"]


async def _night(stage: Stage) -> None:
    await approved(stage)
    await ended(stage)
    await _whole(stage)


@pytest.mark.parametrize("same_envelope", [True, False])
async def test_everything_is_delivered_twice(stage: Stage, *, same_envelope: bool) -> None:
    stage.workspace.faults.add("duplicate", 1000, same_envelope=same_envelope)
    await _night(stage)


async def test_every_ack_is_forgotten_and_all_is_sent_again(url: str) -> None:
    """The alert comes four times; her tap ends in an error although it was stored."""
    async with a_stage(url, timing=replace(TIMING, ack_deadline=0.4)) as stage:
        stage.workspace.faults.add("drop_ack", 1000)
        dm = await asked(stage)
        with pytest.raises(SlackError, match="did not answer in time"):
            await stage.ana.click("Approve", on=dm)
        alert = stage.workspace.record.events("message")[0]
        await until(lambda: alert.state == "failed", PATIENCE, "The last try")
        assert len(alert.attempts) == TRIES
        stage.workspace.faults.clear()
        await stage.says(dm, "*Approved* by <@U0ANA>")
        await ended(stage)
        await _whole(stage)


@ON_SQLITE
async def test_events_that_come_late_and_in_reverse(stage: Stage) -> None:
    stage.workspace.faults.add("delay", 2, answer={"ms": 200})
    stage.workspace.faults.add("reorder", 2)
    alerts.check_failed(stage.workspace)
    await stage.ana.post(seed.ALERTS, "oh no")
    await stage.ana.click("Approve", on=await stage.dm("ana"))
    await ended(stage)
    await _whole(stage)


async def test_slack_says_too_many_requests_for_a_while(stage: Stage) -> None:
    for method in ("chat.postMessage", "chat.update"):
        slow_down = {"error": "ratelimited", "retry_after": 1}
        stage.workspace.faults.add("answer", 3, method=method, answer=slow_down)
    await _night(stage)


@pytest.mark.parametrize("error", ["message_limit_exceeded", "internal_error", "fatal_error"])
@ON_SQLITE
async def test_slack_refuses_for_a_moment(stage: Stage, error: str) -> None:
    stage.workspace.faults.add("answer", 1, method="chat.postMessage", answer={"error": error})
    alerts.check_failed(stage.workspace)
    await until(lambda: _refused(stage), PATIENCE, "The refusal")
    stage.clock.advance(seconds=31)
    await stage.ana.click("Approve", on=await stage.dm("ana"))
    await ended(stage)
    await _whole(stage)


def _refused(stage: Stage) -> bool:
    return bool(stage.workspace.record.called("chat.postMessage", ok=False))


async def test_the_answer_to_a_post_is_lost_and_it_is_not_posted_again(stage: Stage) -> None:
    stage.workspace.faults.add("lost", 2, method="chat.postMessage")
    alerts.check_failed(stage.workspace)
    await until(stage.cards, PATIENCE, "The card")
    stage.clock.advance(seconds=6)
    await until(lambda: _lost(stage) == 2, PATIENCE, "The second loss")
    stage.clock.advance(seconds=6)
    await stage.ana.click("Approve", on=await stage.dm("ana"))
    await ended(stage)
    await _whole(stage)


def _lost(stage: Stage) -> int:
    return len([call for call in stage.workspace.record.calls if call.lost])


@ON_SQLITE
async def test_server_errors_while_updating_end_with_the_truth(stage: Stage) -> None:
    dm = await asked(stage)
    stage.workspace.faults.add("answer", 4, method="chat.update", answer={"status": 500})
    await stage.ana.click("Approve", on=dm)
    await stage.reply("*Approved* by")
    stage.clock.advance(seconds=10)
    await stage.says(dm, "*Approved* by <@U0ANA>")
    await stage.card("repair under way")
    await ended(stage)
    await _whole(stage)


@ON_SQLITE
async def test_slack_asks_to_come_back_on_new_sockets(stage: Stage) -> None:
    dm = await asked(stage)
    await stage.workspace.disconnect()
    await until(lambda: stage.workspace.connections(seed.BOT_APP) == 2, PATIENCE, "Two sockets")
    await stage.ana.click("Approve", on=dm)
    await ended(stage)
    await _whole(stage)


@ON_SQLITE
async def test_the_line_is_cut_and_the_first_new_addresses_are_dead(stage: Stage) -> None:
    dm = await asked(stage)
    stage.workspace.faults.add("dead_handshake", 2)
    stage.workspace.abort()
    await until(lambda: stage.workspace.connections(seed.BOT_APP) == 0, PATIENCE, "Silence")
    alerts.freshness_missed(stage.workspace)
    await until(lambda: stage.workspace.connections(seed.BOT_APP) == 2, PATIENCE, "Two sockets")
    await stage.ana.click("Approve", on=dm)
    await ended(stage)
    await _whole(stage)


@ON_SQLITE
async def test_blocks_that_slack_does_not_take_are_said_in_plain_words(stage: Stage) -> None:
    refusal = {"error": "invalid_blocks"}
    stage.workspace.faults.add("answer", 1, method="chat.postMessage", answer=refusal)
    alerts.check_failed(stage.workspace)
    card = (await until(stage.cards, PATIENCE, "The card"))[0]
    assert "raw_sessions_complete failed on raw_sessions" in stage.ana.text_of(card)


@ON_SQLITE
async def test_a_channel_that_does_not_take_us_is_no_reason_to_lose_the_rest(stage: Stage) -> None:
    """Slack refuses one direct message for good; the thread's request still decides."""
    refusal = {"error": "user_disabled"}
    stage.workspace.faults.add("answer", 1, method="conversations.open", answer=refusal)
    alerts.check_failed(stage.workspace)
    request = await stage.reply("needs a yes or no")
    await stage.ana.click("Approve", on=request)
    await ended(stage)

"""Who decides, who does not, and what the others see."""

import asyncio

import pytest

from bot.sandbox.demo import seed
from policies import events as e
from policies.incident import Phase, StepPhase
from tests.journeys.moves import approved, asked, ended
from tests.journeys.stage import Stage

pytestmark = pytest.mark.loopback


async def _phases(stage: Stage) -> set[StepPhase]:
    return {s.phase for name, s in (await stage.incident()).steps.items() if name != "guard"}


async def _events(stage: Stage, kind: type[e.Event]) -> list[e.Event]:
    return [entry.event for entry in await stage.journal() if isinstance(entry.event, kind)]


async def test_a_no_with_its_quick_reason_runs_nothing_and_the_thread_says_why(
    stage: Stage,
) -> None:
    dm = await asked(stage)
    reason = next(
        option["value"]
        for block in dm.body["blocks"]
        for element in block.get("elements", [])
        for option in element.get("options", [])
        if option["text"]["text"].endswith("the cause is wrong")
    )
    await stage.ana.click(action_id="dw.reject_with", on=dm, selected_option=reason)
    await stage.reply("*Rejected* by <@U0ANA>")
    said = await stage.reply("Nothing of it runs.")
    assert "the cause is wrong" in stage.ana.text_of(said)
    card = stage.ana.text_of(await stage.card("A person takes it from here"))
    assert card.startswith("DW-1 · handed over to a person")
    await stage.says(dm, "Nothing of this runs")
    assert not stage.ana.sees_button("Approve", on=dm)
    stage.stack.backfill()
    await asyncio.sleep(1)
    assert stage.stack.rollups() == []
    assert await _phases(stage) == {StepPhase.REFUSED}


async def test_silence_is_reminded_passed_on_twice_and_ends_as_a_no(stage: Stage) -> None:
    dm = await asked(stage)
    stage.clock.advance(minutes=2.6)
    await stage.reply("Half of the time is gone. Still waiting for <@U0ANA>")
    await stage.dm("ana", "*Half of the time is gone.* `DW-1` still waits for your yes or no")
    stage.clock.advance(minutes=2.5)
    await stage.reply("Nobody decided in time, which is not a yes. Now asked: @data-oncall")
    await stage.says(dm, "<@U0CLEO> (next in the chain: @data-oncall)")
    cleos = await stage.dm("cleo")
    await stage.says(dm, "*It has moved on,* because nobody decided in time.")
    await stage.says(
        dm, "Your yes or no still counts until somebody decides.\nNow asked: <@U0CLEO>"
    )
    stage.clock.advance(minutes=3.1)
    await stage.reply("Now asked: dee until")
    dees = await stage.dm("dee")
    stage.clock.advance(minutes=3.1)
    await stage.reply("That is a no; nothing of it ran.")
    card = await stage.card("DW-1 · handed over to a person")
    assert "nobody decided in time" in stage.ana.text_of(card)
    for name, message in (("ana", dm), ("cleo", cleos), ("dee", dees)):
        await stage.says(message, "Nobody decided in time: that is a no")
        assert not stage.person(name).sees_button("Approve", on=message)
    assert stage.stack.rollups() == []
    assert len(await _events(stage, e.Escalated)) == 2
    assert len(await _events(stage, e.DecisionMade)) == 0


async def test_the_next_in_the_chain_decides_for_the_one_who_sleeps(stage: Stage) -> None:
    await asked(stage)
    stage.clock.advance(minutes=5.1)
    cleos = await stage.dm("cleo")
    await stage.person("cleo").click("Approve", on=cleos)
    await stage.reply("*Approved* by <@U0CLEO>")
    await stage.dm("ana", "*Approved* by <@U0CLEO>")
    await ended(stage)


async def test_of_two_who_tap_at_once_one_decides_and_the_other_is_told_who_and_when(
    stage: Stage,
) -> None:
    anas = await asked(stage)
    stage.clock.advance(minutes=5.1)
    cleos = await stage.dm("cleo")
    ana, cleo = stage.ana, stage.person("cleo")
    await asyncio.gather(
        ana.click("Approve", on=anas),
        cleo.click("Reject", on=cleos),
    )
    late = await stage.either("already")
    made = await _events(stage, e.DecisionMade)
    assert len(made) == 1
    decision = made[0].decision  # type: ignore[attr-defined]
    loser, verb = ("U0CLEO", "approved") if decision.choice == "yes" else ("U0ANA", "refused")
    assert late.reader == loser or loser in stage.members(late)
    assert f"<@{decision.person}> already {verb} this at" in ana.text_of(late)
    assert "Your tap changed nothing" in ana.text_of(late)
    for message in (anas, cleos):
        await stage.says(message, f"by <@{decision.person}>")


async def test_somebody_who_may_not_is_told_privately_why_and_who_may(stage: Stage) -> None:
    await asked(stage)
    request = await stage.reply("needs a yes or no")
    await stage.reply("Drafted, so that it does not happen again")
    before = len(stage.ours())
    eli = stage.person("eli")
    await eli.click("Approve", on=request)
    told = await eli.wait_for_message("Your tap did not count", within=20)
    assert told.reader == eli.id, "only Eli sees it"
    assert told.thread_ts == stage.cards()[0].ts, "where he tapped"
    assert "Who may decide: <@U0ANA>" in eli.text_of(told)
    refused = await _events(stage, e.DecisionRefused)
    assert len(refused) == 1, "and it is recorded"
    assert stage.ana.sees_button("Approve", on=request)
    assert len(stage.ours()) == before
    await eli.click("Who else?", on=request)
    modal = await eli.wait_for_modal("ana (owner of raw_sessions")
    assert "owner of raw_sessions" in str(modal.body)
    assert "no change of code is blamed" in str(modal.body), "bans that meet nobody are told"


async def test_code_that_changes_before_the_start_is_asked_about_again(stage: Stage) -> None:
    old = await approved(stage)
    stage.stack.dagster.version = "v2"
    stage.stack.backfill()
    changed = await stage.reply("The request is void")
    assert "code version `v1` → `v2`" in stage.ana.text_of(changed), "it says what changed"
    new = await stage.dm("ana")
    assert new.ts != old.ts
    assert "code version `v2`" in stage.ana.text_of(new)
    assert "*Changed since you saw it*" in stage.ana.text_of(new)
    assert stage.stack.rollups() == []
    await stage.says(old, "No longer valid")
    await stage.ana.click("Approve", on=new)
    run = await stage.rollups()
    stage.stack.runs.end(run.id)
    await stage.card("*resolved*")


async def test_what_an_old_screen_still_shows_does_not_count(stage: Stage) -> None:
    """Ana's phone has not refreshed: she taps the button that she still sees."""
    dm = await asked(stage)
    seen = next(
        element["value"]
        for block in dm.body["blocks"]
        for element in block.get("elements", [])
        if element.get("action_id") == "dw.approve"
    )
    await stage.ana.click("Approve", on=dm)
    stage.stack.dagster.version = "v2"
    stage.stack.backfill()
    new = await stage.reply("code version `v2`")
    await stage.ana.click("Approve", on=new, value=seen)
    told = await stage.ana.wait_for_message("Your tap changed nothing", within=20)
    assert told.reader == stage.ana.id
    assert stage.stack.rollups() == []
    assert (await stage.incident()).phase is Phase.REPAIRING


async def test_a_question_before_deciding_goes_to_the_thread_and_the_time_goes_on(
    stage: Stage,
) -> None:
    dm = await asked(stage)
    await stage.ana.click("Ask", on=dm)
    await stage.ana.wait_for_modal("What do you need to know?")
    await stage.ana.submit({"dw.question_text": "Is <!channel> the replica *really* back?"})
    said = stage.ana.text_of(await stage.reply("asks before deciding"))
    assert said.startswith("DW-1: <@U0ANA> asks before deciding: Is &lt;!channel&gt; the replica")
    assert stage.ana.sees_button("Approve", on=dm)
    await stage.ana.command(seed.ALERTS, "/dw approvals")
    assert "1 request for you" in stage.ana.text_of(stage.ana.reads(seed.ALERTS)[-1])

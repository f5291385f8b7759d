"""The house ends without a word, at any moment, and another one goes on."""

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.sandbox.demo import seed
from bot.sandbox.workspace import SlackError, until
from policies.receipt import verify
from policies.run import Run, RunState
from tests.journeys import alerts
from tests.journeys.moves import approved, asked, ended
from tests.journeys.props import PATIENCE
from tests.journeys.stack import ROLLUPS
from tests.journeys.stage import Stage

pytestmark = pytest.mark.loopback
LEASE = 61


async def _breaks_off(stage: Stage) -> None:
    """The house is cut off; what it had claimed is free again a minute later, for the next one."""
    await stage.cut()
    stage.clock.advance(seconds=LEASE)
    await stage.open()


async def _proved(stage: Stage) -> None:
    """One run, one card, nothing said twice, a chain that holds."""
    assert stage.doubled() == []
    assert len(stage.cards()) == 1
    assert list(stage.stack.tagged().values()) == [1]
    assert stage.built is not None
    assert verify(await stage.built.store.receipts()) is None


async def test_cut_off_while_it_looks_for_the_cause(stage: Stage) -> None:
    alerts.check_failed(stage.workspace)
    await until(stage.cards, PATIENCE, "The card")
    await _breaks_off(stage)
    await stage.ana.click("Approve", on=await stage.dm("ana"))
    await ended(stage)
    await _proved(stage)


async def test_cut_off_while_it_waits_for_the_yes(stage: Stage) -> None:
    dm = await asked(stage)
    await stage.cut()
    with pytest.raises(SlackError, match="did not answer in time"):
        await stage.ana.click("Approve", on=dm)
    stage.clock.advance(seconds=LEASE)
    await stage.open()
    assert stage.ana.sees_button("Approve", on=dm), "the tap did not arrive, and she can see that"
    await stage.ana.click("Approve", on=dm)
    await ended(stage)
    await _proved(stage)


async def test_cut_off_in_the_moment_of_the_yes(stage: Stage) -> None:
    """It was acked, so it counts, whoever takes it up."""
    dm = await asked(stage)
    await stage.ana.click("Approve", on=dm)
    await _breaks_off(stage)
    await stage.says(dm, "*Approved* by <@U0ANA>")
    await ended(stage)
    await _proved(stage)


async def test_cut_off_after_the_yes_and_the_backfill_happens_meanwhile(stage: Stage) -> None:
    await approved(stage)
    await stage.cut()
    stage.stack.backfill()
    stage.clock.advance(seconds=LEASE)
    await stage.open()
    run = await stage.rollups()
    stage.stack.runs.end(run.id)
    await stage.reply("*Receipt 1*")
    await _proved(stage)


async def test_cut_off_while_the_rollups_run(stage: Stage) -> None:
    await approved(stage)
    stage.stack.backfill()
    run = await stage.rollups()
    await stage.cut()
    stage.stack.runs.end(run.id)
    stage.clock.advance(seconds=LEASE)
    await stage.open()
    await stage.reply("*Receipt 1*")
    await _proved(stage)


async def test_a_deadline_that_passed_while_nobody_was_there_still_passes_the_turn_on(
    stage: Stage,
) -> None:
    dm = await asked(stage)
    await stage.cut()
    stage.clock.advance(minutes=6)
    await stage.open()
    await stage.reply("Nobody decided in time, which is not a yes. Now asked: @data-oncall")
    await stage.dm("cleo")
    await stage.says(dm, "<@U0CLEO>")


@asynccontextmanager
async def _a_process(stage: Stage, reached: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    told = {
        "url": stage.url,
        "slack": stage.workspace.api_url,
        "ahead": stage.clock.ahead,
        "reached": str(reached),
    }
    line = (sys.executable, "-m", "tests.journeys.house_process", json.dumps(told))
    process = await asyncio.create_subprocess_exec(*line, cwd=Path(__file__).parents[2])
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.mark.parametrize("accepted", [True, False], ids=["accepted", "never_arrived"])
async def test_killed_between_starting_and_hearing_back_leaves_one_run(
    stage: Stage, tmp_path: Path, *, accepted: bool
) -> None:
    await approved(stage)
    await stage.cut()
    stage.clock.advance(seconds=LEASE)
    reached = tmp_path / "reached"
    async with _a_process(stage, reached) as process:
        await until(reached.exists, PATIENCE, "The call")
        process.send_signal(signal.SIGKILL)
        await process.wait()
    stage.stack.backfill()
    if accepted:
        stage.stack.runs.add(_started(stage, reached.read_text()))
    stage.clock.advance(seconds=LEASE)
    await stage.open()
    if accepted:
        await stage.reply("that run is taken, nothing is started twice")
    run = await stage.rollups()
    stage.stack.runs.end(run.id)
    await stage.reply("*Receipt 1*")
    await _proved(stage)
    assert len(stage.stack.rollups()) == 1
    assert stage.ours(stage.ana.dm("dw"))[0].app_id == seed.BOT_APP


def _started(stage: Stage, key: str) -> Run:
    """What Dagster made of the call that nobody heard the answer to."""
    return Run(
        connection="dagster",
        id="started-by-the-dead",
        job=ROLLUPS,
        state=RunState.RUNNING,
        tags={"dw/step": key},
        created_at=stage.clock.now(),
    )

"""What most journeys begin and end with."""

from bot.sandbox.workspace.state import Message
from tests.journeys import alerts
from tests.journeys.stage import Stage


async def asked(stage: Stage) -> Message:
    """The alert is posted and Ana is asked; her direct message."""
    alerts.check_failed(stage.workspace)
    return await stage.dm("ana")


async def approved(stage: Stage) -> Message:
    """Ana says yes in her direct message, and it counted."""
    message = await asked(stage)
    await stage.ana.click("Approve", on=message)
    await stage.reply("Approved* by <@U0ANA>")
    return message


async def ended(stage: Stage) -> None:
    """Ana backfills, the rollups run and end well, and the receipt is posted."""
    stage.stack.backfill()
    run = await stage.rollups()
    stage.stack.runs.end(run.id)
    await stage.reply("*Receipt 1*")
    await stage.card("*resolved*")

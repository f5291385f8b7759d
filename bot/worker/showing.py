"""Sends what must be seen: each copy as things stand at the moment of sending."""

from bot.ports import Copy, Due, RetryAfter, Showing
from bot.worker.context import Context


async def show(context: Context, due: Due) -> None:
    """Render and post or update one copy. What is in the thread waits for the card that opens it."""
    incident = await context.incident(due)
    name = due.payload["name"]
    copies = await context.store.copies(incident.id)
    card = copies.get("card")
    if card is None and name != "card":
        raise RetryAfter(0.3, "the card is not posted yet")
    showing = Showing(
        incident=incident,
        name=name,
        copy=copies.get(name),
        card=card,
        entries=await context.store.entries(incident.id),
        stopped=await context.store.stopped(),
        now=context.now(),
    )
    copy = await _speak(context, due, showing)
    if copy is not None and copy != showing.copy:
        await context.store.keep(copy)
    await context.store.finish(due)


async def whisper(context: Context, due: Due) -> None:
    """Tell one person privately what came of their tap."""
    await context.announcer.whisper(due.payload["respond_to"], due.payload["text"])
    await context.store.finish(due)


async def _speak(context: Context, due: Due, showing: Showing) -> Copy | None:
    result = "failed"
    try:
        copy = await context.announcer.show(showing)
        result = "ok"
    except RetryAfter:
        result = "throttled"
        raise
    finally:
        context.metrics.called_slack(due.lane, result)
    return copy

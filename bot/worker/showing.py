"""Sends what must be seen: each copy as things stand at the moment of sending."""

from dataclasses import replace
from functools import partial

import structlog

from bot.outbox import THREAD
from bot.outbox import told as to_tell
from bot.ports import Copy, Due, NewDue, RetryAfter, Showing, Undeliverable
from bot.worker.context import Context
from bot.worker.listing import PERSONAL, settled
from policies.incident import Incident

log = structlog.get_logger("showing")
_SOON, _SELDOM = 0.3, 30.0


async def show(context: Context, due: Due) -> None:
    """Render and post or update one copy. What is in the thread waits for the card that opens it."""
    incident, entries = await context.story(due)
    name = due.payload["name"]
    copies = await context.store.copies(incident.id)
    card = copies.get("card")
    if card is None and name != "card" and not name.startswith(PERSONAL):
        raise RetryAfter(_patience(context, incident), "the card is not posted yet")
    showing = Showing(
        incident=incident,
        name=name,
        copy=copies.get(name),
        card=card,
        entries=entries,
        stopped=await context.stopped(incident),
        now=context.now(),
        tried=due.tried,
        hold=partial(context.hold, due),
    )
    if name == THREAD:
        await _tell(context, due, showing, frozenset(copies))
        return await context.store.finish(due)
    said: Showing | None = showing
    also: tuple[NewDue, ...] = ()
    if name.startswith(PERSONAL):
        said, also = await settled(context, showing)
    if said is not None:
        await _keep(context, due, said)
    return await context.store.finish(due, also)


def _patience(context: Context, incident: Incident) -> float:
    """Seconds: moments at first; a card that nobody can post is not asked after three times a second."""
    waited = (context.now() - incident.opened_at).total_seconds()
    return min(max(_SOON, waited / 10), _SELDOM)


async def _tell(context: Context, due: Due, showing: Showing, told: frozenset[str]) -> None:
    """Every reply that is not there yet, one after the other: a thread is read from top to bottom."""
    refused: Undeliverable | None = None
    for entry in to_tell(showing.entries):
        name = f"reply:{entry.seq}"
        if name in told:
            continue
        try:
            await _keep(context, due, replace(showing, name=name, copy=None))
        except Undeliverable as problem:
            log.warning("reply_refused", reply=name, problem=str(problem))
            refused = problem
    if refused is not None:
        raise refused


async def _keep(context: Context, due: Due, showing: Showing) -> None:
    copy = await _speak(context, due, showing)
    if copy is not None and copy != showing.copy:
        await context.store.keep(copy)


async def homes(context: Context, due: Due) -> None:
    """Home tabs follow cards; a stop is shown on them where there is no card too."""
    await context.announcer.homes()
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

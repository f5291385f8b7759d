"""Looks back over the alert channels for what was posted while no socket was open.

Slack sends an event four times within six minutes; whoever is away longer has missed it.
"""

from datetime import datetime, timedelta

import structlog

from bot.outbox import intake_due
from bot.ports import Due, NewDue
from bot.worker.context import Context

log = structlog.get_logger("catching_up")
_KEY = "catch_up"
_EVERY = timedelta(minutes=1)
_OVERLAP = timedelta(minutes=2)
_FAR_ENOUGH = timedelta(hours=24)


def first_look(now: datetime) -> NewDue:
    """The row that keeps the watermark; one that is there already knows since when nobody listened."""
    return _look(now, now)


async def catch_up(context: Context, due: Due) -> None:
    """One look at all alert channels; what was missed is stored like anything that arrives."""
    if context.history is None:
        return await context.store.finish(due)
    now = context.now()
    since = max(datetime.fromisoformat(due.payload["since"]) - _OVERLAP, now - _FAR_ENOUGH)
    found = {item.place: item for item in await context.history.since(since) if item.place}
    for place in sorted(await context.store.missing(list(found))):
        item = found[place]
        await context.store.receive(item, intake_due(item))
        log.warning("missed_message_found", place=place)
    await context.store.finish(due, (_look(now + _EVERY, now),))
    return None


def _look(at: datetime, since: datetime) -> NewDue:
    return NewDue(kind=_KEY, key=_KEY, at=at, payload={"since": since.isoformat()})

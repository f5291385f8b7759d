"""One row becomes one for each copy of every open incident: whoever stops things is answered before that."""

from bot.outbox import refresh, steps_due
from bot.ports import Due
from bot.worker.context import Context

_ALL = 10_000


async def refresh_all(context: Context, due: Due) -> None:
    """Every open card says that things are stopped, or go on; held steps get a fresh look."""
    now = context.now()
    for line in await context.store.incidents(open_only=True, limit=_ALL):
        incident = await context.store.load(line.id)
        if incident is not None:
            await context.store.add((*refresh(incident, now), steps_due(incident.id, now)))
    await context.store.finish(due)

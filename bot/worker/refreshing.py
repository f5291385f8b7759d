"""After a stop, and after it is lifted: every open copy tells so, and held steps get a fresh look.

Not at the desk: with many incidents open that would keep the person who stops waiting for the answer.
"""

from bot.outbox import refresh as copies
from bot.outbox import steps_due
from bot.ports import Due, NewDue
from bot.worker.context import Context

_MOST = 1000


async def refresh(context: Context, due: Due) -> None:
    """One look at every open incident."""
    now, rows = context.now(), list[NewDue]()
    for line in await context.store.incidents(open_only=True, limit=_MOST):
        incident = await context.store.load(line.id)
        if incident is not None:
            rows += copies(incident, now)
            rows.append(steps_due(incident.id, now))
    await context.store.finish(due, rows)

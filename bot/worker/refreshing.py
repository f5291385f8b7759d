"""Makes every open incident show how things stand, after something that touches all of them."""

from bot.outbox import refresh, steps_due
from bot.ports import Due, Lane, NewDue
from bot.worker.context import Context

_MOST = 1000


async def refresh_all(context: Context, due: Due) -> None:
    """Every copy of every open incident, and every home tab, is shown anew, and what a stop held is looked at again.

    A row of its own, because hundreds of incidents take longer to load than a stop may take to be answered.
    """
    now = context.now()
    rows = [NewDue(kind="homes", key="homes", at=now, lane=Lane.STATUS)]
    for line in await context.store.incidents(open_only=True, limit=_MOST):
        incident = await context.store.load(line.id)
        if incident is not None:
            rows += refresh(incident, now)
            rows.append(steps_due(incident.id, now))
    await context.store.finish(due, rows)

"""Troubles that turn out to have one cause become one, in whatever order they were told.

Both journals are written in one transaction, so a tap comes before it or after it. What a yes has set going
is never taken away: such a trouble goes on beside the other, and both say so.
"""

import structlog

from bot.outbox import receipt_due
from bot.ports import Due
from bot.worker.context import Context
from bot.worker.neighbours import neighbours
from policies import events as e
from policies.joining import Kinship, inherited, joined, kinship, movable, took_in, waits

log = structlog.get_logger("joining")


async def join(context: Context, due: Due) -> None:
    """Look at every neighbour of one incident. Whatever is one is joined, each pair for itself."""
    incident = await context.incident(due)
    for other in await neighbours(context, incident.opened_at):
        if not waits(incident):
            break
        kin = kinship(incident, other, context.rules) if other.id != incident.id else None
        if kin is not None and await _settle(context, kin):
            incident = await context.incident(due)
    await context.store.finish(due)


async def _settle(context: Context, kin: Kinship) -> bool:
    """One of the two joins the other, or they are linked; False when nothing is to be done."""
    if movable(kin.effect):
        return await _one(context, kin)
    if kin.effect.phase.closed or kin.cause.id in kin.effect.linked:
        return False
    return await _beside(context, kin)


async def _one(context: Context, kin: Kinship) -> bool:
    now, effect, cause = context.now(), kin.effect, kin.cause
    ended = context.change(effect, *joined(kin), due=(receipt_due(effect.id, now),))
    grown = context.change(cause, took_in(kin), keys=inherited(effect))
    await context.store.commit_all((ended, grown))
    log.info("joined", incident=effect.id, into=cause.id, because=kin.because)
    return True


async def _beside(context: Context, kin: Kinship) -> bool:
    effect, cause = kin.effect, kin.cause
    one = context.change(effect, e.Linked(incident=cause.id, because=kin.because))
    other = context.change(cause, e.Linked(incident=effect.id, because=kin.because))
    await context.store.commit_all((one, other))
    log.info("linked", incident=effect.id, cause=cause.id, because=kin.because)
    return True

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
    near = await neighbours(context, incident.opened_at) if waits(incident) else ()
    for other in near:
        if other.id != incident.id and kinship(incident, other, context.rules) is not None:
            async with context.alerts:  # else a storm of alerts moves one of the two all the time
                await _pair(context, incident.id, other.id)
    await context.store.finish(due)


async def _pair(context: Context, one: str, other: str) -> None:
    """One of the two joins the other, or they are linked, as they stand now."""
    first, second = await context.store.load(one), await context.store.load(other)
    if first is None or second is None or not (waits(first) and waits(second)):
        return
    kin = kinship(first, second, context.rules)
    if kin is not None and movable(kin.effect):
        await _one(context, kin)
    elif kin is not None and not kin.effect.phase.closed and kin.cause.id not in kin.effect.linked:
        await _beside(context, kin)


async def _one(context: Context, kin: Kinship) -> None:
    now, effect, cause = context.now(), kin.effect, kin.cause
    ended = context.change(effect, *joined(kin), due=(receipt_due(effect.id, now),))
    grown = context.change(cause, took_in(kin), keys=inherited(effect))
    await context.store.commit_all((ended, grown))
    log.info("joined", incident=effect.id, into=cause.id, because=kin.because)


async def _beside(context: Context, kin: Kinship) -> None:
    effect, cause = kin.effect, kin.cause
    one = context.change(effect, e.Linked(incident=cause.id, because=kin.because))
    other = context.change(cause, e.Linked(incident=effect.id, because=kin.because))
    await context.store.commit_all((one, other))
    log.info("linked", incident=effect.id, cause=cause.id, because=kin.because)

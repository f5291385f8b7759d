"""Says in the alert channel that a connection is blind: one message, which says later that it sees again."""

import structlog

from bot.ports import Due, Notice
from bot.worker.context import Context
from policies.sight import Note, Sight

log = structlog.get_logger("noticing")


async def notice(context: Context, due: Due) -> None:
    """Show how it stands when this is done, not when it was wished for."""
    sight = (await context.store.sights()).get(due.payload["connection"])
    if sight is not None:
        await _say(context, sight)
    await context.store.finish(due)


async def _say(context: Context, sight: Sight) -> None:
    note = sight.note
    if sight.behind and note is not None:
        await context.announcer.notice(_notice(context, sight))
    elif sight.failures == 0 and note is not None:
        await context.announcer.notice(_notice(context, sight))
        await context.store.noted(sight.connection, None)
        log.info("sees_again", connection=sight.connection)
    elif sight.blind(context.now(), context.rules.blind_after):
        said = _notice(context, sight)
        channel, ts = await context.announcer.notice(said)
        stands = Note(channel=channel, ts=ts, blind_from=said.blind_from)
        await context.store.noted(sight.connection, stands)
        log.warning("blind", connection=sight.connection, problem=sight.problem)


def _notice(context: Context, sight: Sight) -> Notice:
    note = sight.note
    return Notice(
        connection=sight.connection,
        channel=note.channel if note else context.rules.alert_channels[0],
        ts=note.ts if note else None,
        blind_from=note.blind_from if note else sight.blind_from,
        seen_at=sight.seen_at if sight.failures == 0 and not sight.behind else None,
        read_to=sight.since if sight.behind else None,
        problem=sight.problem or "",
    )

"""Says in a thread what came of somebody's words: apart from doing it, so that no order is carried out twice."""

from datetime import datetime

from bot.commands import Answer
from bot.ports import Due, NewDue
from bot.worker.context import Context


def reply_row(command: Answer, text: str, now: datetime) -> NewDue:
    """The wish to say it once, where it was asked."""
    return NewDue(
        kind="reply",
        key=f"reply:{command.key}",
        at=now,
        payload={
            "channel": command.channel,
            "thread_ts": command.thread_ts,
            "text": text,
            "key": command.key,
        },
    )


async def reply(context: Context, due: Due) -> None:
    """Post it; the same row again does not post it twice."""
    said = due.payload
    await context.announcer.reply(said["channel"], said["thread_ts"], said["text"], key=said["key"])
    await context.store.finish(due)

"""Who posts alerts: what admins said of a sender, and how often each was heard."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.commands import Received, ReceiveSignal
from bot.ports import Due, NewDue, StaleIncident
from bot.store import due as dues
from bot.store.codec import decode_command
from bot.store.engine import insert
from bot.store.part import Part
from bot.store.tables import binding as bindings
from bot.store.tables import inbox
from bot.store.tables import sighting as rows
from policies.sources import Binding, Seen, Sighting, name_of

#: so many senders are remembered; a new one takes the place of the one that was silent for longest
MOST = 200
_LOOK_BACK = 1000
_COUNTS = ("understood", "unread", "ignored", "unknown")
_ODD = ("unread", "unknown")


class SqlSources(Part):
    """The `Sources` port."""

    async def bindings(self) -> Sequence[Binding]:
        """Every word on a sender, in order."""
        query = select(bindings).order_by(bindings.c.number)
        async with self.database.read() as connection:
            return [Binding(**row) for row in (await connection.execute(query)).mappings()]

    async def bind(self, binding: Binding, *, done: Due, due: Sequence[NewDue]) -> None:
        """Append it, begin the sender's counts anew, and finish the row that asked. `StaleIncident`."""
        fresh = {**dict.fromkeys(_COUNTS, 0), "odd_place": None}
        async with self.database.write() as connection:
            query = select(func.coalesce(func.max(bindings.c.number), 0))
            last: int = (await connection.execute(query)).scalar_one()
            if binding.number != last + 1:
                raise StaleIncident("A sender was bound first. Nothing was stored; look again.")
            await connection.execute(bindings.insert().values(asdict(binding)))
            mine = rows.c.sender == binding.sender
            await connection.execute(rows.update().where(mine).values(fresh))
            await dues.done(connection, done)
            await dues.wish(connection, due)

    async def sightings(self) -> Sequence[Sighting]:
        """Every sender that was heard."""
        query = select(rows).order_by(rows.c.last_at.desc())
        async with self.database.read() as connection:
            found = (await connection.execute(query)).mappings()
            return [Sighting(**{**row, "reads_like": tuple(row["reads_like"])}) for row in found]

    async def sighted(self, seen: Seen, done: Due) -> None:
        """Count one message and finish its row, in one transaction: each is counted once."""
        async with self.database.write() as connection:
            await _count(connection, seen)
            await _forget_the_silent(connection)
            await dues.done(connection, done)

    async def signals_of(self, sender: str, since: datetime) -> Sequence[Received]:
        """What this sender posted since then, as it was received, oldest first; a thousand at most."""
        these = (inbox.c.name == ReceiveSignal.__name__, inbox.c.at >= since)
        query = select(inbox).where(*these).order_by(inbox.c.at.desc()).limit(_LOOK_BACK)
        async with self.database.read() as connection:
            found = (await connection.execute(query)).all()
        return [
            Received(key=row.key, command=command, raw=row.raw, at=row.at, place=row.place)
            for row in reversed(found)
            if isinstance(command := decode_command(row.name, row.body), ReceiveSignal)
            and name_of(command.signal.sender) == sender
        ]


async def _count(connection: AsyncConnection, seen: Seen) -> None:
    odd = seen.outcome in _ODD
    known = {"bot_id": seen.bot_id, "app_id": seen.app_id, "name": seen.name}
    told = {**known, "place": seen.place, "last_at": seen.at}
    first = {
        **told,
        **dict.fromkeys(_COUNTS, 0),
        seen.outcome: 1,
        "odd_place": seen.place if odd else None,
        "reads_like": list(seen.reads_like),
    }
    again: dict[str, Any] = {**told, seen.outcome: rows.c[seen.outcome] + 1}
    known_now = seen.outcome in ("understood", "unread")
    again |= {"unknown": 0} if known_now else {}
    again |= {"odd_place": seen.place} if odd else {}
    again |= {"reads_like": list(seen.reads_like)} if seen.reads_like else {}
    wanted = insert(connection, rows).values(sender=seen.sender, **first)
    await connection.execute(wanted.on_conflict_do_update(index_elements=["sender"], set_=again))


async def _forget_the_silent(connection: AsyncConnection) -> None:
    kept = select(rows.c.sender).order_by(rows.c.last_at.desc(), rows.c.sender).limit(MOST)
    await connection.execute(delete(rows).where(rows.c.sender.not_in(kept)))

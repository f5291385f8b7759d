"""How often the same error came: a row for each time, as long as the times are counted."""

from datetime import datetime

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ports import Change, Times
from bot.store.engine import insert
from bot.store.part import Part
from bot.store.tables import occasion as rows
from policies.recurrence import LOOKED_BACK

_NAMED = 4


class SqlOccasions(Part):
    """The `Occasions` port."""

    async def times(self, error: str, since: datetime) -> Times:
        """How often since then, and in which incidents, the newest first."""
        known = (rows.c.error == error, rows.c.at >= since)
        newest = func.max(rows.c.at)
        incidents = (
            select(rows.c.incident_id)
            .where(*known)
            .group_by(rows.c.incident_id)
            .order_by(newest.desc(), rows.c.incident_id)
            .limit(_NAMED)
        )
        async with self.database.read() as connection:
            count = await connection.execute(select(func.count()).where(*known))
            named = await connection.execute(incidents)
            return Times(count=count.scalar_one(), incidents=tuple(named.scalars()))


async def note(connection: AsyncConnection, change: Change) -> None:
    """One more time, and those that are counted no more are forgotten."""
    seen = change.occasion
    if seen is None:
        return
    row = {"error": seen.error, "occasion": seen.occasion, "incident_id": change.incident_id}
    known = insert(connection, rows).values(row | {"at": change.at})
    await connection.execute(known.on_conflict_do_nothing())
    old = (rows.c.error == seen.error, rows.c.at < change.at - LOOKED_BACK)
    await connection.execute(delete(rows).where(*old))

"""The organisation-wide halt. One at a time, which the database itself sees to."""

from datetime import datetime

from sqlalchemy import select, update

from bot.ports import Stop
from bot.store.engine import insert
from bot.store.part import Part
from bot.store.tables import stop as stops

_IN_FORCE = stops.c.lifted_at.is_(None)


class SqlStops(Part):
    """The `Stops` port."""

    async def stopped(self) -> Stop | None:
        """The stop in force, or None. `StoreUnavailable` when it can't be read: then act as if stopped."""
        async with self.database.read() as connection:
            row = (await connection.execute(select(stops).where(_IN_FORCE))).first()
        return None if row is None else Stop(by=row.by, at=row.at, reason=row.reason)

    async def stop(self, stop: Stop) -> bool:
        """Halt everything. False when it was halted already."""
        values = {"scope": "*", "by": stop.by, "at": stop.at, "reason": stop.reason}
        async with self.database.write() as connection:
            statement = insert(connection, stops).values(values).on_conflict_do_nothing()
            done = await connection.execute(statement.returning(stops.c.id))
            return done.first() is not None

    async def lift(self, by: str, at: datetime) -> bool:
        """Take it back. False when nothing was halted."""
        statement = update(stops).where(_IN_FORCE).values(lifted_by=by, lifted_at=at)
        async with self.database.write() as connection:
            return (await connection.execute(statement)).rowcount > 0

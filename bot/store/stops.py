"""The halts: one at a time over each scope, which the database itself sees to."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, select, update

from bot.ports import Lift, Stop
from bot.store.engine import insert
from bot.store.part import Part
from bot.store.tables import stop as stops

EVERYTHING = "*"
_IN_FORCE = stops.c.lifted_at.is_(None)


class SqlStops(Part):
    """The `Stops` port."""

    async def stopped(self, *scopes: str) -> Stop | None:
        """The stop in force over everything, or else over any of these scopes.

        `StoreUnavailable` when it can't be read: then act as if stopped.
        """
        those = stops.c.scope.in_((EVERYTHING, *scopes))
        query = select(stops).where(_IN_FORCE, those).order_by(stops.c.scope).limit(1)
        async with self.database.read() as connection:
            row = (await connection.execute(query)).first()
        return None if row is None else _stop(row)

    async def stops(self, *, lifted_after: datetime | None = None) -> Sequence[Stop]:
        """All stops in force; with `lifted_after` those lifted since then instead."""
        which = _IN_FORCE if lifted_after is None else stops.c.lifted_at >= lifted_after
        async with self.database.read() as connection:
            rows = (await connection.execute(select(stops).where(which).order_by(stops.c.id))).all()
        return [_stop(row) for row in rows]

    async def stop(self, stop: Stop) -> bool:
        """Halt its scope. False when it was halted already."""
        values = {"scope": stop.scope, "by": stop.by, "at": stop.at, "reason": stop.reason}
        async with self.database.write() as connection:
            statement = insert(connection, stops).values(values).on_conflict_do_nothing()
            done = await connection.execute(statement.returning(stops.c.id))
            return done.first() is not None

    async def lift(self, scope: str, by: str, at: datetime, *, people: int = 1) -> Lift:
        """Take it back; with `people` two, the second one takes it back."""
        this = (_IN_FORCE, stops.c.scope == scope)
        async with self.database.write() as connection:
            row = (await connection.execute(select(stops).where(*this).with_for_update())).first()
            if row is None:
                return Lift.NOT_STOPPED
            if people > 1 and row.lift_asked_by in (None, by):
                asked = update(stops).where(*this).values(lift_asked_by=by)
                await connection.execute(asked)
                return Lift.SAME_PERSON if row.lift_asked_by == by else Lift.ONE_MORE
            lifted = update(stops).where(*this).values(lifted_by=by, lifted_at=at)
            await connection.execute(lifted)
            return Lift.LIFTED


def _stop(row: Row[Any]) -> Stop:
    return Stop(
        by=row.by,
        at=row.at,
        reason=row.reason,
        scope=row.scope,
        lift_asked_by=row.lift_asked_by,
        lifted_at=row.lifted_at,
    )

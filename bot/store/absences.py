"""Who said that they are away: one row a person, the last word counts."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import delete, select

from bot.store.engine import insert
from bot.store.part import Part
from bot.store.tables import absence as rows
from policies.people import Absence


class SqlAbsences(Part):
    """The `Absences` port."""

    async def absences(self, now: datetime) -> Mapping[str, Absence]:
        """Those in force, by Slack id."""
        async with self.database.read() as connection:
            found = await connection.execute(select(rows).where(rows.c.until > now))
        return {
            row.person: Absence(person=row.person, until=row.until, delegate=row.delegate)
            for row in found
        }

    async def leave(self, absence: Absence, at: datetime) -> None:
        """Somebody is away; what they said before is replaced."""
        said = {"until": absence.until, "delegate": absence.delegate, "said_at": at}
        async with self.database.write() as connection:
            wanted = insert(connection, rows).values(person=absence.person, **said)
            await connection.execute(
                wanted.on_conflict_do_update(index_elements=["person"], set_=said)
            )

    async def come_back(self, person: str) -> bool:
        """They are there again. False when they were not away."""
        async with self.database.write() as connection:
            gone = await connection.execute(delete(rows).where(rows.c.person == person))
            return gone.rowcount > 0

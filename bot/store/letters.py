"""Which emails went out: a row for each request in each, so that nobody is asked twice by email after a crash."""

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import select

from bot.ports import Mailed
from bot.store.engine import insert
from bot.store.part import Part
from bot.store.tables import mailed as rows


class SqlLetters(Part):
    """The `Letters` port."""

    async def mailed(self, person: str, requests: Sequence[str]) -> Sequence[Mailed]:
        """Those to this person about any of these requests, oldest first."""
        theirs = select(rows).where(rows.c.person == person, rows.c.request.in_(requests))
        async with self.database.read() as connection:
            found = await connection.execute(theirs.order_by(rows.c.at, rows.c.letter))
            return [Mailed(**row) for row in found.mappings()]

    async def keep_mailed(self, mailed: Sequence[Mailed]) -> None:
        """Remember them, all or none; what is known stays as it is."""
        if not mailed:
            return
        async with self.database.write() as connection:
            new = insert(connection, rows).on_conflict_do_nothing()
            await connection.execute(new, [asdict(one) for one in mailed])

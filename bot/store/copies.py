"""Where each message of an incident is."""

from collections.abc import Mapping
from dataclasses import asdict

from sqlalchemy import select

from bot.ports import Copy
from bot.store.engine import insert
from bot.store.part import Part
from bot.store.tables import copy as places


class SqlCopies(Part):
    """The `Copies` port."""

    async def copies(self, incident_id: str) -> Mapping[str, Copy]:
        """All copies by name."""
        query = select(places).where(places.c.incident_id == incident_id).order_by(places.c.name)
        async with self.database.read() as connection:
            rows = (await connection.execute(query)).mappings().all()
        return {row["name"]: Copy(**row) for row in rows}

    async def keep(self, copy: Copy) -> None:
        """Insert or replace by (incident, name)."""
        values = asdict(copy)
        async with self.database.write() as connection:
            await connection.execute(
                insert(connection, places)
                .values(values)
                .on_conflict_do_update(
                    index_elements=[places.c.incident_id, places.c.name], set_=values
                )
            )

    async def by_message(self, channel: str, ts: str) -> Copy | None:
        """The copy at this place, if it is ours."""
        query = select(places).where(places.c.channel == channel, places.c.ts == ts).limit(1)
        async with self.database.read() as connection:
            row = (await connection.execute(query)).mappings().first()
        return None if row is None else Copy(**row)

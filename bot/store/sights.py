"""How the looks at each connection went, and where the message stands that says one is blind."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Row, select, update

from bot.store.engine import insert
from bot.store.part import Part
from bot.store.tables import sight as rows
from policies.sight import Note, Sight


class SqlSights(Part):
    """The `Sights` port."""

    async def sights(self) -> Mapping[str, Sight]:
        """All of them, by connection."""
        async with self.database.read() as connection:
            found = await connection.execute(select(rows))
            return {row.connection: _sight(row) for row in found}

    async def saw(self, sight: Sight) -> None:
        """A look began or ended; the note is left as it is."""
        told = {
            "began": sight.began,
            "since": sight.since,
            "looked_at": sight.looked_at,
            "seen_at": sight.seen_at,
            "failures": sight.failures,
            "problem": sight.problem,
            "missing": dict(sight.missing),
            "remarks": list(sight.remarks),
        }
        async with self.database.write() as connection:
            wanted = insert(connection, rows).values(connection=sight.connection, **told)
            await connection.execute(
                wanted.on_conflict_do_update(index_elements=["connection"], set_=told)
            )

    async def noted(self, connection: str, note: Note | None) -> None:
        """Where its note stands now; None once the note has said that it sees again."""
        told = {
            "note_channel": note.channel if note else None,
            "note_ts": note.ts if note else None,
            "note_from": note.blind_from if note else None,
        }
        async with self.database.write() as database:
            this = rows.c.connection == connection
            await database.execute(update(rows).where(this).values(**told))


def _sight(row: Row[Any]) -> Sight:
    note = (
        Note(channel=row.note_channel, ts=row.note_ts, blind_from=row.note_from)
        if row.note_ts
        else None
    )
    return Sight(
        connection=row.connection,
        began=row.began,
        since=row.since,
        looked_at=row.looked_at,
        seen_at=row.seen_at,
        failures=row.failures,
        problem=row.problem,
        missing=row.missing,
        remarks=tuple(row.remarks),
        note=note,
    )

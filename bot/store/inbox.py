"""What arrived, stored before its ack. The hot path: a storm of alerts, and one fsync per transaction.

So receives are gathered: whoever gets the turn stores everything that waits, in one transaction, and
each caller is answered after its own commit. One caller alone waits for nobody.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.commands import Keep, Received
from bot.ports import NewDue, StaleIncident, StoreUnavailable, Unstorable
from bot.store.codec import decode_command, encode
from bot.store.due import wish
from bot.store.engine import Database, insert
from bot.store.part import Part
from bot.store.tables import inbox

#: so many are stored in one transaction at most; more would make the last one wait too long
_BATCH = 200


@dataclass(eq=False, slots=True)
class _Waiting:
    """One caller's item, and what became of it."""

    row: dict[str, Any]
    due: NewDue
    fresh: bool | None = None
    problem: Exception | None = None

    @property
    def settled(self) -> bool:
        return self.fresh is not None or self.problem is not None


class SqlInbox(Part):
    """The `Inbox` port."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._queue: dict[_Waiting, None] = {}
        self._turn = asyncio.Lock()

    async def receive(self, item: Received, due: NewDue) -> bool:
        """Store both in one transaction. False, and nothing stored, when key or place are known."""
        mine = _Waiting(row=_row(item), due=due)
        self._queue[mine] = None
        try:
            async with self._turn:
                if not mine.settled:
                    await self._store(list(self._queue)[:_BATCH])
        finally:
            self._queue.pop(mine, None)
        if mine.problem is not None:
            raise mine.problem
        return bool(mine.fresh)

    async def receive_all(self, items: Sequence[tuple[Received, NewDue]]) -> int:
        """Store all of them in one transaction, or none; how many were new."""
        waiting = [_Waiting(row=_row(item), due=due) for item, due in items]
        async with self.database.write() as connection:
            return len(await _insert(connection, waiting))

    async def missing(self, places: Sequence[str]) -> set[str]:
        """Those places from which nothing was ever received."""
        query = select(inbox.c.place).where(inbox.c.place.in_(places))
        async with self.database.read() as connection:
            return set(places) - set((await connection.execute(query)).scalars())

    async def received(self, key: str) -> Received | None:
        """What was stored under this key."""
        async with self.database.read() as connection:
            row = (await connection.execute(select(inbox).where(inbox.c.key == key))).first()
        if row is None:
            return None
        command = decode_command(row.name, row.body)
        return Received(key=row.key, command=command, raw=row.raw, at=row.at, place=row.place)

    async def kept(self) -> int:
        """How many things arrived that could not be read."""
        query = select(func.count()).where(inbox.c.name == Keep.__name__)
        async with self.database.read() as connection:
            return int((await connection.execute(query)).scalar_one())

    async def _store(self, batch: Sequence[_Waiting]) -> None:
        """Settle all of them. An item the database won't have must not take the others with it."""
        problem = await self._try(batch)
        if problem is None:
            return
        gone = isinstance(problem, StoreUnavailable) and not isinstance(problem, Unstorable)
        for one in batch:
            one.problem = problem if gone or len(batch) == 1 else await self._try([one])
            self._queue.pop(one, None)

    async def _try(self, batch: Sequence[_Waiting]) -> Exception | None:
        try:
            async with self.database.write() as connection:
                fresh = await _insert(connection, batch)
        except (StaleIncident, StoreUnavailable, TypeError, ValueError) as problem:
            return problem
        for one in batch:
            one.fresh = one in fresh
            self._queue.pop(one, None)
        return None


async def _insert(connection: AsyncConnection, batch: Sequence[_Waiting]) -> set[_Waiting]:
    """The items whose keys and places were new. Sorted, so that two replicas never wait for each other."""
    rows = sorted(batch, key=lambda one: str(one.row["key"]))
    statement = insert(connection, inbox).on_conflict_do_nothing().returning(inbox.c.key)
    stored = set((await connection.execute(statement, [one.row for one in rows])).scalars())
    fresh = []
    for one in rows:
        if one.row["key"] in stored:
            stored.remove(one.row["key"])  # the same key twice in one batch: the first one had it
            fresh.append(one)
    await wish(connection, [one.due for one in fresh])
    return set(fresh)


def _row(item: Received) -> dict[str, Any]:
    name, body = encode(item.command)
    known = {"key": item.key, "at": item.at, "name": name, "body": body, "raw": item.raw}
    return known | {"place": item.place}

"""Levels, and what is spent of a day's budget. Only ever appended to, each entry behind the last one."""

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ports import Due, NewDue, Spend, StaleIncident
from bot.store import due as dues
from bot.store import receipts
from bot.store.part import Part
from bot.store.tables import level, spent
from policies.autonomy.levels import LevelEntry
from policies.receipt import Receipt


class SqlLevels(Part):
    """The `Levels` port."""

    async def levels(self) -> Sequence[LevelEntry]:
        """Every entry, in order."""
        async with self.database.read() as connection:
            rows = (await connection.execute(select(level).order_by(level.c.number))).mappings()
            return [LevelEntry(**{**row, "by": tuple(row["by"])}) for row in rows]

    async def set_level(
        self, entry: LevelEntry, receipt: Receipt | None, *, done: Due, due: Sequence[NewDue]
    ) -> None:
        """Append the entry with its receipt, and finish the row that asked for it, in one transaction."""
        async with self.database.write() as connection:
            if receipt is not None:
                await receipts.append(connection, receipt)
            await append(connection, entry)
            await dues.done(connection, done)
            await dues.wish(connection, due)

    async def paid(self, domain: str, day: str) -> float:
        """What the runs that were started without a fresh yes on that day cost together."""
        async with self.database.read() as connection:
            return await _paid(connection, domain, day)

    async def spent(self, domain: str, day: str) -> int:
        """How many runs were started without a fresh yes on that day."""
        async with self.database.read() as connection:
            return await _spent(connection, domain, day)


async def append(connection: AsyncConnection, entry: LevelEntry) -> None:
    """Put it behind the last one, in a transaction somebody else began. Raises `StaleIncident`."""
    query = select(func.coalesce(func.max(level.c.number), 0))
    last: int = (await connection.execute(query)).scalar_one()
    if entry.number != last + 1:
        raise StaleIncident("A level was changed first. Nothing was stored; look again.")
    await connection.execute(level.insert().values({**asdict(entry), "by": list(entry.by)}))


async def spend(connection: AsyncConnection, wanted: Spend) -> None:
    """Take one run of the day's budget. Raises `StaleIncident` when nothing of it is left."""
    number = await _spent(connection, wanted.domain, wanted.day) + 1
    if number > wanted.limit:
        raise StaleIncident("The budget of the day was spent meanwhile. Nothing was stored.")
    paid = await _paid(connection, wanted.domain, wanted.day) + wanted.cost
    if wanted.cost_limit is not None and paid > wanted.cost_limit:
        raise StaleIncident("The budget of the day was paid out meanwhile. Nothing was stored.")
    row: dict[str, object] = {
        "domain": wanted.domain,
        "day": wanted.day,
        "number": number,
        "what": wanted.what,
    }
    row["cost"] = wanted.cost
    await connection.execute(spent.insert().values(row))


async def _paid(connection: AsyncConnection, domain: str, day: str) -> float:
    query = select(func.coalesce(func.sum(spent.c.cost), 0))
    query = query.where(spent.c.domain == domain, spent.c.day == day)
    return float((await connection.execute(query)).scalar_one())


async def _spent(connection: AsyncConnection, domain: str, day: str) -> int:
    query = select(func.coalesce(func.max(spent.c.number), 0))
    query = query.where(spent.c.domain == domain, spent.c.day == day)
    return int((await connection.execute(query)).scalar_one())

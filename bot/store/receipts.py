"""The chain of receipts. Only ever appended to, and only at its head."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ports import StaleIncident
from bot.store.part import Part
from bot.store.tables import receipt as chain
from policies.receipt import GENESIS, Receipt, seal, sealed_at

_PAGE = 200


class SqlReceipts(Part):
    """The `Receipts` port."""

    async def head(self) -> tuple[int, str]:
        """Number and hash of the last receipt; (0, GENESIS) when there is none."""
        async with self.database.read() as connection:
            return await _head(connection)

    async def receipt(self, number: int) -> Receipt | None:
        """One receipt."""
        query = select(chain).where(chain.c.number == number)
        async with self.database.read() as connection:
            row = (await connection.execute(query)).mappings().first()
        return None if row is None else Receipt(**row)

    async def receipts(self, *, after: int = 0, limit: int = 1000) -> Sequence[Receipt]:
        """In order."""
        query = select(chain).where(chain.c.number > after).order_by(chain.c.number).limit(limit)
        async with self.database.read() as connection:
            rows = (await connection.execute(query)).mappings().all()
        return [Receipt(**row) for row in rows]

    async def receipts_since(self, since: datetime) -> Sequence[Receipt]:
        """Those sealed since then, the newest first; read from the head backwards."""
        found: list[Receipt] = []
        query = select(chain).order_by(chain.c.number.desc()).limit(_PAGE)
        async with self.database.read() as connection:
            while rows := (await connection.execute(query)).mappings().all():
                page = [Receipt(**row) for row in rows]
                found += [one for one in page if sealed_at(one.body) >= since]
                if sealed_at(page[-1].body) < since:
                    break
                query = query.where(chain.c.number < page[-1].number)
        return found


async def append(connection: AsyncConnection, receipt: Receipt) -> None:
    """Put it behind the head, in a transaction somebody else began.

    Raises `StaleIncident` when another receipt was first, and ValueError for one whose hash is not its
    own: it could never be taken out of the chain again.
    """
    if seal(receipt.number, receipt.incident_id, receipt.previous, receipt.body) != receipt:
        raise ValueError(f"Receipt {receipt.number} was not sealed. Nothing was stored.")
    number, last = await _head(connection)
    if (receipt.number, receipt.previous) != (number + 1, last):
        raise StaleIncident(
            f"Receipt {receipt.number} does not follow {number}: another was issued first. "
            "Nothing was stored; seal it again on the new head."
        )
    await connection.execute(chain.insert().values(asdict(receipt)))


async def _head(connection: AsyncConnection) -> tuple[int, str]:
    query = select(chain.c.number, chain.c.hash).order_by(chain.c.number.desc()).limit(1)
    row = (await connection.execute(query)).first()
    return (0, GENESIS) if row is None else (row.number, row.hash)

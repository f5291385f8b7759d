"""What `dw doctor` says of the store: its schema, and whether what it holds holds together."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from sqlalchemy import Row, select, text

from bot.store.errors import Unreadable
from bot.store.schema import current, head
from bot.store.store import SqlStore
from bot.store.tables import due, incident
from policies.lifecycle import InvalidTransition
from policies.receipt import Receipt, verify

_PAGE = 500
_Line = Row[int, str, int, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Summary:
    """`problems` are sentences for a person, none when all is well; `poisoned` are key and last error."""

    database: str
    schema: str | None
    newest_schema: str
    incidents: int
    receipts: int
    poisoned: tuple[tuple[str, str], ...]
    problems: tuple[str, ...]

    @property
    def intact(self) -> bool:
        """True when everything that was looked at holds."""
        return not self.problems


async def summary(store: SqlStore, anchored: tuple[int, str] | None = None) -> Summary:
    """Read everything once. `anchored` is the last line of the anchor, where there is one.

    Raises `StoreUnavailable` when the database can't be read at all.
    """
    async with store.database.read() as connection:
        schema = await connection.run_sync(current)
        name, version = connection.dialect.name, connection.dialect.server_version_info or ()
        query = select(due.c.key, due.c.error).where(due.c.poisoned).order_by(due.c.id)
        poisoned = tuple((row.key, row.error or "") for row in await connection.execute(query))
    problems = await _file(store)
    incidents = 0
    async for row in _incidents(store):
        incidents += 1
        problems += await _incident(store, row)
    receipts = [receipt async for receipt in _receipts(store)]
    broken = verify(receipts, anchored)
    if broken is not None:
        problems.append(f"receipt {broken.number}: {broken.why}")
    return Summary(
        database=f"{name} {'.'.join(map(str, version))}",
        schema=schema,
        newest_schema=head(),
        incidents=incidents,
        receipts=len(receipts),
        poisoned=poisoned,
        problems=tuple(problems),
    )


async def _file(store: SqlStore) -> list[str]:
    """What SQLite finds wrong with its own file; PostgreSQL checks its pages as it reads them."""
    async with store.database.read() as connection:
        if connection.dialect.name != "sqlite":
            return []
        found = (await connection.execute(text("PRAGMA quick_check"))).scalars().all()
    return [f"the database file is damaged: {said}" for said in found if said != "ok"]


async def _incidents(store: SqlStore) -> AsyncIterator[_Line]:
    columns = (incident.c.row, incident.c.id, incident.c.version, incident.c.phase)
    last = 0
    while True:
        query = select(*columns).where(incident.c.row > last).order_by(incident.c.row).limit(_PAGE)
        async with store.database.read() as connection:
            rows = (await connection.execute(query)).all()
        if not rows:
            return
        for row in rows:
            yield row
        last = rows[-1].row


async def _incident(store: SqlStore, row: _Line) -> list[str]:
    """What the journal adds up to must be what the row says, unless it moved on meanwhile."""
    try:
        state = await store.load(row.id)
    except (Unreadable, InvalidTransition) as problem:
        return [f"{row.id}: its journal can't be read: {problem}"]
    if state is None:
        return [f"{row.id}: it has no journal"]
    if state.version < row.version or (state.version == row.version and state.phase != row.phase):
        says = f"{row.id}: the journal ends at version {state.version} in phase {state.phase}, "
        return [says + f"the incident says {row.version} in phase {row.phase}"]
    return []


async def _receipts(store: SqlStore) -> AsyncIterator[Receipt]:
    last = 0
    while page := await store.receipts(after=last, limit=_PAGE):
        for receipt in page:
            yield receipt
        last = page[-1].number

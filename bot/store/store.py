"""The whole database, as the use cases see it: the parts in one object, over one engine."""

from sqlalchemy import text

from bot.store.absences import SqlAbsences
from bot.store.copies import SqlCopies
from bot.store.due import SqlDue
from bot.store.engine import Database
from bot.store.hook_counts import SqlHookCounts
from bot.store.inbox import SqlInbox
from bot.store.journal import SqlJournal
from bot.store.letters import SqlLetters
from bot.store.levels import SqlLevels
from bot.store.occasions import SqlOccasions
from bot.store.receipts import SqlReceipts
from bot.store.schema import migrate
from bot.store.sights import SqlSights
from bot.store.sources import SqlSources
from bot.store.stops import SqlStops


class SqlStore(
    SqlInbox,
    SqlJournal,
    SqlDue,
    SqlCopies,
    SqlReceipts,
    SqlStops,
    SqlAbsences,
    SqlLevels,
    SqlSources,
    SqlSights,
    SqlOccasions,
    SqlHookCounts,
    SqlLetters,
):
    """The `Store` port over SQLite or PostgreSQL."""

    async def ping(self) -> None:
        """Raise `StoreUnavailable` when it can't be read."""
        async with self.database.read() as connection:
            await connection.execute(text("SELECT 1"))

    async def close(self) -> None:
        """Let go of every connection; whatever comes later is refused."""
        await self.database.close()


async def open_store(url: str) -> SqlStore:
    """The store at `sqlite+aiosqlite:///file` or `postgresql+asyncpg://…`, its schema brought up to date.

    Raises `StoreUnavailable` when there is no such database and `NewerSchema` when it is ahead of us.
    """
    await migrate(url)
    return SqlStore(Database(url))

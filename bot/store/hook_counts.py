"""What became of the deliveries of webhooks: one row for each webhook and outcome."""

from collections.abc import Sequence

from sqlalchemy import select

from bot.ports import HookCount
from bot.store.engine import insert
from bot.store.part import Part
from bot.store.tables import hook_count as rows


class SqlHookCounts(Part):
    """The `HookCounts` port."""

    async def count_hooks(self, counts: Sequence[HookCount]) -> None:
        """Add these to what is counted. In order, so that two replicas never wait for each other."""
        async with self.database.write() as connection:
            for one in sorted(counts, key=lambda one: (one.hook, one.outcome)):
                news = {"last_at": one.last_at, "says": one.says}
                known = {"hook": one.hook, "outcome": one.outcome, "count": one.count}
                wanted = insert(connection, rows).values(known | news)
                await connection.execute(
                    wanted.on_conflict_do_update(
                        index_elements=["hook", "outcome"],
                        set_={"count": rows.c.count + one.count, **news},
                    )
                )

    async def hook_counts(self) -> Sequence[HookCount]:
        """All that was ever counted, by webhook and outcome."""
        query = select(rows).order_by(rows.c.hook, rows.c.outcome)
        async with self.database.read() as connection:
            found = (await connection.execute(query)).mappings().all()
        return [HookCount(**row) for row in found]

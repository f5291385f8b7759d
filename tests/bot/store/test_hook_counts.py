"""What became of deliveries is added up, by webhook and outcome; over both databases."""

import asyncio

from bot.ports import HookCount
from bot.store.store import SqlStore
from tests.bot.store.builders import NOW, later


def seen(outcome: str = "accepted", count: int = 1, **changes: object) -> HookCount:
    known = {"hook": "dbt", "outcome": outcome, "count": count, "last_at": NOW}
    return HookCount(**{**known, **changes})  # type: ignore[arg-type]


async def test_counts_add_up_and_the_last_reason_counts(store: SqlStore) -> None:
    await store.count_hooks([seen(), seen("forged", 2, says="its proof is wrong")])
    await store.count_hooks([seen("forged", 3, says="again", last_at=later(5))])
    assert await store.hook_counts() == [
        seen(),
        seen("forged", 5, says="again", last_at=later(5)),
    ]


async def test_many_processes_count_together(store: SqlStore) -> None:
    both = [seen(), seen(hook="mc")]
    await asyncio.gather(*(store.count_hooks(both[:: 1 - 2 * (i % 2)]) for i in range(8)))
    assert [one.count for one in await store.hook_counts()] == [8, 8]

"""How often the same error came: each time once, for as long as it is counted; over both databases."""

from datetime import timedelta

from bot.ports import Times
from bot.store.store import SqlStore
from policies import events as e
from policies.recurrence import LOOKED_BACK, Occasion
from tests.bot.store.builders import NOW, alert, change, later, opening

MONTH = LOOKED_BACK


def a_time(name: str) -> Occasion:
    return Occasion(error="dagster:sessions_job", occasion=name)


async def test_each_time_counts_once_and_its_incidents_are_named_the_newest_first(
    store: SqlStore,
) -> None:
    await store.commit(opening("DW-1", occasion=a_time("run-1")))
    matched = e.AlertMatched(alert=alert("Ev2"), because="same run")
    await store.commit(change("DW-1", 1, matched, occasion=a_time("run-1"), at=later(1)))
    await store.commit(change("DW-1", 2, matched, occasion=a_time("run-2"), at=later(2)))
    await store.commit(opening("DW-2", occasion=a_time("run-3"), at=later(3)))
    seen = await store.times("dagster:sessions_job", NOW - MONTH)
    assert seen == Times(count=3, incidents=("DW-2", "DW-1"))
    assert await store.times("dagster:other_job", NOW - MONTH) == Times()


async def test_what_is_older_than_a_month_is_forgotten(store: SqlStore) -> None:
    await store.commit(opening("DW-1", occasion=a_time("run-1")))
    month_later = NOW + MONTH + timedelta(seconds=1)
    await store.commit(opening("DW-2", occasion=a_time("run-2"), at=month_later))
    assert await store.times("dagster:sessions_job", NOW) == Times(count=1, incidents=("DW-2",))

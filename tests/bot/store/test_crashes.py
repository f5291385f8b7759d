"""Whatever dies in the middle leaves nothing half done, and nothing for ever taken."""

import asyncio
import itertools
import sys
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import event, select

from bot.ports import Change, Due, Spend, StoreUnavailable
from bot.store.store import SqlStore
from bot.store.tables import METADATA
from policies import events as e
from policies.autonomy.levels import LevelEntry
from policies.receipt import GENESIS, seal
from policies.recurrence import Occasion
from tests.bot.store.builders import LEASE, NOW, alert, change, diagnosed, due, opening, received

_CLAIMER = """
import asyncio, sys
from datetime import timedelta
from bot.clock import SystemClock
from bot.store.store import open_store

async def claim(url):
    store = await open_store(url)
    now = SystemClock().now()
    rows = await store.claim(now, limit=3, lease=timedelta(seconds=60))
    print(*(row.key for row in rows), rows[0].claimed_until.isoformat(), flush=True)
    await asyncio.sleep(60)

asyncio.run(claim(sys.argv[1]))
"""


UNTOUCHED = {
    "absence",
    "binding",
    "compatible",
    "copy",
    "counter",
    "hook_count",
    "inbox",
    "mailed",
    "sight",
    "sighting",
    "stop",
}  # by a commit


class Crash(RuntimeError):
    """The process is gone."""


async def everything(store: SqlStore) -> dict[str, list[Any]]:
    async with store.database.read() as connection:
        return {
            table.name: [tuple(row) for row in await connection.execute(select(table))]
            for table in METADATA.sorted_tables
        }


def crash_before(store: SqlStore, number: int) -> Any:
    """Raise before the `number`-th statement of the next writing transaction."""
    seen = itertools.count(1)

    def stumble(connection: Any, *_: Any) -> None:
        writes = connection.get_execution_options().get("writes")
        if writes and next(seen) == number:
            raise Crash

    event.listen(store.database.engine.sync_engine, "before_cursor_execute", stumble)
    return stumble


def full(done: Due) -> Change:
    """A change that writes to every table it can write to."""
    matched = e.AlertMatched(alert=alert("Ev2"), because="same run")
    sealed = seal(1, "DW-1", GENESIS, {"cause": "late"})
    words: dict[str, Any] = {"keys": ("b",), "cancel": ("old",), "due": (due("new"),)}
    lower = LevelEntry(
        number=1,
        domain="growth",
        change_class="run_job",
        level="L2",
        by=("dw",),
        at=NOW,
        reason="it failed",
        receipt=1,
    )
    words |= {"levels": (lower,), "spend": Spend(domain="growth", day="d", limit=1, what="s")}
    words |= {"occasion": Occasion(error="dagster:sessions_job", occasion="run-2")}
    return change("DW-1", 1, matched, diagnosed(), receipt=sealed, done=done, **words)


async def test_a_crash_between_any_two_statements_of_a_commit_leaves_nothing(
    store: SqlStore,
) -> None:
    await store.commit(opening("DW-1", keys=("a",), due=(due("old"), due("done"))))
    done = next(row for row in await store.claim(NOW, limit=9, lease=LEASE) if row.key == "done")
    before = await everything(store)
    for number in itertools.count(1):
        stumble = crash_before(store, number)
        try:
            await store.commit(full(done))
        except Crash:
            assert await everything(store) == before
        else:
            break
        finally:
            event.remove(store.database.engine.sync_engine, "before_cursor_execute", stumble)
    assert number > 8
    changed = await everything(store)
    assert {name for name in before if before[name] == changed[name]} == UNTOUCHED
    assert [row[1] for row in changed["due"]] == ["new"]


async def test_a_commit_that_is_cancelled_leaves_all_or_nothing(store: SqlStore) -> None:
    await store.commit(opening("DW-1"))
    for steps in range(0, 60, 4):
        before = await everything(store)
        version = len(before["journal"])
        async with asyncio.TaskGroup() as group:
            one = change("DW-1", version, diagnosed(), due=(due(f"d{version}"),))
            task = group.create_task(store.commit(one))
            for _ in range(steps):
                await asyncio.sleep(0)
            task.cancel()
        after = await everything(store)
        rows = {name: len(after[name]) - len(before[name]) for name in ("journal", "due")}
        assert rows in ({"journal": 0, "due": 0}, {"journal": 1, "due": 1})
    state = await store.load("DW-1")
    assert state is not None


async def test_the_rows_of_a_killed_claimer_come_back_after_its_lease_and_not_before(
    store: SqlStore, url: str
) -> None:
    await store.add([due(f"d{n}") for n in range(4)])
    claimer = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _CLAIMER, url, stdout=asyncio.subprocess.PIPE
    )
    assert claimer.stdout is not None
    *keys, until = (await claimer.stdout.readline()).decode().split()
    claimer.kill()
    await claimer.wait()
    assert keys == ["d0", "d1", "d2"]
    ends = datetime.fromisoformat(until)
    early = await store.claim(ends - timedelta(milliseconds=1), limit=9, lease=LEASE)
    assert [row.key for row in early] == ["d3"]
    back = await store.claim(ends, limit=9, lease=LEASE)
    assert [(row.key, row.attempts) for row in back] == [("d0", 2), ("d1", 2), ("d2", 2)]


async def test_a_store_that_fails_while_storing_answers_everybody(store: SqlStore) -> None:
    def gone(*_: Any) -> None:
        raise OSError("the disk went away")

    event.listen(store.database.engine.sync_engine, "before_cursor_execute", gone)
    calls = [store.receive(received(f"Ev{n}"), due(f"intake:{n}")) for n in range(50)]
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    assert all(isinstance(outcome, StoreUnavailable) for outcome in outcomes)
    event.remove(store.database.engine.sync_engine, "before_cursor_execute", gone)
    assert await store.receive(received("Ev1"), due("intake:1")) is True

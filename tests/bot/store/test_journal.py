"""The journal's contract, over both databases."""

import asyncio
from dataclasses import replace

import pytest

from bot.ports import StaleIncident
from bot.store.store import SqlStore
from policies import events as e
from policies.incident import Phase
from policies.lifecycle import InvalidTransition, replay
from tests.bot.store.builders import (
    LEASE,
    NOW,
    alert,
    change,
    diagnosed,
    due,
    later,
    opened,
    opening,
)


async def test_ids_are_never_given_twice(store: SqlStore) -> None:
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(store.next_id()) for _ in range(20)]
    assert len({task.result() for task in tasks}) == 20
    assert all(task.result().startswith("DW-") for task in tasks)


async def test_what_was_committed_is_loaded_as_it_was(store: SqlStore) -> None:
    committed = await store.commit(opening("DW-1", diagnosed()))
    assert committed is not None
    assert (committed.version, committed.phase) == (2, Phase.DIAGNOSED)
    assert await store.load("DW-1") == committed


async def test_the_journal_replays_to_the_state(store: SqlStore) -> None:
    await store.commit(opening("DW-1"))
    committed = await store.commit(change("DW-1", 1, diagnosed(), at=later(5)))
    entries = await store.entries("DW-1")
    assert [entry.seq for entry in entries] == [1, 2]
    assert [entry.at for entry in entries] == [NOW, later(5)]
    assert replay("DW-1", entries) == committed


async def test_an_unknown_incident_is_nothing(store: SqlStore) -> None:
    assert await store.load("DW-9") is None
    assert list(await store.entries("DW-9")) == []


async def test_of_ten_deciders_on_one_version_one_wins(store: SqlStore) -> None:
    await store.commit(opening("DW-1"))
    changes = [change("DW-1", 1, diagnosed(f"cause {n}"), due=(due(f"d{n}"),)) for n in range(10)]
    outcomes = await asyncio.gather(*map(store.commit, changes), return_exceptions=True)
    lost = [outcome for outcome in outcomes if isinstance(outcome, StaleIncident)]
    assert len(lost) == 9
    state = await store.load("DW-1")
    assert state is not None
    assert state.version == 2
    assert state in outcomes
    assert (await store.stats(NOW)).waiting == 1


async def test_an_older_version_is_refused_and_nothing_of_it_stays(store: SqlStore) -> None:
    await store.commit(opening("DW-1", diagnosed()))
    with pytest.raises(StaleIncident, match="DW-1 is not at version 1"):
        await store.commit(change("DW-1", 1, diagnosed(), due=(due("d"),), keys=("k",)))
    assert await store.find(["k"]) is None
    assert await store.next_at() is None


async def test_an_impossible_event_is_refused_and_nothing_of_it_stays(store: SqlStore) -> None:
    await store.commit(opening("DW-1"))
    with pytest.raises(InvalidTransition):
        await store.commit(change("DW-1", 1, e.IncidentResolved(receipt=1), due=(due("d"),)))
    with pytest.raises(InvalidTransition):
        await store.commit(change("DW-2", 0, diagnosed()))
    assert await store.next_at() is None


async def test_two_opens_with_one_fingerprint_make_one_incident(store: SqlStore) -> None:
    changes = [opening(f"DW-{n}", keys=("asset:raw_sessions",)) for n in range(1, 6)]
    outcomes = await asyncio.gather(*map(store.commit, changes), return_exceptions=True)
    assert sum(isinstance(outcome, StaleIncident) for outcome in outcomes) == 4
    lines = await store.incidents(open_only=True, limit=10)
    assert [line.id for line in lines] == [await store.find(["asset:raw_sessions"])]


async def test_a_closed_incident_lets_go_of_its_keys(store: SqlStore) -> None:
    await store.commit(opening("DW-1", keys=("run:1", "asset:a")))
    await store.commit(change("DW-1", 1, e.Dismissed(by="U0ANA", reason="known"), keys=("late",)))
    assert await store.find(["run:1", "asset:a", "late"]) is None
    assert await store.commit(opening("DW-2", keys=("asset:a",))) is not None
    assert await store.find(["asset:a"]) == "DW-2"


async def test_keys_may_be_added_and_said_again(store: SqlStore) -> None:
    await store.commit(opening("DW-1", keys=("a",)))
    matched = e.AlertMatched(alert=alert("Ev2"), because="same run")
    await store.commit(change("DW-1", 1, matched, keys=("a", "b")))
    assert await store.find(["b"]) == "DW-1"


async def test_a_key_of_another_open_incident_is_left_to_it(store: SqlStore) -> None:
    await store.commit(opening("DW-1", keys=("a",)))
    await store.commit(opening("DW-2", keys=("b",)))
    matched = e.AlertMatched(alert=alert("Ev2"), because="same run")
    await store.commit(change("DW-1", 1, matched, keys=("b", "c")))
    assert [await store.find([key]) for key in "abc"] == ["DW-1", "DW-2", "DW-1"]


async def test_of_several_incidents_the_oldest_answers(store: SqlStore) -> None:
    await store.commit(opening("DW-10", keys=("a",)))
    await store.commit(opening("DW-9", keys=("b",)))
    assert await store.find(["b", "a"]) == "DW-10"
    assert await store.find([]) is None


async def test_incidents_are_listed_newest_first(store: SqlStore) -> None:
    for number in (9, 10, 11):
        await store.commit(opening(f"DW-{number}"))
    await store.commit(change("DW-10", 1, e.Dismissed(by="U0ANA", reason="known"), at=later(9)))
    lines = await store.incidents(open_only=False, limit=2)
    assert [line.id for line in lines] == ["DW-11", "DW-10"]
    assert (lines[1].phase, lines[1].updated_at) == (Phase.DISMISSED, later(9))
    assert [line.id for line in await store.incidents(open_only=True, limit=9)] == ["DW-11", "DW-9"]


async def test_without_events_the_rest_is_still_written(store: SqlStore) -> None:
    await store.commit(opening("DW-1", due=(due("old"),)))
    await store.add([due("working")])
    working = (await store.claim(NOW, limit=9, lease=LEASE))[1]
    plain = change("DW-1", 1, due=(due("new"),), cancel=("old",), keys=("k",), done=working)
    assert await store.commit(plain) is None
    assert await store.find(["k"]) == "DW-1"
    claimed = await store.claim(later(3600), limit=9, lease=LEASE)
    assert [row.key for row in claimed] == ["new"]
    with pytest.raises(StaleIncident):
        await store.commit(replace(plain, base=2))


async def test_done_and_due_of_one_key_leave_the_new_wish(store: SqlStore) -> None:
    await store.add([due("poll")])
    (row,) = await store.claim(NOW, limit=1, lease=LEASE)
    await store.commit(change("DW-1", 0, opened(), done=row, due=(due("poll", later(60)),)))
    assert await store.next_at() == later(60)

"""How the looks at a connection went survives a restart, and its note is not touched by them; over both databases."""

from dataclasses import replace

from bot.store.store import SqlStore
from policies.sight import Note, Sight
from tests.bot.store.builders import NOW, later

DAGSTER = Sight(connection="dagster", began=NOW, since=NOW)
BAD = replace(
    DAGSTER,
    since=later(5),
    looked_at=later(6),
    seen_at=later(1),
    failures=3,
    problem="half a \ud83d emoji",
    missing={"sessions_job": "2026-09-29T01:00:00+00:00"},
    remarks=("sessions_job: paused",),
)


async def test_the_last_look_counts(store: SqlStore) -> None:
    await store.saw(DAGSTER)
    await store.saw(BAD)
    assert await store.sights() == {"dagster": BAD}


async def test_a_look_leaves_the_note_where_it_is(store: SqlStore) -> None:
    note = Note(channel="C0ALERTS", ts="1.0", blind_from=NOW)
    await store.saw(DAGSTER)
    await store.noted("dagster", note)
    await store.saw(BAD)
    assert (await store.sights())["dagster"].note == note
    await store.noted("dagster", None)
    assert (await store.sights())["dagster"].note is None

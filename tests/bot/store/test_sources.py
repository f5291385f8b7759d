"""Senders: counts of each, an admin's words on them one behind the other, and what they said lately."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.commands import Received, ReceiveSignal
from bot.outbox import intake_due
from bot.ports import Due, StaleIncident
from bot.store.sources import MOST
from bot.store.store import SqlStore
from bot.store.tables import sighting
from policies.signal import Sender, Signal
from policies.sources import Binding, Seen
from tests.bot.store.builders import LEASE, NOW, due, later

SEEN = Seen(
    sender="B0GRAF",
    bot_id="B0GRAF",
    app_id="A0GRAF",
    name="Grafana \x00",
    outcome="unknown",
    at=NOW,
    place="C0ALERTS:1.0",
    reads_like=("grafana",),
)
BINDING = Binding(
    number=1,
    sender="B0GRAF",
    bot_id="B0GRAF",
    app_id="A0GRAF",
    system="grafana",
    connection="airflow",
    by="U0DEE",
    at=NOW,
)


async def claimed(store: SqlStore, key: str = "intake:1") -> Due:
    await store.add([due(key)])
    return next(row for row in await store.claim(NOW, limit=999, lease=LEASE) if row.key == key)


async def test_each_message_is_counted_once_under_what_became_of_it(store: SqlStore) -> None:
    row = await claimed(store)
    await store.sighted(SEEN, row)
    assert [one.unknown for one in await store.sightings()] == [1]
    unread = replace(SEEN, outcome="unread", place="C0ALERTS:2.0", at=later(1), reads_like=())
    await store.sighted(unread, await claimed(store, "2"))
    good = replace(SEEN, outcome="understood", place="C0ALERTS:3.0", at=later(2), reads_like=())
    await store.sighted(good, await claimed(store, "3"))
    (found,) = await store.sightings()
    assert (found.unknown, found.unread, found.understood, found.ignored) == (0, 1, 1, 0)
    assert (found.place, found.odd_place) == ("C0ALERTS:3.0", "C0ALERTS:2.0")
    assert (found.name, found.reads_like, found.last_at) == (SEEN.name, ("grafana",), later(2))
    assert await store.claim(later(999), limit=9, lease=LEASE) == []


async def test_a_bounded_number_of_senders_is_remembered_the_loudest_of_late(
    store: SqlStore,
) -> None:
    counts = dict.fromkeys(("understood", "unread", "ignored", "unknown"), 0)
    known = {**counts, "name": "", "reads_like": []}
    old = [
        {**known, "sender": f"B{n}", "last_at": NOW + timedelta(seconds=n)} for n in range(MOST + 1)
    ]
    async with store.database.write() as connection:
        await connection.execute(sighting.insert(), old)
    newest = replace(SEEN, sender=f"B{MOST + 1}", at=NOW + timedelta(seconds=MOST + 1))
    await store.sighted(newest, await claimed(store))
    kept = [one.sender for one in await store.sightings()]
    assert len(kept) == MOST
    assert kept[0] == f"B{MOST + 1}"
    assert "B0" not in kept


async def test_a_word_on_a_sender_begins_its_counts_anew_and_finishes_the_row(
    store: SqlStore,
) -> None:
    await store.sighted(SEEN, await claimed(store, "1"))
    await store.bind(BINDING, done=await claimed(store, "2"), due=[due("whisper")])
    (found,) = await store.sightings()
    assert (found.unknown, found.odd_place) == (0, None)
    assert await store.bindings() == [BINDING]
    assert [one.key for one in await store.claim(later(90), limit=9, lease=LEASE)] == ["whisper"]


async def test_of_two_words_on_the_same_state_one_is_stored(store: SqlStore) -> None:
    done = [await claimed(store, f"{n}") for n in range(2)]
    wishes = [store.bind(BINDING, done=row, due=()) for row in done]
    came = await asyncio.gather(*wishes, return_exceptions=True)
    assert sum(isinstance(one, StaleIncident) for one in came) == 1
    assert await store.bindings() == [BINDING]


@pytest.mark.parametrize(("minutes", "keys"), [(5, ["new"]), (90, ["old", "new"])])
async def test_what_a_sender_said_lately_is_found_again(
    store: SqlStore, minutes: int, keys: list[str]
) -> None:
    for key, bot, ago in (("old", "B0GRAF", 80), ("new", "B0GRAF", 1), ("else", "B0OTHER", 1)):
        signal = Signal(
            key=key, source="slack", received_at=NOW, sender=Sender(bot_id=bot, app_id="A0")
        )
        at = NOW - timedelta(minutes=ago)
        item = Received(key=key, command=ReceiveSignal(signal=signal), raw="{}", at=at)
        await store.receive(item, intake_due(item))
    found = await store.signals_of("B0GRAF", NOW - timedelta(minutes=minutes))
    assert [item.key for item in found] == keys

"""Two incidents in one transaction: both or neither, and what one answered to is the other's from then on."""

import pytest

from bot.ports import StaleIncident
from bot.store.store import SqlStore
from policies import events as e
from tests.bot.store.builders import alert, change, diagnosed, opening

JOINED = e.Joined(into="DW-2", because="it is built from it")
TOOK_IN = e.TookIn(incident="DW-1", alerts=(alert("Ev7"),), because="it is built from it")


async def test_what_one_answered_to_the_other_answers_to(store: SqlStore) -> None:
    await store.commit(opening("DW-1", keys=("asset:a",)))
    await store.commit(opening("DW-2", keys=("asset:u",)))
    await store.commit_all(
        (change("DW-1", 1, JOINED), change("DW-2", 1, TOOK_IN, keys=("asset:a",)))
    )
    assert [await store.find([key]) for key in ("asset:a", "asset:u")] == ["DW-2", "DW-2"]


async def test_when_somebody_changed_one_of_them_nothing_of_both_is_stored(store: SqlStore) -> None:
    await store.commit(opening("DW-1", keys=("asset:a",)))
    await store.commit(opening("DW-2"))
    await store.commit(change("DW-2", 1, diagnosed()))
    with pytest.raises(StaleIncident):
        await store.commit_all((change("DW-1", 1, JOINED), change("DW-2", 1, TOOK_IN)))
    assert len(await store.entries("DW-1")) == 1
    assert await store.find(["asset:a"]) == "DW-1"

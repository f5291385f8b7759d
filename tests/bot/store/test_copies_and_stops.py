"""Where messages are, and the halt; over both databases."""

import asyncio
from dataclasses import replace

import pytest

from bot.ports import Copy, Lift, StaleIncident, Stop
from bot.store.store import SqlStore
from tests.bot.store.builders import NOW, later, opening

CARD = Copy(
    incident_id="DW-1", name="card", channel="C0ALERTS", ts="1.1", thread_ts=None, shown="a"
)
REPLY = replace(CARD, name="reply:2", ts="1.2", thread_ts="1.1")
STOP = Stop(by="U0DEE", at=NOW, reason="a bad feeling \x00")


async def test_copies_are_kept_by_name_and_found_by_place(store: SqlStore) -> None:
    await store.commit(opening("DW-1"))
    for copy in (CARD, REPLY, replace(CARD, shown="b", ts="2.2")):
        await store.keep(copy)
    assert await store.copies("DW-1") == {
        "card": replace(CARD, shown="b", ts="2.2"),
        "reply:2": REPLY,
    }
    assert await store.copies("DW-2") == {}
    assert await store.by_message("C0ALERTS", "1.2") == REPLY
    assert await store.by_message("C0ALERTS", "1.1") is None


async def test_a_copy_of_no_incident_is_refused(store: SqlStore) -> None:
    with pytest.raises(StaleIncident):
        await store.keep(CARD)


async def test_a_stop_holds_until_it_is_lifted(store: SqlStore) -> None:
    assert await store.stopped() is None
    assert await store.stop(STOP) is True
    assert await store.stop(replace(STOP, by="U0ANA")) is False
    assert await store.stopped() == STOP
    assert await store.lift("*", "U0DEE", later(60)) is Lift.LIFTED
    assert await store.lift("*", "U0DEE", later(61)) is Lift.NOT_STOPPED
    assert await store.stopped() is None
    assert await store.stop(replace(STOP, reason="again")) is True


async def test_of_many_stops_at_once_one_is_in_force(store: SqlStore) -> None:
    stops = [replace(STOP, by=f"U{n}") for n in range(9)]
    assert sum(await asyncio.gather(*map(store.stop, stops))) == 1
    assert await store.lift("*", "U0DEE", later(60)) is Lift.LIFTED
    assert await store.stopped() is None


async def test_a_stop_of_one_domain_halts_that_one_and_no_other(store: SqlStore) -> None:
    await store.stop(replace(STOP, scope="domain:growth"))
    assert await store.stopped() is None
    assert await store.stopped("domain:billing") is None
    assert (await store.stopped("domain:growth", "connection:x")).scope == "domain:growth"  # type: ignore[union-attr]


async def test_a_stop_of_everything_counts_for_every_scope(store: SqlStore) -> None:
    await store.stop(STOP)
    assert (await store.stopped("domain:growth")).scope == "*"  # type: ignore[union-attr]


async def test_where_two_must_lift_the_second_is_somebody_else(store: SqlStore) -> None:
    await store.stop(STOP)
    assert await store.lift("*", "U0DEE", later(60), people=2) is Lift.ONE_MORE
    assert await store.lift("*", "U0DEE", later(61), people=2) is Lift.SAME_PERSON
    assert await store.stopped() is not None
    assert await store.lift("*", "U0BO", later(62), people=2) is Lift.LIFTED
    assert await store.stopped() is None
    assert [stop.lifted_at for stop in await store.stops(lifted_after=later(0))] == [later(62)]

"""The stop at the desk: anybody may stop, a named admin lifts it, and every open copy tells."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.commands import LiftStop, Received, StopAll
from bot.desk import Desk
from bot.ports import Due
from bot.store.store import open_store
from tests.bot.store.builders import LEASE, opening, received
from tests.building import a_person
from tests.clock import FakeClock
from tests.policies import night


@pytest.fixture
async def desk(tmp_path: Path, clock: FakeClock):  # type: ignore[no-untyped-def]
    store = await open_store(f"sqlite+aiosqlite:///{tmp_path / 'dw.db'}")
    rules = night.rules()
    rules.admins.append("U0DEE")
    yield Desk(store, rules, clock, asyncio.Event())
    await store.close()


async def stop(desk: Desk, clock: FakeClock) -> None:
    await desk.stop(StopAll(person="U0ELI", reason="drill", at=clock.now()))


async def test_only_an_admin_named_in_dw_yml_lifts_a_stop(desk: Desk, clock: FakeClock) -> None:
    await stop(desk, clock)
    lift = LiftStop(person="U0ELI", at=clock.now())
    assert "only an admin" in (await desk.lift(lift, a_person("U0ELI")) or "")
    assert await desk.stopped() is not None
    assert await desk.lift(LiftStop(person="U0DEE", at=clock.now()), a_person("U0DEE")) is None
    assert await desk.stopped() is None


@pytest.mark.parametrize("flag", ["bot", "deactivated", "guest", "external"])
async def test_an_admin_who_may_not_decide_may_not_lift_either(
    desk: Desk, clock: FakeClock, flag: str
) -> None:
    await stop(desk, clock)
    barred = a_person("U0DEE", **{flag: True})
    assert await desk.lift(LiftStop(person="U0DEE", at=clock.now()), barred) is not None
    assert await desk.stopped() is not None


async def test_a_stop_is_one_row_however_many_incidents_are_open(
    desk: Desk, clock: FakeClock
) -> None:
    await desk._store.commit(opening("DW-1"))
    await stop(desk, clock)
    rows: list[Due] = list(await desk._store.claim(clock.now(), limit=9, lease=LEASE))
    assert [row.key for row in rows] == ["refresh"]


class SlowInbox:
    """Stores when it is let to."""

    def __init__(self) -> None:
        self.may_store = asyncio.Semaphore(0)

    async def receive(self, _item: Received, _due: object) -> bool:
        await self.may_store.acquire()
        return True


async def test_in_a_burst_every_ack_goes_before_the_work_begins(clock: FakeClock) -> None:
    inbox, wake = SlowInbox(), asyncio.Event()
    store: Any = inbox
    desk = Desk(store, night.rules(), clock, wake)
    async with asyncio.TaskGroup() as clicks:
        first, _ = (clicks.create_task(desk.receive(received(f"Ev{n}"))) for n in range(2))
        await asyncio.sleep(0)
        inbox.may_store.release()
        await first
        assert not wake.is_set()
        inbox.may_store.release()
    assert wake.is_set()

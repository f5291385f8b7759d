"""Two houses over one PostgreSQL and real systems: both want the same run, and the real server has one of it."""

import asyncio
from pathlib import Path

import pytest

from bot.sandbox.workspace import until
from tests.live.houses.child import LEASE
from tests.live.houses.system import System
from tests.live.houses.town import SLOW, Plan, Town, a_town

pytestmark = [
    pytest.mark.live,
    pytest.mark.timeout(600),  # the first one waits for the servers
    pytest.mark.parametrize("url", ["postgres"], indirect=True),
]


async def test_two_that_want_the_same_run_start_it_once(
    system: System, url: str, tmp_path: Path
) -> None:
    """Whoever has it in hand waits for its answer longer than a lease, and the other looks at the row all the time."""
    async with a_town(system, url, tmp_path, Plan(undo="two want it", count=2)) as town:

        async def dawdles(what: str, who: int) -> None:
            if what == "started":
                await asyncio.sleep(2 * LEASE)

        town.wires.on = dawdles
        request = await town.asked()
        await asyncio.gather(*(town.ana.click("Approve", on=request) for _ in range(2)))
        await town.once()
        assert all(house.alive for house in town.houses)


async def test_one_that_sleeps_past_its_lease_starts_nothing_when_it_wakes(
    system: System, url: str, tmp_path: Path
) -> None:
    """It sleeps while it is told that there is no such run; the other one starts it meanwhile."""
    async with a_town(system, url, tmp_path, Plan(undo="one sleeps", count=2)) as town:
        await sleeps_at(town, "look")
        await town.once()
        assert len({asked.who for asked in town.wires.started}) == 1


async def test_one_that_sleeps_between_its_last_look_and_its_start_doubles_nothing(
    keeper: System, url: str, tmp_path: Path
) -> None:
    """Its start arrives after the other one's; the system itself knows both by one key."""
    async with a_town(keeper, url, tmp_path, Plan(undo="the last instant", count=2)) as town:
        await sleeps_at(town, "start")
        await town.once(sent=2)
        assert {asked.who for asked in town.wires.started} == {0, 1}


async def sleeps_at(town: Town, moment: str) -> None:
    """A yes; whoever comes to this moment first is stopped, and wakes when the other one's run was taken."""
    asleep: list[int] = []
    taken = asyncio.Event()

    async def sleeps(what: str, who: int) -> None:
        if what == moment and not asleep:
            asleep.append(who)
            town.houses[who].pause()
            await taken.wait()
        if what == "started" and asleep and who != asleep[0]:
            taken.set()

    town.wires.on = sleeps
    await town.approved()
    await until(taken.is_set, SLOW, "The run by the other one")
    await town.done()
    town.houses[asleep[0]].wake()
    await until(lambda: town.lost_its_claim(asleep[0]), SLOW, "The one that woke to notice")
    await asyncio.sleep(0.5)  # for whatever it would still do

"""One house, a process of its own, over real systems: a failed run, a yes, and exactly one run whatever goes wrong."""

from pathlib import Path

import pytest

from bot.sandbox.workspace import until
from tests.faults.campaign.outside import settled
from tests.live.houses.system import System
from tests.live.houses.town import SLOW, Plan, Town, a_town

pytestmark = [
    pytest.mark.live,
    pytest.mark.timeout(600),  # the first one waits for the servers
    pytest.mark.parametrize("url", ["sqlite"], indirect=True),
]


async def test_a_failed_run_that_nobody_told_of_becomes_an_incident(
    watched: System, url: str, tmp_path: Path
) -> None:
    plan = Plan(undo="a failed run becomes an incident", more={"poll_every": "1s"})
    async with a_town(watched, url, tmp_path, plan) as town:
        run = await watched.fails()

        async def opened() -> bool:
            lines = await town.store.incidents(open_only=False, limit=20)
            found = [await town.incident(line.id) for line in lines]
            return any(one.alert.run_id == run for one in found)

        await settled(opened, SLOW, f"An incident about {run}")
        await town.card(watched.untold, within=SLOW)
        assert town.wires.started == []


async def test_the_approved_run_happens_once_though_the_answer_was_lost(
    system: System, url: str, tmp_path: Path
) -> None:
    plan = Plan(undo="the answer was lost")
    async with a_town(system, url, tmp_path, plan, {"lose": True}) as town:
        before = len(await system.runs())
        await town.approved()
        await town.reply("that run is taken, nothing is started twice", within=SLOW)
        await town.once()
        assert town.wires.lost == 1
        assert len(await system.runs()) == before + 1


async def test_the_approved_run_happens_once_though_the_bot_was_killed_when_the_server_had_taken_it(
    system: System, url: str, tmp_path: Path
) -> None:
    async with a_town(system, url, tmp_path, Plan(undo="the bot was killed")) as town:
        before = len(await system.runs())

        async def dies(what: str, who: int) -> None:
            if what == "started":
                town.houses[who].kill()
                await town.houses[who].dead()

        town.wires.on = dies
        await town.approved()
        [house] = town.houses
        await until(lambda: house.kills and not house.alive, SLOW, "The end of the house")
        house.start()
        await town.reply("that run is taken, nothing is started twice", within=SLOW)
        await town.once()
        assert len(await system.runs()) == before + 1


async def test_a_connection_pinned_read_only_sees_no_start_whatever_is_approved(
    system: System, url: str, tmp_path: Path
) -> None:
    plan = Plan(undo="pinned", changes={"read_only": True})
    async with a_town(system, url, tmp_path, plan) as town:
        before = await system.runs()
        await town.approved()
        await town.reply(system.pinned, within=SLOW)
        await nothing_started(town, before)


async def test_a_credential_that_may_only_read_is_refused_in_words(
    system: System, url: str, tmp_path: Path
) -> None:
    plan = Plan(undo="may only read", secrets=system.weak, changes=system.weaker)
    async with a_town(system, url, tmp_path, plan, {"target": system.read_only_url}) as town:
        before = await system.runs()
        await town.approved()
        said = town.ana.text_of(await town.reply(system.refusal, within=SLOW))
        assert "nothing was " in said.lower()  # started, or done at all
        assert await system.runs() == before


async def nothing_started(town: Town, before: object) -> None:
    """Neither asked for, nor there."""
    assert town.wires.started == []
    assert await town.system.runs() == before

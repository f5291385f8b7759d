"""A house, a process of its own, over a real Airflow 3: a whole night in which nothing but reads leaves it."""

from pathlib import Path

import pytest

from tests.live.houses.airflow import Airflow3
from tests.live.houses.town import SLOW, Plan, Town, a_town

pytestmark = [
    pytest.mark.live,
    pytest.mark.timeout(600),  # the first one waits for the servers
    pytest.mark.parametrize("url", ["sqlite"], indirect=True),
]


@pytest.fixture
def three(request: pytest.FixtureRequest) -> Airflow3:
    return Airflow3(request.getfixturevalue("airflow_world"))


async def ready(town: Town) -> None:
    """Told of, approved, and Ana's to start."""
    await town.approved()
    await town.reply("is ready: <@U0ANA> can do it now", within=SLOW)


def only_reads(town: Town) -> None:
    """All that a proxy before the server saw since the house began."""
    written = {f"{a.method} {a.path}" for a in town.wires.seen if a.method != "GET"}
    assert written == {"POST /auth/token"}
    assert any("/taskInstances" in asked.path for asked in town.wires.seen), "it did look"


async def test_airflow_3_saw_no_write_in_a_whole_night_and_the_owners_run_is_recognised(
    three: Airflow3, url: str, tmp_path: Path
) -> None:
    plan = Plan(undo="the owner starts it", more={"poll_every": "1s"})
    async with a_town(three, url, tmp_path, plan) as town:
        await ready(town)
        mine = three.by_owner()
        said = town.ana.text_of(await town.reply("recognised", within=SLOW))
        assert "duplicates=False, usage_date=" in said
        await town.done()
        [state] = (await town.incident()).steps.values()
        assert state.run is not None
        assert state.run.id == mine
        await town.reply("*Receipt 1*", within=SLOW)
        only_reads(town)


async def test_when_two_runs_fit_it_takes_none_and_asks(
    three: Airflow3, url: str, tmp_path: Path
) -> None:
    async with a_town(three, url, tmp_path, Plan(undo="two fit")) as town:
        await ready(town)
        [house] = town.houses
        house.pause()  # so that it sees both at once
        both = [three.by_owner() for _ in range(2)]
        house.wake()
        said = town.ana.text_of(await town.reply("2 runs fit", within=SLOW))
        assert all(run.partition("/")[2] in said for run in both)
        assert "none is taken for it: press Mark done once the right one has ended well" in said
        only_reads(town)

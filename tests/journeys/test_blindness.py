"""A connection goes away, and silence is not taken for health: the channel, doctor and /dw connections say so."""

import asyncio
from collections.abc import Mapping
from datetime import datetime

import pytest

from bot.cli.doctor.sights import looked
from connectors.errors import Unreachable
from policies.sight import Sight
from tests.journeys.props import PATIENCE, rules
from tests.journeys.stage import Stage, a_stage
from tests.journeys.test_stopping import says

pytestmark = [
    pytest.mark.loopback,
    pytest.mark.parametrize("url", ["sqlite"], indirect=True),
]


async def doctor(stage: Stage) -> str:
    """What `dw doctor` says of the looks at Dagster."""
    assert stage.built is not None
    sights = await stage.built.store.sights()
    return looked("dagster", sights.get("dagster"), stage.rules, stage.clock.now()).says


async def looks(stage: Stage, *, well: bool) -> None:
    """Let a look come, and wait until it has ended like that.

    The next one may be put off from the hour to which the clock was just moved: so it is moved until it comes.
    """
    assert stage.built is not None
    began = stage.clock.now()
    async with asyncio.timeout(PATIENCE):
        while not _ended(await stage.built.store.sights(), began, well=well):
            stage.clock.advance(minutes=1)
            await asyncio.sleep(0.05)


def _ended(sights: Mapping[str, Sight], began: datetime, *, well: bool) -> bool:
    sight = sights.get("dagster")
    if sight is None or sight.looked_at is None or sight.looked_at <= began:
        return False
    return sight.failures == 0 if well else bool(sight.failures and sight.problem)


async def test_a_connection_that_is_gone_is_told_of_and_the_same_note_says_that_it_is_back(
    url: str,
) -> None:
    async with a_stage(url, rules=rules(poll_every="1m")) as stage:
        await looks(stage, well=True)
        stage.stack.dagster.gone = Unreachable(connection="dagster")
        for _ in range(4):
            await looks(stage, well=False)
        note = await stage.card("*I am blind at `dagster`*")
        assert "Silence does not mean that all is well" in stage.ana.text_of(note)
        assert "failed in a row, nothing seen since" in await doctor(stage)
        assert "*1 blind*: `dagster`" in await says(stage.ana, "/dw connections")
        stage.stack.dagster.gone = None
        await looks(stage, well=True)
        await stage.says(note, "I see `dagster` again since")
        assert stage.cards() == [note]
        assert "1 blind" not in await says(stage.ana, "/dw connections")
        assert (await doctor(stage)).startswith("well; failures read up to")

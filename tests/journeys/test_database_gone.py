"""The database is away for a moment, just when somebody taps."""

import pytest

from bot.sandbox.demo import seed
from bot.sandbox.workspace import SlackError
from tests.journeys import alerts
from tests.journeys.moves import asked, ended
from tests.journeys.stage import Stage
from tests.postgres_server import Server, down, up

pytestmark = [
    pytest.mark.loopback,
    pytest.mark.parametrize("url", ["postgres"], indirect=True),
]


async def test_a_tap_that_could_not_be_stored_is_an_error_and_the_next_one_counts(
    stage: Stage, postgres: Server
) -> None:
    dm = await asked(stage)
    down(postgres)
    try:
        with pytest.raises(SlackError, match="did not answer in time"):
            await stage.ana.click("Approve", on=dm)
        told = await stage.ana.wait_for_message("This did NOT arrive", within=20)
        assert "Nothing was stored and nothing ran" in stage.ana.text_of(told)
        assert stage.ana.sees_button("Approve", on=dm)
    finally:
        up(postgres)
    await stage.ana.click("Approve", on=dm)
    stage.clock.advance(seconds=61)  # what was in hand when it went is free when its lease ends
    await stage.says(dm, "*Approved* by <@U0ANA>")
    await ended(stage)
    decided = [len(r.decisions) for r in (await stage.incident()).requests.values()]
    assert decided == [1]


async def test_an_alert_while_the_database_is_away_comes_again(
    stage: Stage, postgres: Server
) -> None:
    down(postgres)
    try:
        alerts.check_failed(stage.workspace)
        with pytest.raises(AssertionError):
            await stage.card("raw_sessions", within=0.1)
        await stage.ana.command(seed.ALERTS, "/dw status")
        assert "my database could not be reached" in stage.ana.text_of(
            stage.ana.reads(seed.ALERTS)[-1]
        )
    finally:
        up(postgres)
    await stage.dm("ana")
    assert len(stage.cards()) == 1

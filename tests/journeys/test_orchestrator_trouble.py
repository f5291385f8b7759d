"""Dagster is down, slow or forgetful, and the people are told the truth about it."""

import pytest

from connectors.errors import Broken, ConnectorError, TooSlow, Unreachable
from policies.run import RunState
from tests.journeys import alerts
from tests.journeys.moves import approved, asked
from tests.journeys.stage import Stage

pytestmark = [
    pytest.mark.loopback,
    pytest.mark.parametrize("url", ["sqlite"], indirect=True),
]


async def test_down_when_the_alert_comes_is_said_and_looked_at_again(stage: Stage) -> None:
    stage.stack.dagster.gone = Unreachable(connection="dagster")
    alerts.check_failed(stage.workspace)
    card = await stage.card("• not answering: dagster: No connection could be made")
    assert "looking for the cause" in stage.ana.text_of(card)
    assert "I keep asking by myself" in stage.ana.text_of(card)
    stage.stack.dagster.gone = None
    stage.clock.advance(minutes=5)
    await stage.card("*Cause* the source replica was behind")
    await stage.dm("ana")


async def test_down_for_an_hour_when_the_rollups_should_start_and_then_one_run(
    stage: Stage,
) -> None:
    await approved(stage)
    stage.stack.actuator.before = [Unreachable() for _ in range(500)]
    stage.stack.backfill()
    await stage.reply("in this order* is done")
    stage.clock.advance(hours=1)
    assert stage.stack.rollups() == []
    stage.stack.actuator.before.clear()
    run = await stage.rollups()
    stage.stack.runs.end(run.id)
    await stage.reply("*Receipt 1*")
    assert list(stage.stack.tagged().values()) == [1]


@pytest.mark.parametrize("fault", [TooSlow(), Broken()], ids=["timeout", "500"])
async def test_a_start_that_was_accepted_and_never_answered_is_found_and_not_repeated(
    stage: Stage, fault: ConnectorError
) -> None:
    await approved(stage)
    stage.stack.actuator.after = [fault]
    stage.stack.backfill()
    await stage.reply("that run is taken, nothing is started twice")
    assert list(stage.stack.tagged().values()) == [1]


async def test_an_outcome_that_nobody_can_know_is_given_to_a_person(stage: Stage) -> None:
    await approved(stage)
    stage.stack.actuator.before = [TooSlow() for _ in range(9)]
    stage.stack.backfill()
    said = stage.ana.text_of(await stage.reply("its outcome can't be known"))
    assert "It is not repeated. A person must look." in said
    await stage.card("DW-1 · handed over to a person")
    assert stage.stack.rollups() == []
    assert len(stage.stack.actuator.before) == 7


async def test_a_backfill_that_fails_is_said_and_the_next_one_is_taken(stage: Stage) -> None:
    await approved(stage)
    first = stage.stack.backfill(RunState.QUEUED)
    await stage.reply("recognised run")
    stage.stack.runs.end(first.id, RunState.FAILED)
    said = stage.ana.text_of(await stage.reply("did not end well"))
    assert "Start it again when you are ready; I keep looking." in said
    stage.stack.backfill()
    await stage.rollups()


async def test_numbers_that_stay_wrong_are_not_called_resolved(stage: Stage) -> None:
    await approved(stage)
    stage.stack.backfill()
    stage.stack.readers["warehouse"].values["rows_of_day"] = {"rows": 25000, "last": None}
    run = await stage.rollups()
    stage.stack.runs.end(run.id)
    card = stage.ana.text_of(await stage.card("DW-1 · handed over to a person"))
    assert "the numbers are not right yet: rows_vs_primary: 25,000 of 28,300" in card
    assert "*Receipt 1*" in stage.ana.text_of(await stage.reply("*Receipt 1*"))


async def test_a_database_of_the_stack_that_is_down_is_named_on_the_card(stage: Stage) -> None:
    stage.stack.readers["app_primary"].values["rows_of_day"] = Unreachable(connection="app_primary")
    alerts.check_failed(stage.workspace)
    await stage.card("• not answering: app_primary: No connection could be made")
    assert stage.stack.rollups() == []
    stage.stack.readers["app_primary"].values["rows_of_day"] = {"rows": 28300, "last": None}
    stage.clock.advance(minutes=5)
    await stage.dm("ana")


async def test_nothing_is_asked_twice_when_dagster_flaps(stage: Stage) -> None:
    await asked(stage)
    stage.stack.dagster.gone = Broken()
    await stage.ana.click("Approve", on=await stage.dm("ana"))
    await stage.reply("*Approved* by <@U0ANA>")
    stage.stack.dagster.gone = None
    stage.clock.advance(minutes=1)
    stage.stack.backfill()
    await stage.rollups()
    assert len((await stage.incident()).requests) == 1

"""Stop means stop, for everybody and at once; going on is an admin's to say, and needs a fresh look."""

import pytest

from bot.sandbox.demo import seed
from bot.sandbox.workspace import PersonDriver
from tests.journeys import alerts
from tests.journeys.moves import approved, asked
from tests.journeys.props import rules
from tests.journeys.stage import Stage, a_stage

pytestmark = pytest.mark.loopback


async def says(person: PersonDriver, command: str) -> str:
    """What the bot answers to a command, for this person only."""
    await person.command(seed.ALERTS, command)
    said = person.reads(seed.ALERTS)[-1]
    assert said.reader == person.id
    return person.text_of(said)


async def test_a_step_that_waits_does_not_start_and_after_the_lift_it_is_asked_again(
    stage: Stage,
) -> None:
    await approved(stage)
    said = await says(stage.person("eli"), "/dw stop the warehouse is being moved")
    assert "*Stopped.* By <@U0ELI>" in said
    await stage.card("*STOPPED* by <@U0ELI>")
    stage.stack.backfill()
    held = await stage.reply("has not started: stopped: everything")
    assert "the warehouse is being moved" in stage.ana.text_of(held)
    assert stage.stack.rollups() == []
    assert "*The stop is lifted.*" in await says(stage.person("dee"), "/dw resume")
    await stage.reply("it was held by a stop that is lifted now")
    again = await stage.dm("ana")
    assert stage.stack.rollups() == [], "the old yes does not start it"
    await stage.ana.click("Approve", on=again)
    run = await stage.rollups()
    stage.stack.runs.end(run.id)
    card = await stage.card("*resolved*")
    assert "STOPPED" not in stage.ana.text_of(card)


async def test_while_stopped_a_yes_does_not_count_and_she_is_told(stage: Stage) -> None:
    dm = await asked(stage)
    await says(stage.person("bo"), "/dw stop drill <!channel>")
    await stage.says(dm, "*STOPPED* by <@U0BOLIN>")
    await stage.ana.click("Approve", on=dm)
    told = await stage.ana.wait_for_message("Your tap did not count", within=20)
    words = stage.ana.text_of(told)
    assert "nothing changed: stopped: everything (drill &lt;!channel&gt;), by <@U0BOLIN>" in words


async def test_only_an_admin_resumes(stage: Stage) -> None:
    await says(stage.person("cleo"), "/dw stop")
    said = await says(stage.person("cleo"), "/dw resume")
    assert (
        "Nothing was changed: only an admin named in dw.yml may lift it (dee@example.com)" in said
    )
    assert "*STOPPED* by <@U0CLEO>" in await says(stage.ana, "/dw status")
    assert "Nothing was changed" not in await says(stage.person("dee"), "/dw resume")
    assert "STOPPED" not in await says(stage.ana, "/dw status")
    assert "nothing was stopped" in await says(stage.person("dee"), "/dw resume")


async def test_where_two_admins_are_named_one_alone_does_not_lift_it(url: str) -> None:
    async with a_stage(url, rules=rules(admins=["dee@example.com", "cleo@example.com"])) as stage:
        await says(stage.ana, "/dw stop")
        assert "Your word is stored, and the stop stays" in await says(
            stage.person("dee"), "/dw resume"
        )
        assert "<@U0DEE> wants to; one more is needed" in await says(stage.ana, "/dw status")
        assert "*The stop is lifted.*" in await says(stage.person("cleo"), "/dw resume")


async def test_a_stop_outlives_the_house(stage: Stage) -> None:
    await approved(stage)
    await says(stage.ana, "/dw stop")
    await stage.cut()
    stage.stack.backfill()
    stage.clock.advance(minutes=2)
    await stage.open()
    await stage.reply("has not started: stopped: everything")
    assert stage.stack.rollups() == []


async def test_a_stop_reaches_open_home_tabs_where_there_is_no_incident_at_all(
    stage: Stage,
) -> None:
    eli = stage.person("eli")
    await eli.open_home()
    await eli.wait_for_home("Open incidents: 0")
    await says(stage.person("bo"), "/dw stop dagster an upgrade")
    await eli.wait_for_home("*STOPPED* `dagster` by <@U0BOLIN>", within=20)


async def test_while_stopped_an_alert_is_still_looked_into(stage: Stage) -> None:
    await says(stage.ana, "/dw stop")
    alerts.check_failed(stage.workspace)
    card = await stage.card("*Cause* the source replica was behind")
    assert "*STOPPED* by <@U0ANA>" in stage.ana.text_of(card)

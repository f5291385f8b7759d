"""Trust is earned by numbers, given by a person, told to everybody, and lost by one bad night."""

from typing import Any

import pytest

from bot.sandbox.demo import seed
from bot.sandbox.workspace import until
from policies.rules import Rules
from policies.run import Run, RunState
from tests.bot.worker.world import systems_with
from tests.journeys import alerts
from tests.journeys.moves import approved, ended
from tests.journeys.props import CHAIN, PATIENCE, rules
from tests.journeys.stack import ROLLUPS
from tests.journeys.stage import Stage, a_stage
from tests.policies import night

pytestmark = [
    pytest.mark.loopback,
    pytest.mark.parametrize("url", ["sqlite"], indirect=True),
]


async def says(stage: Stage, name: str, command: str) -> str:
    """What somebody is answered, as they see it."""
    person = stage.person(name)
    await person.command(seed.ALERTS, command)
    return person.text_of(person.reads(seed.ALERTS)[-1])


def ruled(**domain: Any) -> Rules:
    """The stage's dw.yml with another entry of the domain."""
    return rules(domains={"growth": night.growth(chain=CHAIN, **domain)})


def breaks_again(stage: Stage) -> None:
    """The same trouble as before, and nothing of it is mended."""
    fresh = systems_with(stage.stack.runs)
    for name, reader in stage.stack.readers.items():
        reader.values = fresh[name].values


def by_hand(stage: Stage) -> Run:
    """Somebody starts the rollups in Dagster themselves."""
    return Run(
        connection="dagster",
        id="by-hand",
        job=ROLLUPS,
        partition=night.DAY,
        state=RunState.SUCCEEDED,
        created_at=stage.clock.now(),
    )


async def test_a_class_is_suggested_by_its_numbers_raised_by_an_admin_and_falls_after_a_failed_check(
    url: str,
) -> None:
    budget = {"runs_a_day": 1, "reach": 9}
    async with a_stage(url, rules=ruled(record={"receipts": 1}, budget=budget)) as stage:
        await approved(stage)
        await ended(stage)
        shown = await says(stage, "eli", "/dw autonomy")
        assert "1 of 1 clean receipts in 90 days" in shown
        assert "the numbers would allow L3; an admin decides" in shown
        assert "1 of 1 runs are left today" in shown
        question = await says(stage, "dee", "/dw autonomy set growth run_job L3 a clean record")
        assert "Nothing is changed yet" in question
        assert "1 of 1 clean receipts" in question, "the numbers stand beside the button"
        await stage.person("dee").click("Set L3")
        await stage.card("*Level changed* `growth`, `run_job`: L2 → *L3*")
        breaks_again(stage)
        alerts.check_failed(stage.workspace)
        await stage.reply("*Approved beforehand* by <@U0DEE>: delegated run_job in growth")
        dm = await stage.dm("ana", "`DW-2` *needs a yes or no*")
        assert "covers exactly 1 step" in stage.ana.text_of(dm), "what people do is still asked"
        await stage.ana.click("Approve", on=dm)
        await stage.reply("Approved* by <@U0ANA>")
        stage.stack.backfill()
        stage.stack.readers["warehouse"].values["rows_of_day"] = {"rows": 25000, "last": None}
        runs = await until(lambda: stage.stack.rollups()[1:], PATIENCE, "The run of its own")
        stage.stack.runs.end(runs[0].id)
        await stage.reply("is at level L2 from now on, it was L3")
        told = await stage.card("*Level changed* `growth`, `run_job`: L3 → *L2*")
        assert "By itself, after a bad end" in stage.ana.text_of(told)
        shown = await says(stage, "eli", "/dw autonomy")
        assert "0 of 1 runs are left today" in shown
        assert "it ended badly in DW-2" in shown


async def test_what_is_observed_is_counted_and_shown_before_a_level_is_raised(url: str) -> None:
    async with a_stage(url, rules=ruled(level="L1")) as stage:
        alerts.check_failed(stage.workspace)
        await stage.reply("would queue growth_rollups_job")
        assert stage.ana.reads(stage.ana.dm("dw")) == [], "nobody is asked"
        stage.stack.runs.add(by_hand(stage))
        stage.clock.advance(hours=24.1)
        await stage.card("A person takes it from here")
        shown = await says(stage, "dee", "/dw autonomy set growth L2")
        assert "would have queued 1 run; 1 of 1 were later run by hand" in shown
        await stage.person("dee").click("Set L2")
        await stage.card("*Level changed* `growth`, the whole domain: L1 → *L2*")

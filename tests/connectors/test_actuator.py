"""What holds for every actuator, whatever it changes: no yes for exactly this, now, and nothing is sent."""

from dataclasses import replace
from datetime import timedelta

import pytest

from policies.approval import NotApproved
from policies.plan import Step
from tests.bot.fakes import FakeActuator, Runs
from tests.building import NOW, a_plan, a_step, approved

STEP = a_step()


@pytest.mark.parametrize(
    ("step", "hours"),
    [(a_step("other"), 0), (replace(STEP, params={"job": "drop_all"}), 0), (STEP, 13)],
    ids=["another step", "other parameters", "too late"],
)
async def test_what_nobody_approved_is_not_sent(step: Step, hours: int) -> None:
    runs = Runs()
    actuator = FakeActuator("dagster", runs, NOW)
    with pytest.raises(NotApproved):
        await actuator.act(step, approved(a_plan(STEP)), key="k", now=NOW + timedelta(hours=hours))
    assert runs.started == []


async def test_a_run_that_carries_the_key_already_is_returned_and_not_doubled() -> None:
    runs = Runs()
    actuator, yes = FakeActuator("dagster", runs, NOW), approved(a_plan(STEP))
    first = await actuator.act(STEP, yes, key="k", now=NOW)
    assert await actuator.act(STEP, yes, key="k", now=NOW) == first
    assert runs.started == ["k"]

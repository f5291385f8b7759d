"""Somebody said yes and thinks better of it."""

import pytest

from bot.sandbox.demo.waiting import until
from policies.incident import StepPhase
from tests.journeys.moves import approved, ended
from tests.journeys.stage import Stage

pytestmark = pytest.mark.loopback


async def test_a_yes_is_taken_back_from_the_message_it_was_given_in_and_given_again(
    stage: Stage,
) -> None:
    dm = await approved(stage)
    await stage.says(dm, "Take back")
    await stage.ana.click("Take back", on=dm)
    await stage.reply("is taken back.")
    await stage.says(dm, "needs a yes or no")
    assert stage.ana.sees_button("Approve", on=dm)
    assert {s.phase for s in (await stage.incident()).steps.values()} <= {
        StepPhase.ASKED,
        StepPhase.PROPOSED,
    }
    await stage.ana.click("Approve", on=dm)
    await ended(stage)

    async def gone() -> bool:
        return not stage.ana.sees_button("Take back", on=dm)

    await until("the button to go", gone, within_s=10)

"""An app that nobody knows posts an alert; an admin binds it in Slack, and the alert that was kept opens its incident."""

import pytest

from bot.sandbox.demo import seed
from tests.journeys import alerts
from tests.journeys.stage import Stage

pytestmark = pytest.mark.loopback
STRANGER = {"subtype": "bot_message", "bot_id": "B0NEW", "app_id": "A0NEW", "username": "Dagster"}


async def sources(stage: Stage, name: str) -> str:
    """What somebody is answered."""
    said = (await stage.person(name).command(seed.ALERTS, "/dw sources")).answer
    return str(said)


async def test_two_taps_bind_an_unknown_sender_and_what_it_said_opens_its_incident(
    stage: Stage,
) -> None:
    run = f"<{alerts.RUN}|View run>"
    text = f"Asset check raw_sessions_complete failed on raw_sessions\n*Run:* {run}"
    stage.workspace.inject(seed.ALERTS, {**STRANGER, "text": text})
    await stage.workspace.settled()
    await stage.idle()
    assert stage.ours() == []
    assert "reads like dagsterplus" in await sources(stage, "eli")

    await sources(stage, "dee")
    dee = stage.person("dee")
    await dee.click("Bind Dagster…")
    await dee.wait_for_modal("Whose alerts are these?")
    await dee.submit()
    await stage.either("1 of its messages of the last hour are read again")
    await stage.card("raw_sessions_complete failed on raw_sessions")
    await stage.idle()
    assert "1 understood" in await sources(stage, "eli")

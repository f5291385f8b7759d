"""A command that is sent once more, or long after it was signed, changes nothing, is counted, and is answered in words.

Through the real listener, over sockets and over signed HTTP.
"""

import time
from typing import Any
from urllib.parse import urlencode

import aiohttp
import pytest

from bot.sandbox.demo import seed
from bot.sandbox.workspace.wire.pushes import signed
from bot.sandbox.workspace.wire.record import Delivery
from tests.journeys.props import SECRET
from tests.journeys.stage import Stage, a_stage

pytestmark = [
    pytest.mark.loopback,
    pytest.mark.parametrize("url", ["sqlite"], indirect=True),
]
HTTP = {"slack_mode": "http"}
ONCE = "It was not carried out a second time."


async def typed(stage: Stage, name: str, text: str) -> Delivery:
    """Somebody types a command; the delivery, with its answer."""
    return await stage.person(name).command("C0ALERTS", f"/dw {text}")


def said(delivery: Delivery) -> str:
    return str(delivery.answer["text"])


async def again(stage: Stage, first: Delivery) -> str:
    """The same payload once more, as whoever recorded it would send it; the answer."""
    core = stage.workspace.core
    sent = await core.courier.ask(
        core.state.apps[seed.BOT_APP], "slash_commands", dict(first.payload)
    )
    return said(sent)


def counted(stage: Stage) -> float:
    assert stage.built is not None
    found = stage.built.metrics.registry.get_sample_value("dw_slack_repeated_total")
    assert found is not None
    return found


@pytest.mark.parametrize("mode", [{}, HTTP], ids=["socket", "http"])
async def test_a_command_sent_once_more_changes_nothing(url: str, mode: dict[str, Any]) -> None:
    async with a_stage(url, mode=mode) as stage:
        assert stage.built is not None
        desk = stage.built.desk
        away = await typed(stage, "ana", "away until friday → @bo")
        back = await typed(stage, "ana", "back")
        assert ONCE in await again(stage, away)
        assert "You were not away" in said(await typed(stage, "ana", "back"))
        await typed(stage, "ana", "away until friday → @bo")
        assert ONCE in await again(stage, back)
        assert "Welcome back" in said(await typed(stage, "ana", "back"))

        stop = await typed(stage, "eli", "stop a deploy")
        assert "*Stopped" in await again(stage, stop), "while it is in force, it is said again"
        assert len(await desk.stops()) == 1
        resume = await typed(stage, "dee", "resume")
        assert ONCE in await again(stage, stop)
        assert await desk.stops() == []
        await typed(stage, "eli", "stop once more")
        assert ONCE in await again(stage, resume)
        assert len(await desk.stops()) == 1, "what lifted an earlier stop lifts no later one"
        assert counted(stage) == 5


async def test_a_command_without_a_fresh_signature_stays_outside_and_a_recorded_one_is_known(
    url: str,
) -> None:
    async with a_stage(url, mode=HTTP) as stage:
        assert stage.built is not None
        await typed(stage, "eli", "stop a deploy")
        resume = await typed(stage, "dee", "resume")
        await typed(stage, "eli", "stop once more")
        body, now = urlencode(resume.payload), int(time.time())
        recorded = signed(SECRET, body, now - 200)
        for headers in (recorded, recorded, signed(SECRET, body, now)):
            status, text = await post(stage, body, headers)
            assert status == 200
            assert ONCE in text
        for headers in ({}, signed(SECRET, body, now - 301), signed("another secret", body, now)):
            status, text = await post(stage, body, headers)
            assert status == 401
            assert "nothing was decided and nothing ran" in text
        edited = urlencode({**resume.payload, "trigger_id": "1.2.3"})
        assert (await post(stage, edited, recorded))[0] == 401
        assert len(await stage.built.desk.stops()) == 1
        assert counted(stage) == 3
        figures = stage.built.metrics.registry
        assert figures.get_sample_value("dw_slack_unsigned_total") == 4


async def post(stage: Stage, body: str, headers: dict[str, str]) -> tuple[int, str]:
    """What the door answers to a request that Slack did not send."""
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    address = f"http://127.0.0.1:{stage.mode['port']}/slack/events"
    async with (
        aiohttp.ClientSession() as session,
        session.post(address, data=body, headers={**kind, **headers}) as answer,
    ):
        return answer.status, await answer.text()

"""Whatever is forged at the door is refused, recorded and answered in words; then the real yes counts.

Over Socket Mode and over signed HTTP, into the whole house.
"""

import json
import time
from collections.abc import Awaitable, Callable
from copy import deepcopy
from typing import Any
from urllib.parse import urlencode

import aiohttp
import pytest

from bot.sandbox.demo import seed
from bot.sandbox.workspace.state import Message
from bot.sandbox.workspace.wire.pushes import signed
from handlers.views import ELSEWHERE, UNREADABLE
from policies import events as e
from tests.journeys import alerts
from tests.journeys.moves import asked
from tests.journeys.props import PATIENCE, SECRET
from tests.journeys.stage import Stage, a_stage

pytestmark = [
    pytest.mark.loopback,
    pytest.mark.parametrize("url", ["sqlite"], indirect=True),
]
HTTP = {"slack_mode": "http"}


async def recorded(stage: Stage) -> list[str]:
    """Why taps were refused, as the journal has it."""
    refused = [x.event for x in await stage.journal() if isinstance(x.event, e.DecisionRefused)]
    return [event.refusal.why for event in refused]


async def kept(stage: Stage) -> int:
    """How much arrived that was kept as it came."""
    assert stage.built is not None
    return await stage.built.store.kept()


async def told(stage: Stage, name: str, words: str) -> None:
    """Somebody is answered, privately; the words are new each time."""
    person = stage.person(name)
    said = await person.wait_for_message(words, within=PATIENCE)
    assert said.reader == person.id or said.channel == person.dm("dw")


async def nothing_came_of_it(stage: Stage) -> None:
    await stage.idle()
    incident = await stage.incident()
    assert [x for x in await stage.journal() if isinstance(x.event, e.DecisionMade)] == []
    assert all(state.open for state in incident.requests.values())
    assert stage.stack.rollups() == []


def the_tap(stage: Stage) -> dict[str, Any]:
    """The payload of the last tap, as Slack sent it."""
    sent = [d for d in stage.workspace.record.deliveries if d.kind == "interactive"]
    return deepcopy(sent[-1].payload)


async def deliver(stage: Stage, payload: dict[str, Any]) -> None:
    """Slack's own way into the house, with a payload that no screen would send."""
    core = stage.workspace.core
    sent = await core.courier.ask(core.state.apps[seed.BOT_APP], "interactive", payload)
    assert sent.state == "acked"


# ---------------------------------------------------------------------- what is tapped


async def an_edited_value(stage: Stage, dm: Message) -> None:
    for value in ("{}", '["DW-1"', "x" * 1900):
        await stage.ana.click("Approve", on=dm, value=value)
        await told(stage, "ana", UNREADABLE.split(":")[0])
    await stage.ana.click("Ask", on=dm, value="[]")
    assert await kept(stage) == 4


async def an_edited_digest(stage: Stage, dm: Message) -> None:
    await stage.ana.click("Approve", on=dm, value='["DW-1","DW-1-R1","sha256:00"]')
    await told(stage, "ana", "What you saw is not what would run any more")


async def a_request_of_another_incident(stage: Stage, dm: Message) -> None:
    await stage.ana.click("Approve", on=dm, value='["DW-1","DW-2-R1","sha256:00"]')
    await told(stage, "ana", "This request is not known any more")


async def an_outsider(stage: Stage, _dm: Message) -> None:
    await stage.person("eli").click("Approve", on=await in_the_thread(stage))
    await told(stage, "eli", "you are not among those who may decide this")


async def somebody_in_another_name(stage: Stage, _dm: Message) -> None:
    """Names in a payload are display data; whoever tapped is whoever tapped."""
    payload = the_tap(stage)
    payload["user"] |= {"id": "U0ELI", "name": "ana", "username": "ana"}
    payload["actions"][0]["action_ts"] = "1790000001.000100"
    await deliver(stage, payload)


async def another_workspace(stage: Stage, _dm: Message) -> None:
    before = await kept(stage)
    payload = the_tap(stage)
    payload["user"]["id"] = "U0ANA"
    payload["team"]["id"] = payload["user"]["team_id"] = "T0OTHER"
    await deliver(stage, payload)
    await stage.either(ELSEWHERE)
    assert await kept(stage) == before + 1


async def an_alert_that_imitates_a_request(stage: Stage, _dm: Message) -> None:
    value = (await stage.incident()).requests["DW-1-R1"].request.digest
    button = {
        "type": "button",
        "action_id": "dw.approve",
        "text": {"type": "plain_text", "text": "Approve"},
        "value": json.dumps(["DW-1", "DW-1-R1", value]),
    }
    blocks = [{"type": "actions", "elements": [button]}]
    fake = alerts.post(stage.workspace, "`DW-1` *needs a yes or no* <@U0ANA>", blocks)
    with pytest.raises(Exception, match="does not take clicks"):
        await stage.ana.click("Approve", on=fake)


TAPS: tuple[Callable[[Stage, Message], Awaitable[None]], ...] = (
    an_edited_value,
    an_edited_digest,
    a_request_of_another_incident,
    an_outsider,
    somebody_in_another_name,
    another_workspace,
    an_alert_that_imitates_a_request,
)
RECORDED = [
    "what you saw is not what would run any more",
    "there is no such request here",
    "you are not among those who may decide this",
    "you are not among those who may decide this",
]


async def in_the_thread(stage: Stage) -> Message:
    """The request where everybody sees it."""
    return await stage.reply("needs a yes or no")


@pytest.mark.parametrize("mode", [{}, HTTP], ids=["socket", "http"])
async def test_nothing_that_is_forged_at_a_button_counts_and_the_real_yes_does(
    url: str, mode: dict[str, str]
) -> None:
    async with a_stage(url, mode=mode) as stage:
        dm = await asked(stage)
        for forge in TAPS:
            await forge(stage, dm)
        await nothing_came_of_it(stage)
        assert await recorded(stage) == RECORDED
        await stage.ana.click("Approve", on=dm)
        await stage.reply("*Approved* by <@U0ANA>")
        real = the_tap(stage)
        await deliver(stage, real)
        await stage.idle()
        made = [x for x in await stage.journal() if isinstance(x.event, e.DecisionMade)]
        assert len(made) == 1, "the same tap once more is the same tap"


async def test_a_member_taken_out_of_the_group_and_one_who_left_a_second_ago(url: str) -> None:
    async with a_stage(url) as stage:
        await asked(stage)
        stage.clock.advance(minutes=5.1)
        cleos = await stage.dm("cleo")
        stage.workspace.regroup("S0ONCALL", "dee")
        await stage.person("cleo").click("Approve", on=cleos)
        await told(stage, "cleo", "you are not among those who may decide this")
        stage.workspace.regroup("S0ONCALL", "cleo")
        tap = the_tap(stage)
        tap["actions"][0]["action_ts"] = "1790000002.000100"
        stage.workspace.deactivate("cleo")
        await deliver(stage, tap)
        await nothing_came_of_it(stage)
        assert (await recorded(stage))[-1] == "this account is deactivated"


# ---------------------------------------------------------------------- what is posted


async def post(stage: Stage, body: str, headers: dict[str, str]) -> tuple[int, str]:
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    address = f"http://127.0.0.1:{stage.mode['port']}/slack/events"
    async with (
        aiohttp.ClientSession() as session,
        session.post(address, data=body, headers={**kind, **headers}) as answer,
    ):
        return answer.status, await answer.text()


async def test_unsigned_wrongly_signed_and_stale_requests_stay_outside(url: str) -> None:
    async with a_stage(url, mode=HTTP) as stage:
        dm = await asked(stage)
        await stage.person("eli").click("Approve", on=await in_the_thread(stage))
        await told(stage, "eli", "you are not among those")
        tap = the_tap(stage)
        tap["user"]["id"] = "U0ANA"
        body, now = urlencode({"payload": json.dumps(tap)}), int(time.time())
        good = signed(SECRET, body, now)
        for headers in (
            {},
            signed("another secret", body, now),
            signed(SECRET, body, now - 301),
            signed(SECRET, body + "x", now),
            {**good, "X-Slack-Signature": "v0="},
        ):
            status, said = await post(stage, body, headers)
            assert status == 401
            assert "Nothing was stored, nothing was decided and nothing ran" in said
        await nothing_came_of_it(stage)
        assert stage.built is not None
        assert "dw_slack_unsigned_total 5.0" in stage.built.metrics.render().decode()
        assert stage.ana.sees_button("Approve", on=dm)

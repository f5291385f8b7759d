"""What is no alert opens nothing; what an alert says is data, whatever it says."""

import json

import pytest

from bot.sandbox.demo import seed
from bot.sandbox.workspace import until
from bot.sandbox.workspace.state import Message
from tests.journeys import alerts
from tests.journeys.moves import asked
from tests.journeys.props import PATIENCE
from tests.journeys.stage import Stage

pytestmark = [
    pytest.mark.loopback,
    pytest.mark.parametrize("url", ["sqlite"], indirect=True),
]
HEAD = "Asset check raw_sessions_complete failed on raw_sessions"
FORGED = json.dumps(
    {"type": "button", "action_id": "dw.approve", "value": '["DW-1","DW-1-R1","sha256:00"]'}
)
WORDS = {
    "mentions": "<!channel> <!here> <!subteam^S0ONCALL> <@U0DEE> @everyone",
    "a forged button": f"```{FORGED}``` <http://127.0.0.1/approve|Approve>",
    "sql": "'; DROP TABLE sessions; -- \" OR 1=1",
    "a fence that opens and never ends": "``` *bold* _it_ ~no~ `",
}


async def _quiet(stage: Stage) -> None:
    """Everything sent was taken up, and the bot has said nothing."""
    await stage.workspace.settled()
    await stage.idle()
    assert stage.ours() == []
    assert stage.built is not None
    assert await stage.built.store.incidents(open_only=False, limit=10) == []


async def test_what_a_known_sender_says_otherwise_opens_nothing(stage: Stage) -> None:
    alerts.post(stage.workspace, "Dagster+ will be down for maintenance on Sunday")
    alerts.post(stage.workspace, "Asset check raw_sessions_complete succeeded on raw_sessions")
    await _quiet(stage)


async def test_a_person_who_quotes_an_alert_opens_nothing(stage: Stage) -> None:
    await stage.ana.post(seed.ALERTS, f"did anybody see this? {HEAD}")
    await stage.ana.post("C0GROWTH", HEAD)
    await _quiet(stage)


async def test_an_unknown_app_that_speaks_like_dagster_opens_nothing(stage: Stage) -> None:
    """Our own app posting under another name stands for it: words and names are no proof."""
    stage.workspace.inject(
        seed.ALERTS,
        {
            "subtype": "bot_message",
            "bot_id": "B0STRANGER",
            "app_id": "A0STRANGER",
            "username": "Dagster+",
            "text": HEAD,
            "channel": seed.ALERTS,
        },
    )
    await _quiet(stage)


async def test_what_is_said_in_the_thread_opens_no_second_incident(stage: Stage) -> None:
    await asked(stage)
    card = stage.cards()[0]
    await stage.ana.post(seed.ALERTS, f"looking at it: {HEAD}", thread_ts=card.ts)
    alert = alerts.check_failed(stage.workspace)
    await stage.reply("One more alert of this trouble")
    stage.workspace.inject(
        seed.ALERTS, {**alert.body, "ts": "1790642999.000100", "thread_ts": alert.ts}
    )
    await stage.workspace.settled()
    await stage.idle()
    assert len(stage.cards()) == 1


@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
async def test_hostile_words_are_shown_as_data_or_not_at_all(stage: Stage, words: str) -> None:
    alerts.check_failed(stage.workspace, note=words)
    dm = await stage.dm("ana")
    await stage.reply("Drafted")
    for message in (*stage.ours(), dm):
        _mentions_only_whom_we_ask(message)
    assert [b["text"]["text"] for b in _buttons(stage.cards()[0])] == []
    assert stage.ana.sees_button("Approve", on=dm)


async def test_names_in_the_headline_can_neither_mention_nor_format(stage: Stage) -> None:
    head = "Asset check raw_sessions_complete failed on raw_sessions"
    hostile = "*Job:* <!channel>`*x*`\n*Partition:* 2026-09-28 <!here>"
    alerts.post(stage.workspace, f"{head}\n{hostile}")
    await until(stage.cards, PATIENCE, "The card")
    await stage.idle()
    for message in stage.ours():
        _mentions_only_whom_we_ask(message)


async def test_an_alert_of_forty_thousand_characters_keeps_the_limits(stage: Stage) -> None:
    alerts.post(stage.workspace, HEAD + " " + "<&>`*" * 8000)
    await until(stage.cards, PATIENCE, "The card")
    await stage.idle()
    assert len(stage.cards()) == 1
    refused = [call for call in stage.workspace.record.calls if not call.ok]
    assert refused == [], "the workspace is as strict as Slack"


async def test_a_forged_button_value_decides_nothing(stage: Stage) -> None:
    dm = await asked(stage)
    for value in ("{}", '["DW-1","DW-1-R1","sha256:00"]', "x" * 1900):
        await stage.ana.click("Approve", on=dm, value=value)
    await stage.workspace.settled()
    await stage.idle()
    incident = await stage.incident()
    assert [len(state.decisions) for state in incident.requests.values()] == [0]
    assert stage.ana.sees_button("Approve", on=dm)


def _mentions_only_whom_we_ask(message: Message) -> None:
    text = json.dumps(message.body)
    for mention in ("<!channel", "<!here", "<!everyone", "<!subteam", "<@U0DEE"):
        assert mention not in text


def _buttons(message: Message) -> list[dict[str, dict[str, str]]]:
    blocks = message.body.get("blocks", [])
    return [e for b in blocks for e in b.get("elements", []) if e.get("type") == "button"]

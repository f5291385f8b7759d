"""The least that the night needs of a bot, so that the demo can be tested without the real one.

One card for all alerts, one request to Ana, one run after the check passes, one receipt. Nothing more.
"""

import asyncio
import os
import sys
from pathlib import Path

from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient
from yaml import safe_load

from bot.sandbox.demo.dagster_api import DagsterPages, Verdict
from bot.sandbox.demo.waiting import until

env = os.environ  # noqa: TID251 - a process of its own, configured as the bot is
client = AsyncWebClient(token=env["DW_SLACK_BOT_TOKEN"], base_url=env["DW_SLACK_BASE_URL"])
app = AsyncApp(client=client, process_before_response=True)
RULES = safe_load(Path(env["DW_CONFIG"]).read_text())
cards: list[str] = []
decided = asyncio.Event()


def approve() -> list[dict]:
    label = {"type": "plain_text", "text": "Approve"}
    return [
        {"type": "section", "text": {"type": "mrkdwn", "text": "A backfill is needed."}},
        {
            "type": "actions",
            "elements": [{"type": "button", "action_id": "dw.approve", "text": label}],
        },
    ]


def section(text: str) -> list[dict]:
    return [{"type": "section", "text": {"type": "mrkdwn", "text": text}}]


@app.event("message")
async def alert(event: dict) -> None:
    if event.get("app_id") != "A0DAGPLUS" or (cards and "--two-cards" not in sys.argv):
        return
    card = await client.chat_postMessage(channel=event["channel"], text="DW-1")
    cards.append(card["ts"])
    if len(cards) == 1:
        direct = await client.conversations_open(users="U0ANA")
        channel = direct["channel"]["id"]
        await client.chat_postMessage(channel=channel, text="asked", blocks=approve())


@app.action("dw.approve")
async def approved(ack, body: dict) -> None:
    await ack()
    message, channel = body["message"]["ts"], body["channel"]["id"]
    await client.chat_update(channel=channel, ts=message, text="done", blocks=section("*Approved*"))
    if "--gives-up" in sys.argv:
        text = "*A person takes it from here*: the check could not be read"
        await client.chat_update(channel="C0ALERTS", ts=cards[0], text="x", blocks=section(text))
    decided.set()


async def repair() -> None:
    await decided.wait()
    pages = DagsterPages(RULES["connections"]["dagster"]["url"])

    async def passes() -> Verdict | None:
        said = await pages.check("raw_sessions", "raw_sessions_complete", "2026-09-28")
        return said if said and said.passed else None

    async def ended() -> bool:
        return await pages.state(run) == "SUCCESS"

    said = await until("the passing check", passes, within_s=None)
    run = await pages.launch_run("growth_rollups_job")
    await until("the end of the run", ended, within_s=None)
    blocks = section(f"*Receipt 1* · DW-1\nrows after: {said.says}")
    await client.chat_postMessage(
        channel="C0ALERTS", thread_ts=cards[0], text="receipt", blocks=blocks
    )


async def main() -> None:
    handler = AsyncSocketModeHandler(app, env["DW_SLACK_APP_TOKEN"], web_client=client)
    async with asyncio.TaskGroup() as group:
        group.create_task(handler.start_async())
        group.create_task(repair())


asyncio.run(main())

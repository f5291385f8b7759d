"""Alert → card: from the alert in the channel to our message beside it, Slack's pacing off on both sides."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

from slack_bolt.async_app import AsyncApp

from bot.sandbox.demo import seed
from bot.sandbox.workspace import Workspace, until
from tests.bench.figures import Figure, milliseconds, p99
from tests.bench.stage import BARE, a_workspace, bare, lived_in
from tests.journeys.alerts import freshness_missed

ALERTS, PAUSE = 40, 0.5
_GOAL = 1.0


def answering(app: AsyncApp) -> None:
    """Says something to every message of somebody else."""

    async def heard(event: dict[str, Any], say: Any) -> None:
        await say(text=f"heard {event['text']}")

    app.event("message")(heard)


async def measure(url: str, database: str) -> Figure:
    """The slow end, beside a bare Bolt app that answers each alert with one message."""
    async with a_workspace() as workspace, bare(workspace, answering):
        baseline = await times(workspace, BARE.app_id)
    async with a_workspace() as workspace, lived_in(workspace, url) as us:
        ours = await times(workspace, seed.BOT_APP)
        await us.idle()
    slow = p99(ours)
    return Figure(
        name=f"alert → card, p99 of {ALERTS}, {database}",
        unit="ms",
        ours=milliseconds(slow),
        baseline=milliseconds(p99(baseline)),
        beside="a Bolt app that answers with one chat.postMessage",
        goal=f"< {_GOAL:g} s",
        met=slow < _GOAL,
    )


async def times(workspace: Workspace, app_id: str) -> list[float]:
    """How long each of many alerts, each about another table, waited for the app's first words on it."""
    took = []
    for number in range(ALERTS):
        asset = f"fct_{app_id.lower()}_{number}"
        began = time.time()
        freshness_missed(workspace, asset)
        took.append(await until(_said(workspace, app_id, asset), 60, f"A word on {asset}") - began)
        await asyncio.sleep(PAUSE)
    return took


def _said(workspace: Workspace, app_id: str, asset: str) -> Callable[[], float | None]:
    """When the app posted about it, as the workspace took it down."""

    def found() -> float | None:
        posts = workspace.record.called("chat.postMessage", ok=True)
        mine = (p for p in reversed(posts) if p.app_id == app_id)
        return next((p.at for p in mine if asset in str(p.args)), None)

    return found

"""Click → ack with 200 clicks at once: ours stores each before its ack, a bare Bolt handler does nothing."""

import asyncio
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import Any

from slack_bolt.async_app import AsyncApp

from bot.sandbox.demo import seed
from bot.sandbox.workspace import App, Workspace, payloads
from bot.sandbox.workspace.acting import all_blocks
from bot.sandbox.workspace.blocks.walk import elements_of
from bot.sandbox.workspace.errors import Json
from bot.sandbox.workspace.state import Message
from handlers import ids
from tests.bench.figures import Figure, milliseconds, p50, p99
from tests.bench.stage import BARE, a_workspace, bare, lived_in, timed
from tests.journeys.alerts import check_failed

AT_ONCE, ROUNDS = 200, 5
_GOAL = 1.5


def nothing(app: AsyncApp) -> None:
    """The handler that does nothing but acknowledge."""

    async def acked(ack: Any) -> None:
        await ack()

    async def heard() -> None:
        return

    app.action(ids.APPROVE)(acked)
    app.event("message")(heard)


@dataclass(frozen=True, kw_only=True, slots=True)
class Button:
    """Approve as it stood on the screen, so that it can be tapped after its message has changed."""

    app: App
    message: Message
    block: Json
    element: Json

    def taps(self, workspace: Workspace) -> list[Json]:
        """So many, as Slack would tell of them."""
        core, ana = workspace.core, workspace.people["ana"].me
        held = {"value": self.element["value"]}
        acts = [
            payloads.block_action(self.block, self.element, held, core.mint.ts())
            for _ in range(AT_ONCE)
        ]
        return [payloads.message_actions(core, self.app, ana, self.message, [a]) for a in acts]

    async def at_once(self, workspace: Workspace) -> list[float]:
        """Send them all, and how long each waited for its ack."""
        ask, app = workspace.core.courier.ask, self.app
        asked = [partial(ask, app, "interactive", tap) for tap in self.taps(workspace)]
        return list(await asyncio.gather(*(timed(one) for one in asked)))


def approve(workspace: Workspace, app_id: str, message: Message) -> Button:
    """The button on a message."""
    known = elements_of(deepcopy(all_blocks(message.body)))
    block, element = next((b, e) for b, e in known if e["action_id"] == ids.APPROVE)
    app = workspace.core.state.apps[app_id]
    return Button(app=app, message=message, block=block, element=element)


async def measure(url: str, database: str) -> tuple[Figure, Figure]:
    """The middle and the slow end, ours and the bare one's in turn."""
    ours: list[float] = []
    theirs: list[float] = []
    async with a_workspace() as workspace, bare(workspace, nothing), lived_in(workspace, url) as us:
        check_failed(workspace)
        request = await workspace.people["ana"].wait_for_message("Approve", channel=seed.ALERTS)
        same = workspace.alert(BARE.app_id, seed.ALERTS, **_words(request))
        buttons = [
            approve(workspace, a, m) for a, m in ((BARE.app_id, same), (seed.BOT_APP, request))
        ]
        for number in range(ROUNDS + 1):
            for button, times in zip(buttons, (theirs, ours), strict=True):
                await us.idle()
                took = await button.at_once(workspace)
                times.extend(took if number else [])  # the first round only warms up
    return _figures(database, ours, theirs)


def _words(message: Message) -> Json:
    return {"text": "the same request", "blocks": all_blocks(message.body)}


def _figures(database: str, ours: list[float], theirs: list[float]) -> tuple[Figure, Figure]:
    beside = "a Bolt handler that only acknowledges"
    name = f"click → ack, {AT_ONCE} at once, {database}"
    middle, slow = p50(ours) / p50(theirs), p99(ours) / p99(theirs)
    known = {"unit": "ms", "beside": beside}
    return (
        Figure(
            name=f"{name}, p50",
            ours=milliseconds(p50(ours)),
            baseline=milliseconds(p50(theirs)),
            goal="–",
            met=middle <= _GOAL,
            **known,
        ),
        Figure(
            name=f"{name}, p99",
            ours=milliseconds(p99(ours)),
            baseline=milliseconds(p99(theirs)),
            goal=f"≤ {_GOAL} × the baseline",
            met=slow <= _GOAL,
            **known,
        ),
    )

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

AT_ONCE, ROUNDS = 200, 11
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


async def measure(url: str, database: str) -> tuple[Figure, ...]:
    """The middle and the slow end of a round, each in the middle of the rounds, ours and the bare one's in turn."""
    ours: list[list[float]] = []
    theirs: list[list[float]] = []
    async with a_workspace() as workspace, bare(workspace, nothing), lived_in(workspace, url) as us:
        check_failed(workspace)
        request = await workspace.people["ana"].wait_for_message("Approve", channel=seed.ALERTS)
        same = workspace.alert(BARE.app_id, seed.ALERTS, **_words(request))
        buttons = [
            approve(workspace, a, m) for a, m in ((BARE.app_id, same), (seed.BOT_APP, request))
        ]
        for _ in range(ROUNDS + 1):
            for button, rounds in zip(buttons, (theirs, ours), strict=True):
                await us.idle()
                rounds.append(await button.at_once(workspace))
    return _figures(database, ours[1:], theirs[1:])  # the first round only warms up


def _words(message: Message) -> Json:
    return {"text": "the same request", "blocks": all_blocks(message.body)}


def _figures(
    database: str, ours: list[list[float]], theirs: list[list[float]]
) -> tuple[Figure, ...]:
    figures = []
    for name, slow in (("p50", p50), ("p99", p99)):
        mine, bares = (p50([slow(each) for each in rounds]) for rounds in (ours, theirs))
        figures.append(
            Figure(
                name=f"click → ack, {AT_ONCE} at once, {database}, {name}",
                unit="ms",
                ours=milliseconds(mine),
                baseline=milliseconds(bares),
                beside="a Bolt handler that only acknowledges",
                goal=f"≤ {_GOAL} × the baseline" if slow is p99 else "–",
                met=mine <= _GOAL * bares,
            )
        )
    return tuple(figures)

"""Approve, Reject, Take back, Mark done and the change of a level. One tap, stored, acknowledged; it is weighed later."""

from slack_bolt.async_app import AsyncApp

from handlers import ids
from handlers.payloads import taps
from handlers.payloads.level import level as parse_level
from handlers.payloads.taking_back import taking_back
from handlers.taking import take
from handlers.wiring import Ack, Body, Wiring


def register(app: AsyncApp, wiring: Wiring) -> None:
    """Listen to the buttons of a request."""

    async def decide(body: Body, ack: Ack) -> None:
        await take(wiring, taps.decision(body, wiring.clock.now()), body, ack)

    async def done(body: Body, ack: Ack) -> None:
        await take(wiring, taps.done(body, wiring.clock.now()), body, ack)

    async def level(body: Body, ack: Ack) -> None:
        await take(wiring, parse_level(body, wiring.clock.now()), body, ack)

    async def take_back(body: Body, ack: Ack) -> None:
        await take(wiring, taking_back(body, wiring.clock.now()), body, ack)

    for action_id in (ids.APPROVE, ids.REJECT):
        app.action(action_id)(decide)
    app.action(ids.REVOKE)(take_back)
    app.action(ids.DONE)(done)
    app.action(ids.LEVEL)(level)

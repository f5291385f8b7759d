"""Messages in the alert channels, and direct messages to us: stored before Slack gets its ack."""

from slack_bolt.async_app import AsyncApp

from handlers.payloads import parse
from handlers.wiring import Body, Wiring


def register(app: AsyncApp, wiring: Wiring) -> None:
    """Listen to `message`. Not `app.message()`: that one skips messages without text."""

    async def message(body: Body) -> None:
        item = parse.message(body, wiring.clock.now(), wiring.me, wiring.alert_channels())
        if item:
            await wiring.desk.receive(item)

    app.event("message")(message)

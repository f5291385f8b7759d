"""`@dw …` anywhere: the words a slash command can't say in a thread. The worker answers there."""

from slack_bolt.async_app import AsyncApp

from handlers.payloads import parse
from handlers.wiring import Body, Wiring


def register(app: AsyncApp, wiring: Wiring) -> None:
    """Listen to `app_mention`."""

    async def mention(body: Body) -> None:
        item = parse.mention(body, wiring.clock.now(), wiring.me)
        if item:
            await wiring.desk.receive(item)

    app.event("app_mention")(mention)

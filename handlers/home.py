"""The home tab: what waits for the person who looks at it."""

from slack_bolt.async_app import AsyncApp

from handlers import ids
from handlers.payloads.models import Click, HomeOpened
from handlers.wiring import Ack, Body, Wiring


def register(app: AsyncApp, wiring: Wiring) -> None:
    """Listen to the tab being opened, and to its Refresh button."""

    async def opened(body: Body) -> None:
        event = HomeOpened.model_validate(body["event"])
        if event.tab == "home":
            await wiring.homes.publish(event.user)

    async def refresh(body: Body, ack: Ack) -> None:
        await ack()
        await wiring.homes.publish(Click.model_validate(body).user.id)

    app.event("app_home_opened")(opened)
    app.action(ids.REFRESH)(refresh)

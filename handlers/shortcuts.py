"""The lightning menu: what is open now, from anywhere in Slack."""

from slack_bolt.async_app import AsyncApp

from handlers import ids, views
from handlers.payloads.models import Shortcut
from handlers.wiring import Ack, Body, Wiring


def register(app: AsyncApp, wiring: Wiring) -> None:
    """Listen to the global shortcut."""

    async def show_open(body: Body, ack: Ack) -> None:
        await ack()
        shortcut = Shortcut.model_validate(body)
        shown = views.shown("Open incidents", await wiring.answerer.say("status", shortcut.user.id))
        await wiring.client.views_open(trigger_id=shortcut.trigger_id, view=shown)

    app.shortcut(ids.SHOW_OPEN)(show_open)

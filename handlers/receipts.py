"""The JSON of a receipt, for whoever wants to check it alone."""

from slack_bolt.async_app import AsyncApp

from handlers import ids
from handlers.payloads.models import Click
from handlers.wiring import Ack, Body, Wiring


def register(app: AsyncApp, wiring: Wiring) -> None:
    """Listen to the button under a receipt."""

    async def receipt_json(body: Body, ack: Ack) -> None:
        await ack()
        click = Click.model_validate(body)
        shown = await wiring.answerer.receipt_view(click.action.chosen)
        await wiring.client.views_open(trigger_id=click.trigger_id, view=shown)

    app.action(ids.RECEIPT_JSON)(receipt_json)

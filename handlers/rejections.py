"""Reject with a reason: a chosen one counts at once, one's own is asked for in a form."""

from pydantic import ValidationError
from slack_bolt.async_app import AsyncApp

from handlers import ids, views
from handlers.payloads import forms, parse, taps
from handlers.payloads.models import Click
from handlers.taking import take
from handlers.wiring import Ack, Body, Wiring


def register(app: AsyncApp, wiring: Wiring) -> None:
    """Listen to the menu beside Reject and to its form."""

    async def reject_with(body: Body, ack: Ack) -> None:
        if not _wants_words(body):
            return await take(wiring, taps.decision(body, wiring.clock.now()), body, ack)
        await ack()
        click = Click.model_validate(body)
        meta = ids.opening(click.action.chosen, parse.place_of(click))
        await wiring.client.views_open(trigger_id=click.trigger_id, view=views.reject_form(meta))
        return None

    async def rejected(body: Body, ack: Ack) -> None:
        await wiring.desk.receive(forms.with_more(body, wiring.clock.now(), None, None, "no"))
        await ack()

    app.action(ids.REJECT_WITH)(reject_with)
    app.view(ids.REJECT_VIEW)(rejected)


def _wants_words(body: Body) -> bool:
    try:
        return ids.decode(Click.model_validate(body).action.chosen).reason == ids.OTHER
    except (ValidationError, ids.UnreadableTag):
        return False

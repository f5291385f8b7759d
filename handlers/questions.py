"""Ask and Who else: what somebody may want to know before deciding."""

from slack_bolt.async_app import AsyncApp

from handlers import ids, views
from handlers.payloads import forms
from handlers.payloads.models import Click
from handlers.wiring import Ack, Body, Wiring


def register(app: AsyncApp, wiring: Wiring) -> None:
    """Listen to both buttons and to the form."""

    async def ask(body: Body, ack: Ack) -> None:
        await ack()
        click = Click.model_validate(body)
        form = views.ask_form(ids.decode(click.action.chosen))
        await wiring.client.views_open(trigger_id=click.trigger_id, view=form)

    async def who_else(body: Body, ack: Ack) -> None:
        await ack()
        click = Click.model_validate(body)
        shown = await wiring.answerer.who_may(ids.decode(click.action.chosen))
        await wiring.client.views_open(trigger_id=click.trigger_id, view=shown)

    async def asked(body: Body, ack: Ack) -> None:
        await wiring.desk.receive(forms.question(body, wiring.clock.now()))
        await ack()

    app.action(ids.ASK)(ask)
    app.action(ids.WHO)(who_else)
    app.view(ids.ASK_VIEW)(asked)

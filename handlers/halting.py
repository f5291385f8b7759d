"""Stop without typing: from the home tab, from the lightning menu, and from the menu of any message.

It goes straight to the desk, before the ack: what is acknowledged is in force.
"""

from slack_bolt.async_app import AsyncApp

from handlers import ids, views
from handlers.payloads import halting
from handlers.payloads.models import Click, Shortcut
from handlers.wiring import Ack, Body, Wiring


def register(app: AsyncApp, wiring: Wiring) -> None:
    """Listen to the list on the home tab, to both shortcuts and to the form."""

    async def chosen(body: Body, ack: Ack) -> None:
        command, click = halting.quick(body, wiring.clock.now()), Click.model_validate(body)
        if command is None:
            await ack()
            view = views.stop_form(wiring.desk.scopes())
        else:
            said = await wiring.answerer.halt(command)
            await ack()
            await wiring.homes.publish(click.user.id)
            view = views.shown("Stop", said)
        await wiring.client.views_open(trigger_id=click.trigger_id, view=view)

    async def asked(body: Body, ack: Ack) -> None:
        await ack()
        shortcut = Shortcut.model_validate(body)
        form = views.stop_form(wiring.desk.scopes())
        await wiring.client.views_open(trigger_id=shortcut.trigger_id, view=form)

    async def sent(body: Body, ack: Ack) -> None:
        said = await wiring.answerer.halt(halting.sent(body, wiring.clock.now()))
        await ack(response_action="update", view=views.shown("Stop", said))

    app.action(ids.STOP)(chosen)
    app.shortcut(ids.STOP_ALL)(asked)
    app.shortcut(ids.STOP_HERE)(asked)
    app.view(ids.STOP_VIEW)(sent)

"""Bind… and its form, and Unbind. What is wished is stored, acknowledged and weighed later."""

from slack_bolt.async_app import AsyncApp

from handlers import ids, views
from handlers.payloads import parse
from handlers.payloads.binding import binding, unbinding
from handlers.payloads.models import Click
from handlers.wiring import Ack, Body, Wiring


def register(app: AsyncApp, wiring: Wiring) -> None:
    """Listen to both buttons and to the form."""

    async def bind(body: Body, ack: Ack) -> None:
        await ack()
        click = Click.model_validate(body)
        sender, place = click.action.chosen, parse.place_of(click)
        found = await wiring.desk.sources(await wiring.directory.person(click.user.id))
        view = views.bind_form(found, sender, f"{sender}\n{place}")
        await wiring.client.views_open(trigger_id=click.trigger_id, view=view)

    async def bound(body: Body, ack: Ack) -> None:
        await wiring.desk.receive(binding(body, wiring.clock.now()))
        await ack()

    async def unbind(body: Body, ack: Ack) -> None:
        await wiring.desk.receive(unbinding(body, wiring.clock.now()))
        await ack()

    app.action(ids.BIND)(bind)
    app.view(ids.BIND_VIEW)(bound)
    app.action(ids.UNBIND)(unbind)

"""Approve all, Reject all, and a look at one of them: where one message lists many requests."""

from slack_bolt.async_app import AsyncApp

from handlers import ids, views
from handlers.payloads.models import Click
from handlers.payloads.parse import raw
from handlers.payloads.together import together
from handlers.wiring import Ack, Body, Wiring

CHANGED = "Nothing was decided: the list is not the one you saw any more. Look at it again."


def register(app: AsyncApp, wiring: Wiring) -> None:
    """Listen to both buttons and to the choice."""

    async def decide_all(body: Body, ack: Ack) -> None:
        one, count = together(body, wiring.clock.now())
        stored = await wiring.desk.decide_all(one, count, raw(body))
        await ack()
        if not stored and one.respond_to:
            await wiring.whispers.tell(one.respond_to, CHANGED)

    async def look_at(body: Body, ack: Ack) -> None:
        await ack()
        click = Click.model_validate(body)
        tag = ids.decode(click.action.chosen)
        found = await wiring.desk.look(tag.incident)
        state = found[0].requests.get(tag.request) if found else None
        view = (
            views.look(found[0], state)
            if found and state
            else views.shown("Not found", views.unknown(tag.request))
        )
        await wiring.client.views_open(trigger_id=click.trigger_id, view=view)

    for action_id in (ids.APPROVE_ALL, ids.REJECT_ALL):
        app.action(action_id)(decide_all)
    app.action(ids.LOOK_AT)(look_at)

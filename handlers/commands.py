"""`/dw …`: answered in the ack, from our own database."""

import asyncio

from slack_bolt.async_app import AsyncApp

from handlers import ids, views
from handlers.blocks import Message
from handlers.payloads import parse, wording
from handlers.payloads.models import CommandForm
from handlers.wiring import Ack, Body, Wiring

#: Slack gives three seconds; what is slower is said to be slow instead of dying in silence
PATIENCE = 2.5
#: words that change something
_ONCE = frozenset({"resume", "away", "back"})


def register(app: AsyncApp, wiring: Wiring) -> None:
    """Listen to the command."""

    async def command(body: Body, ack: Ack) -> None:
        form = CommandForm.model_validate(body)
        async with asyncio.timeout(PATIENCE):
            said = await _answer(wiring, body, form)
        await ack(text=said.text, blocks=list(said.blocks), response_type="ephemeral")

    app.command(ids.COMMAND)(command)


async def _answer(wiring: Wiring, body: Body, form: CommandForm) -> Message:
    """The same delivery again (its signature is good for five minutes) does not change anything twice.

    A stop is carried out however often it comes: once too often is safe, once too seldom is not.
    """
    words = wording.typed(form.text)
    if words.partition(" ")[0].lower() in _ONCE and form.trigger_id:
        item = parse.order(body, form, words, wiring.clock.now())
        if not await wiring.desk.receive(item):
            return views.once_only()
    return await wiring.answerer.say(words, form.user_id)

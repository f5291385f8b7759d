"""`/dw …`: answered in the ack, from our own database."""

import asyncio
from datetime import timedelta

from slack_bolt.async_app import AsyncApp

from handlers import ids, views
from handlers.blocks import Message
from handlers.payloads import parse, wording
from handlers.payloads.models import CommandForm
from handlers.wiring import Ack, Body, Wiring

#: Slack gives three seconds; what is slower is said to be slow instead of dying in silence
PATIENCE = 2.5
#: words that change something
_ONCE = frozenset({"stop", "resume", "away", "back"})
#: longer than Slack's signature is good for
_SIGNED_FOR = timedelta(minutes=10)


def register(app: AsyncApp, wiring: Wiring) -> None:
    """Listen to the command."""

    async def command(body: Body, ack: Ack) -> None:
        form = CommandForm.model_validate(body)
        async with asyncio.timeout(PATIENCE):
            said = await _answer(wiring, body, form)
        await ack(text=said.text, blocks=list(said.blocks), response_type="ephemeral")

    app.command(ids.COMMAND)(command)


async def _answer(wiring: Wiring, body: Body, form: CommandForm) -> Message:
    """The same delivery again (its signature is good for five minutes) does not change anything twice."""
    words = wording.typed(form.text)
    verb = words.partition(" ")[0].lower()
    if verb in _ONCE and form.trigger_id:
        item = parse.order(body, form, words, wiring.clock.now())
        if not await wiring.desk.receive(item):
            wiring.repeated()
            if await _is_over(wiring, verb):
                return views.once_only()
    return await wiring.answerer.say(words, form.user_id)


async def _is_over(wiring: Wiring, verb: str) -> bool:
    """False for a stop, unless people lifted one since: once too often is safe, once too seldom is not."""
    return verb != "stop" or await wiring.desk.lifted_since(wiring.clock.now() - _SIGNED_FOR)

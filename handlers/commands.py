"""`/dw …`: answered in the ack, from our own database."""

import asyncio

from slack_bolt.async_app import AsyncApp

from handlers import ids
from handlers.payloads import wording
from handlers.payloads.models import CommandForm
from handlers.wiring import Ack, Body, Wiring

#: Slack gives three seconds; what is slower is said to be slow instead of dying in silence
PATIENCE = 2.5


def register(app: AsyncApp, wiring: Wiring) -> None:
    """Listen to the command."""

    async def command(body: Body, ack: Ack) -> None:
        form = CommandForm.model_validate(body)
        async with asyncio.timeout(PATIENCE):
            said = await wiring.answerer.say(wording.typed(form.text), form.user_id)
        await ack(text=said.text, blocks=list(said.blocks), response_type="ephemeral")

    app.command(ids.COMMAND)(command)

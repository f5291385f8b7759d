"""What no listener wanted: acknowledged, so that Slack does not send it again, and answered honestly."""

import re

import structlog
from slack_bolt.async_app import AsyncApp

from handlers import ids, views
from handlers.payloads import parse
from handlers.wiring import Ack, Body, Wiring

_ANY = re.compile(".*")
_log = structlog.get_logger(__name__)


def register(app: AsyncApp, wiring: Wiring) -> None:
    """Must come last: these match everything."""

    async def old_button(body: Body, ack: Ack) -> None:
        await ack()
        back = parse.respond_to(body)
        if back:
            await wiring.whispers.tell(back, views.OLD_BUTTON)

    app.action(ids.LINK)(_acked)
    app.event(_ANY)(_event)
    app.action(_ANY)(old_button)
    app.command(_ANY)(_unknown_command)
    app.view_submission(_ANY)(_acked)
    app.view_closed(_ANY)(_acked)
    app.shortcut(_ANY)(_acked)
    app.options(_ANY)(_no_options)


async def _event(body: Body) -> None:
    _log.debug("event without a listener", type=body.get("event", {}).get("type"))


async def _unknown_command(ack: Ack) -> None:
    await ack(text=views.UNKNOWN_COMMAND)


async def _acked(ack: Ack) -> None:
    await ack()


async def _no_options(ack: Ack) -> None:
    await ack(options=[])

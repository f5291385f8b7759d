"""Takes a tap: stored, then acknowledged; one that can't be read is kept as it came, and its person is told."""

from collections.abc import Mapping

import structlog

from bot.commands import Keep, Received
from handlers import refusals, views
from handlers.payloads import parse
from handlers.wiring import Ack, Body, Wiring

_log = structlog.get_logger(__name__)


async def take(wiring: Wiring, item: Received, body: Body, ack: Ack) -> None:
    """Store what was tapped before its ack."""
    if not await wiring.desk.receive(item):
        wiring.repeated()
    await ack()
    back = parse.respond_to(body)
    if isinstance(item.command, Keep) and back:
        await wiring.whispers.tell(back, views.UNREADABLE)
        return
    await _put_away(wiring, body)


async def _put_away(wiring: Wiring, body: Body) -> None:
    """A form whose button was tapped does not follow what comes of it: its buttons go. Best effort."""
    view = body.get("view")
    if not isinstance(view, Mapping) or view.get("type") != "modal":
        return
    try:
        await wiring.client.views_update(view_id=view["id"], view=views.stored())
    except refusals.TROUBLE as error:
        _log.info("form not put away", error=refusals.code(error))

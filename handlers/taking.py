"""Takes a tap: stored, then acknowledged; one that can't be read is kept as it came, and its person is told."""

from bot.commands import Keep, Received
from handlers import views
from handlers.payloads import parse
from handlers.wiring import Ack, Body, Wiring


async def take(wiring: Wiring, item: Received, body: Body, ack: Ack) -> None:
    """Store what was tapped before its ack."""
    await wiring.desk.receive(item)
    await ack()
    back = parse.respond_to(body)
    if isinstance(item.command, Keep) and back:
        await wiring.whispers.tell(back, views.UNREADABLE)

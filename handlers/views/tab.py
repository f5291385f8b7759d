"""The home tab: what waits for me first, then what is open, then what was closed."""

from collections.abc import Iterator, Sequence

from bot.ports import IncidentLine, Stop
from handlers import ids
from handlers.blocks import Block, View, actions, button, context, divider, header, home, section
from handlers.mrkdwn import code, line
from handlers.views import phrases
from handlers.views.answering import incident_line, receipt_line
from handlers.views.request import request_blocks
from policies.incident import Incident, RequestState
from policies.receipt import Receipt

Waiting = Sequence[tuple[Incident, RequestState]]
REQUESTS = 5
LINES = 15


def home_tab(
    waiting: Waiting,
    lines: Sequence[IncidentLine],
    receipts: Sequence[Receipt],
    stopped: Stop | None,
) -> View:
    """The tab of one person. `waiting` are the requests that this person may decide."""
    return home(_parts(waiting, lines, receipts, stopped))


def _parts(
    waiting: Waiting,
    lines: Sequence[IncidentLine],
    receipts: Sequence[Receipt],
    stopped: Stop | None,
) -> Iterator[Block | None]:
    yield phrases.stop_banner(stopped)
    yield header(f"Waiting for you: {len(waiting)}")
    if not waiting:
        yield section("Nothing waits for your yes or no.")
    for incident, state in waiting[:REQUESTS]:
        yield section(f"{code(incident.id)} {line(incident.title, 200)}")
        yield from request_blocks(incident, state)
        yield divider()
    if len(waiting) > REQUESTS:
        yield context(f"{len(waiting) - REQUESTS} more: `/dw approvals`")
    yield from _lists(lines, receipts)
    yield actions(button("Refresh", ids.REFRESH, "now"))


def _lists(lines: Sequence[IncidentLine], receipts: Sequence[Receipt]) -> Iterator[Block | None]:
    yield header(f"Open incidents: {len(lines)}")
    yield section("\n".join(map(incident_line, lines[:LINES])) or "None.")
    yield header("Last receipts")
    yield section("\n".join(map(receipt_line, receipts[:LINES])) or "None yet.")

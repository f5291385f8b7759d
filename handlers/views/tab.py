"""The home tab: what waits for me first, then what is open, then what was closed."""

from collections.abc import Iterator, Sequence

from bot.desk import Status
from bot.ports import IncidentLine
from handlers import ids
from handlers.blocks import (
    Block,
    View,
    actions,
    button,
    choice,
    context,
    divider,
    header,
    home,
    section,
)
from handlers.mrkdwn import code, line
from handlers.views import phrases
from handlers.views.answering import incident_line, receipt_line
from handlers.views.request import request_blocks
from handlers.views.trouble import held_list
from policies.incident import Incident, RequestState
from policies.receipt import Receipt

Waiting = Sequence[tuple[Incident, RequestState]]
REQUESTS = 5
LINES = 15
STOPS = 5


def home_tab(waiting: Waiting, status: Status, receipts: Sequence[Receipt]) -> View:
    """The tab of one person. `waiting` are the requests that this person may decide."""
    return home(_parts(waiting, status, receipts))


def _parts(waiting: Waiting, status: Status, receipts: Sequence[Receipt]) -> Iterator[Block | None]:
    yield from map(phrases.stop_banner, status.stops[:STOPS])
    yield section(held_list(status.held))
    yield header(f"Waiting for you: {len(waiting)}")
    if not waiting:
        yield section("Nothing waits for your yes or no.")
    for incident, state in waiting[:REQUESTS]:
        yield section(f"{code(incident.id)} {line(incident.title, 200)}")
        yield from request_blocks(incident, state)
        yield divider()
    if len(waiting) > REQUESTS:
        yield context(f"{len(waiting) - REQUESTS} more: `/dw approvals`")
    yield from _lists(status.open, receipts)
    reasons = [(f"Stop everything: {words}", key) for key, words in ids.STOP_REASONS.items()]
    stop = choice(ids.STOP, "Stop…", [*reasons, ("only a part, or in my own words…", ids.OTHER)])
    yield actions(button("Refresh", ids.REFRESH, "now"), stop)


def _lists(lines: Sequence[IncidentLine], receipts: Sequence[Receipt]) -> Iterator[Block | None]:
    yield header(f"Open incidents: {len(lines)}")
    yield section("\n".join(map(incident_line, lines[:LINES])) or "None.")
    yield header("Last receipts")
    yield section("\n".join(map(receipt_line, receipts[:LINES])) or "None yet.")

"""The home tab: what waits for me first, then what is open, then what was closed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
from handlers.views.notes import moved_on
from handlers.views.request import request_blocks
from handlers.views.trouble import held_list
from policies.incident import Incident, RequestState
from policies.receipt import Receipt

Waiting = Sequence[tuple[Incident, RequestState]]
REQUESTS = 5
LINES = 15
STOPS = 5


@dataclass(frozen=True, slots=True)
class Mine:
    """What `waiting` requests this person may decide; `passed` are those that moved on without them."""

    person: str
    waiting: Waiting
    passed: Waiting = ()


def home_tab(mine: Mine, status: Status, receipts: Sequence[Receipt]) -> View:
    """The tab of one person."""
    return home(_parts(mine, status, receipts))


def _parts(mine: Mine, status: Status, receipts: Sequence[Receipt]) -> Iterator[Block | None]:
    waiting = mine.waiting
    yield from map(phrases.stop_banner, status.stops[:STOPS])
    yield section(held_list(status.held))
    yield header(f"Waiting for you: {len(waiting)}")
    if not waiting:
        yield section("Nothing waits for your yes or no.")
    for incident, state in waiting[:REQUESTS]:
        yield section(f"{code(incident.id)} {line(incident.title, 200)}")
        yield section(moved_on(incident, state, mine.person))
        yield from request_blocks(incident, state)
        yield divider()
    if len(waiting) > REQUESTS:
        yield context(f"{len(waiting) - REQUESTS} more: `/dw approvals`")
    yield from _passed(mine)
    yield from _lists(status.open, receipts)
    reasons = [(f"Stop everything: {words}", key) for key, words in ids.STOP_REASONS.items()]
    stop = choice(ids.STOP, "Stop…", [*reasons, ("only a part, or in my own words…", ids.OTHER)])
    yield actions(button("Refresh", ids.REFRESH, "now"), stop)


def _passed(mine: Mine) -> Iterator[Block | None]:
    """Whoever slept through their turn reads here that it is somebody else's, and whose."""
    for incident, state in mine.passed[:REQUESTS]:
        said = moved_on(incident, state, mine.person)
        yield section(f"{code(incident.id)} {line(incident.title, 200)}\n{said}" if said else "")


def _lists(lines: Sequence[IncidentLine], receipts: Sequence[Receipt]) -> Iterator[Block | None]:
    yield header(f"Open incidents: {len(lines)}")
    yield section("\n".join(map(incident_line, lines[:LINES])) or "None.")
    yield header("Last receipts")
    yield section("\n".join(map(receipt_line, receipts[:LINES])) or "None yet.")

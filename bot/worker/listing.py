"""One message for many requests that ask somebody the same: what is shown where, and who is told."""

from dataclasses import replace

from bot.batches import dm, gather, host, listed
from bot.outbox import show
from bot.ports import Lane, NewDue, Showing
from bot.worker.context import Context
from policies.batch import Member
from policies.incident import RequestState

PERSONAL = ("dm:", "note:", "more:")
#: seconds: one line about further requests at most so often, and none before so many came together
_BUCKET = 300
_GATHERING = 20


async def settled(context: Context, showing: Showing) -> tuple[Showing | None, tuple[NewDue, ...]]:
    """The message as it is to be shown, None where another one lists it; and what else must be shown then."""
    person = showing.name.rpartition(":")[2]
    state = _request(showing)
    if state is None:
        return showing, ()
    members = await gather(context.store, showing.incident, state, person)
    lender = await host(context.store, members, person)
    if lender is None and showing.copy is None:
        return None, ()  # decided before it was ever shown here: there is nothing to ask any more
    if lender is None or lender[1].request.id == state.request.id:
        return replace(showing, together=listed(members, state)), ()
    wish = show(lender[0].id, dm(lender[1], person), context.now(), Lane.APPROVALS)
    if showing.copy is not None:
        return showing, (wish,)
    fresh = showing.name.startswith("dm:") and state.open
    return None, (wish, _more(context, lender, person)) if fresh else ()


def _more(context: Context, lender: Member, person: str) -> NewDue:
    """An update of the list notifies nobody, so a line says that there is more in it."""
    bucket = int(context.now().timestamp() // _BUCKET)
    name = f"more:{lender[1].request.id}:{bucket}:{person}"
    return show(lender[0].id, name, context.later(_GATHERING), Lane.APPROVALS)


def _request(showing: Showing) -> RequestState | None:
    kind, about, *_ = showing.name.split(":")
    if kind != "note":
        return showing.incident.requests.get(about)
    found = (entry.event for entry in showing.entries if str(entry.seq) == about)
    return showing.incident.requests.get(getattr(next(found, None), "request_id", ""))

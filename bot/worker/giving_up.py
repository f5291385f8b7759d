"""Work that fails again and again is stopped, and the incident it belongs to goes to a person, with the reason."""

from typing import Final

import structlog

from bot.commands import Decide
from bot.ports import (
    Due,
    NewDue,
    RetryAfter,
    StaleIncident,
    StoreUnavailable,
    Undeliverable,
    Unstorable,
)
from bot.worker.context import Context, DomainGone
from bot.worker.stepping import acted
from policies import events as e
from policies.standing import Refusal

log = structlog.get_logger("giving_up")

#: work that begins itself anew: without it nobody would see what was missed
STANDING: Final = frozenset({"poll", "catch_up"})
#: work without which its incident stands still, and what a person is told was tried
_DRIVING: Final = {
    "diagnose": "find the cause",
    "plan": "draft the plan",
    "ask": "ask the owner",
    "expire": "ask the next in the chain",
    "steps": "move the steps",
    "act": "start a step",
    "follow": "follow a run that was started",
    "watch": "look for the owner's run",
    "verify": "measure the numbers again",
}
#: tries of what won't pass by itself: a value that the database can't hold, a click that Slack lets nobody weigh
_FEW: Final = 5
_LOST = "it could not be weighed, and I have given up trying"


def enough(context: Context, due: Due, problem: Exception) -> bool:
    """True when this row has been tried often enough."""
    match problem:
        case DomainGone():
            return due.kind not in STANDING
        case Unstorable():
            return due.attempts >= _FEW and due.kind not in STANDING
        case RetryAfter(lasting=True):
            return due.attempts >= _FEW and due.kind == "intake"
        case RetryAfter() | StoreUnavailable() | Undeliverable():
            return False
        case _:
            return due.attempts >= context.pace.attempts and due.kind not in STANDING


def plain(problem: Exception) -> str:
    """What went wrong, in words that every database can hold."""
    return str(problem).replace("\0", "").encode("utf-8", "replace").decode("utf-8")


async def give_up(context: Context, due: Due, problem: Exception) -> None:
    """Hand over first, then stop retrying: a crash in between only tries once more."""
    try:
        await _hand_over(context, due, problem)
        await _own_up(context, due)
    except StaleIncident:
        return await context.store.again(due, context.later(0.05))
    except RuntimeError as worse:  # a journal that can't be read must not end the worker
        log.exception("not_handed_over", incident=due.incident_id, problem=str(worse))
    return await context.store.poison(due, plain(problem))


async def _own_up(context: Context, due: Due) -> None:
    """A tap that could not be weighed is lost: whoever tapped must know, and the incident says so."""
    item = await context.store.received(due.payload["inbox"]) if due.kind == "intake" else None
    if item is not None and isinstance(item.command, Decide):
        await _recorded(context, item.command)
    respond_to = getattr(item.command, "respond_to", None) if item else None
    if item is None or respond_to is None:
        return
    words = "Your tap could not be taken up and did not count. Nothing changed. Tap once more, or ask whoever runs me."
    about = {"respond_to": respond_to, "text": words}
    row = NewDue(kind="whisper", key=f"whisper:{item.key}", at=context.now(), payload=about)
    await context.store.add((row,))


async def _recorded(context: Context, tap: Decide) -> None:
    incident = await context.store.load(tap.incident_id)
    if incident is not None:
        refusal = Refusal(person=tap.person, why=_LOST, who_may=())
        event = e.DecisionRefused(request_id=tap.request_id, key=tap.key, refusal=refusal)
        await context.commit(incident, event)


async def _hand_over(context: Context, due: Due, problem: Exception) -> None:
    gone = isinstance(problem, DomainGone)
    if due.incident_id is None or (due.kind not in _DRIVING and not gone):
        return
    incident = await context.store.load(due.incident_id)
    if incident is None or incident.phase.closed:
        return
    why = plain(problem) if gone else _tried(due, problem)
    name, now = incident.id, context.now()
    receipt = NewDue(kind="receipt", key=f"receipt:{name}", at=now, incident_id=name)
    event = e.HandedOver(to=incident.alert.asset or incident.domain, why=why)
    await context.commit(incident, event, due=(receipt,) if acted(incident) else ())
    log.error("handed_over", incident=name, why=why)


def _tried(due: Due, problem: Exception) -> str:
    what = _DRIVING[due.kind]
    return (
        f"I tried {due.attempts} times to {what} and gave up: {plain(problem)}. Look there yourself"
    )

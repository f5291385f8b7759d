"""A seat changes hands: whoever is chosen sits in it from now on, and the time to decide goes on."""

from dataclasses import replace
from datetime import datetime

from policies.approval import ApprovalRequest, Hop
from policies.deadline import deadline, read_next
from policies.events.asking import HandedOn
from policies.incident import RequestState
from policies.lineage import BlastRadius
from policies.people import Person, Seat
from policies.rules import Domain
from policies.standing import ban


def hand_on(request: ApprovalRequest, by: str, to: str, half: datetime) -> HandedOn:
    """The fact. At least half of the turn's time is left to whoever takes over, up to `half`."""
    return HandedOn(request_id=request.id, by=by, to=to, deadline=max(request.deadline, half))


def half_of_it(
    request: ApprovalRequest,
    to: Person,
    domain: Domain,
    radius: BlastRadius | None,
    now: datetime,
) -> datetime:
    """When half of a turn that begins now is over: in their working hours, and before it is read."""
    read, seconds = read_next(radius, now), request.turn.seconds / 2
    return deadline(now, seconds, (to.tz,), domain.hours, read, domain.margin).at


def handed_on(request: ApprovalRequest, event: HandedOn) -> ApprovalRequest:
    """The request after it: a seat of its own in the chain, and the turn with it."""
    chain, at = request.rule.chain, request.hop
    seat = Seat(kind="person", ref=event.to, because=f"handed over by <@{event.by}>")
    turn = Hop(seat=seat, seconds=chain[at].seconds)
    left = (*chain[:at], replace(chain[at], handed_on=True), turn, *chain[at + 1 :])
    rule = replace(request.rule, chain=left)
    return replace(request, rule=rule, hop=at + 1, deadline=event.deadline, until=None)


def cannot_take(state: RequestState, by: str, to: Person | None) -> str | None:
    """Why this person can't take the seat over, or None. Nobody gets back what they handed on."""
    if to is None:
        return "Slack does not know this person"
    if to.id == by:
        return "it is with you already"
    chain = state.request.rule.chain
    if any(person == to.id and chain[hop].handed_on for person, hop in state.asked):
        return f"<@{to.id}> handed it on already"
    why = ban(state.request.rule, to)
    return f"<@{to.id}> may not decide it: {why}" if why else None

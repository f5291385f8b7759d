"""Whom to ask, until when, and who is next when nobody answers. A timer only ever leads to a no."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from policies.approval import ApprovalRequest, ApprovalRule, Hop
from policies.bans import bans, quorum, untold
from policies.deadline import Deadline, deadline, read_next
from policies.difference import Difference, differences
from policies.events import Escalated
from policies.incident import Incident
from policies.lineage import BlastRadius
from policies.plan import Plan, Step, digest
from policies.rules import Domain, Rules
from policies.seats import seat_of


def chain(owner: str, because_owner: str, domain: Domain) -> tuple[Hop, ...]:
    """The chain of the domain with this owner in the place of `owner`; each seat once."""
    hops: dict[str, Hop] = {}
    for link in domain.chain:
        if link.who == "owner":
            who, because = owner, because_owner
        else:
            who, because = link.who, f"next in the chain: {link.who}"
        seconds = int(link.within.total_seconds())
        hops.setdefault(who, Hop(seat=seat_of(who, because), seconds=seconds))
    return tuple(hops.values())


def requests(
    incident: Incident,
    plan: Plan,
    domain: Domain,
    now: datetime,
    withheld: Mapping[str, str | None] | None = None,
) -> tuple[ApprovalRequest, ...]:
    """One request per owner, carrying that owner's steps; a follow-up needs no yes of ours.

    `withheld` names steps whose level is above L2: why they are asked for all the same, or None for one
    that may go on alone, which has a request of its own.
    """
    asked: list[ApprovalRequest] = []
    above = withheld or {}
    for steps in _parts(incident, plan, above):
        number = len(incident.requests) + len(asked) + 1
        request = _request(f"{incident.id}-R{number}", steps, plan, incident, domain, now)
        reasons = dict.fromkeys(why for s in steps if (why := above.get(s.id)))
        asked.append(replace(request, asked_because="; ".join(reasons)))
    return tuple(asked)


def rule_for(steps: Sequence[Step], plan: Plan, incident: Incident, domain: Domain) -> ApprovalRule:
    """Who may decide these steps of one owner, how many must, and what a yes needs."""
    hops = chain(steps[0].owner, steps[0].owner_because, domain)
    return ApprovalRule(
        chain=_timed(hops, steps, domain),
        quorum=quorum(incident, domain.bans, domain.quorum),
        late_counts=domain.late_counts,
        banned=bans(incident, plan, domain.bans),
        untold=untold(incident, plan, domain.bans),
        allowed=domain.bans.allowed(),
        reason_needed=domain.reason_needed or any(step.reason_needed for step in steps),
        step_up=domain.step_up and any(step.dangerous for step in steps),
    )


def _timed(hops: tuple[Hop, ...], steps: Sequence[Step], domain: Domain) -> tuple[Hop, ...]:
    """Each hop for as long as dw.yml gives changes of these classes; of several the shortest."""
    named = [domain.deadlines[s.change_class] for s in steps if s.change_class in domain.deadlines]
    if not named:
        return hops
    seconds = int(min(named).total_seconds())
    return tuple(replace(hop, seconds=seconds) for hop in hops)


def turn(
    request: ApprovalRequest,
    domain: Domain,
    zones: Sequence[str],
    radius: BlastRadius | None,
    now: datetime,
) -> Deadline | None:
    """How long whoever is asked now has; None where their turn goes on from somebody who handed it over."""
    if request.hop and request.rule.chain[request.hop - 1].handed_on:
        return None
    read = read_next(radius, now)
    return deadline(now, request.turn.seconds, zones, domain.hours, read, domain.margin)


def rule_of_asset(rules: Rules, name: str) -> ApprovalRule | None:
    """Who would be asked about an asset or a job, as dw.yml has it; None when nobody is named for it."""
    key = rules.domain_of(name)
    domain = rules.domains.get(key or "")
    if domain is None:
        return None
    owner = domain.owner_of(name)
    because = f"owner of {name}, from dw.yml"
    hops = chain(owner or "", because, domain)
    return ApprovalRule(
        chain=tuple(hop for hop in hops if hop.seat.ref),
        quorum=domain.quorum,
        late_counts=domain.late_counts,
        allowed=domain.bans.allowed(),
        reason_needed=domain.reason_needed,
    )


def reminder_at(request: ApprovalRequest, since: datetime | None = None) -> datetime:
    """Half of the time that this hop has, or that is left of it `since` then."""
    if request.until is not None and since is None:
        return request.until.remind_at
    half = request.turn.seconds / 2
    if since is not None:
        half = (request.deadline - since).total_seconds() / 2
    return request.deadline - timedelta(seconds=half)


def next_hop(request: ApprovalRequest, now: datetime) -> Escalated | None:
    """The next in the chain and their deadline, or None: that was the last, and it is a no."""
    hop = request.hop + 1
    if hop >= len(request.rule.chain):
        return None
    link = request.rule.chain[hop]
    deadline = now + timedelta(seconds=link.seconds)
    return Escalated(request_id=request.id, hop=hop, to=link.seat, deadline=deadline)


def _parts(
    incident: Incident, plan: Plan, above: Mapping[str, str | None]
) -> Iterator[tuple[Step, ...]]:
    for owner in plan.owners():
        steps = [s for s in plan.of(owner) if not s.follow_up and askable(incident, s)]
        together = tuple(s for s in steps if above.get(s.id, "") is not None)
        if together:
            yield together
        yield from ((step,) for step in steps if step not in together)


def askable(incident: Incident, step: Step) -> bool:
    """True while nobody decided about it, or what they decided about is void."""
    return step.id not in incident.steps or incident.steps[step.id].phase in ("proposed", "void")


def _request(
    request_id: str,
    steps: tuple[Step, ...],
    plan: Plan,
    incident: Incident,
    domain: Domain,
    now: datetime,
) -> ApprovalRequest:
    rule = rule_for(steps, plan, incident, domain)
    return ApprovalRequest(
        id=request_id,
        owner=steps[0].owner,
        step_ids=tuple(step.id for step in steps),
        digest=digest(steps, plan.reach),
        reach=plan.reach,
        plan_version=plan.version,
        rule=rule,
        asked_at=now,
        deadline=now + timedelta(seconds=rule.chain[0].seconds),
        level=incident.level,
        changed=_since_void(incident, steps, plan),
    )


def _since_void(incident: Incident, steps: tuple[Step, ...], plan: Plan) -> tuple[Difference, ...]:
    """What is different from the request for these steps that is void."""
    asked = [state for step in steps if (state := incident.request_of(step.id))]
    void = next((state for state in reversed(asked) if state.outcome == "void"), None)
    if void is None:
        return ()
    ids = {*void.request.step_ids, *(step.id for step in steps)}
    now = tuple(step for step in plan.steps if step.id in ids)
    return differences(void.shown, now, (void.request.reach, plan.reach))

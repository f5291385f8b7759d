"""Which requests wait for the same person with the same question, and in whose message they are listed.

There is no such thing as a stored batch: the requests stay what they are, each in its own incident. One of
them lends its direct message to all.
"""

from dataclasses import replace
from datetime import datetime

from bot.commands import Decide, Received
from bot.outbox import intake_due
from bot.ports import Store
from policies.batch import Member, digest_of, group_of, kind_of, waiting, waits_for
from policies.incident import Incident, RequestState

LOOK_BACK = 200
#: so many fit into one message; more get a list of their own once these are decided
MOST = 40


async def gather(
    store: Store, incident: Incident, state: RequestState, person: str
) -> tuple[Member, ...]:
    """All requests in open incidents that ask this person the same, decided or not, oldest first.

    Not what is void: whoever is asked again is asked in a message of its own, which notifies.
    """
    kind = kind_of(incident, state)
    found: list[Member] = []
    for line in await store.incidents(open_only=True, limit=LOOK_BACK):
        other = incident if line.id == incident.id else await _load(store, line.id, incident)
        if other is None or other.phase.closed:
            continue
        found += [
            (other, theirs)
            for theirs in other.requests.values()
            if _counts(theirs, person) and kind_of(other, theirs) == kind
        ]
    return tuple(sorted(found, key=_oldest_first))


async def waiting_together(
    store: Store, own: Member, group: str, person: str
) -> tuple[Member, ...]:
    """The requests of one group, as `group_of` names it, that wait for this person now; `own` is one of them.

    Looked for by the group's name, because `own` may be over meanwhile.
    """
    found = [own] if waits_for(own[1], person) and not own[0].phase.closed else []
    for line in await store.incidents(open_only=True, limit=LOOK_BACK):
        other = await _load(store, line.id, own[0]) if line.id != own[0].id else own[0]
        if other is None or other.phase.closed:
            continue
        found += [
            (other, state)
            for state in other.requests.values()
            if state.request.id != own[1].request.id
            and waits_for(state, person)
            and group_of(other, state) == group
        ]
    return tuple(sorted(found, key=_oldest_first))


def _oldest_first(one: Member) -> tuple[datetime, int, str]:
    """Asked first; of those asked at once by number, so that DW-2 stands before DW-10."""
    name = one[1].request.id
    return one[1].request.asked_at, len(name), name


def _counts(state: RequestState, person: str) -> bool:
    return state.outcome != "void" and person in dict(state.asked)


async def host(store: Store, members: tuple[Member, ...], person: str) -> Member | None:
    """The request whose message lists them: the oldest that has one, else the oldest that waits."""
    for incident, state in members:
        if dm(state, person) in await store.copies(incident.id):
            return incident, state
    return next(iter(waiting(members)), None)


def listed(members: tuple[Member, ...], lender: RequestState) -> tuple[Member, ...]:
    """What one message lists: those that wait, and how the others ended; nothing where it is one alone."""
    open_ = waiting(members)
    alone = {state.request.id for _, state in open_} == {lender.request.id}
    if alone or len(members) == 1:
        return ()
    more = {state.request.id for _, state in open_[MOST:]}
    return tuple(one for one in members if one[1].request.id not in more)


def dm(state: RequestState, person: str) -> str:
    """The name of the copy that a direct message is."""
    return f"dm:{state.request.id}:{person}"


async def _load(store: Store, incident_id: str, like: Incident) -> Incident | None:
    found = await store.load(incident_id)
    return found if found is not None and found.domain == like.domain else None


async def decide_all(store: Store, one: Decide, count: int, raw: str) -> bool:
    """Somebody answered a list of so many at once: their decision on each, in one transaction.

    `one` names the request that lends its message, and by its digest what was listed. False, and nothing
    stored, when that is not what waits now. The same tap again is a no-op.
    """
    incident = await store.load(one.incident_id)
    state = incident.requests.get(one.request_id) if incident else None
    if incident is None or state is None:
        return False
    members = await gather(store, incident, state, one.person)
    for _, member in members:
        if await store.received(f"{one.key}:{member.request.id}") is not None:
            return True
    shown = waiting(members)[:count]
    if not shown or digest_of(shown) != one.digest:
        return False
    items = [_item(one, member, raw if n == 0 else "{}") for n, member in enumerate(shown)]
    await store.receive_all([(item, intake_due(item)) for item in items])
    return True


def _item(one: Decide, member: Member, raw: str) -> Received:
    incident, state = member
    key = f"{one.key}:{state.request.id}"
    command = replace(
        one,
        key=key,
        incident_id=incident.id,
        request_id=state.request.id,
        digest=state.request.digest,
        together=True,
    )
    return Received(key=key, command=command, raw=raw, at=one.at)

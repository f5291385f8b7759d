"""What people are called who may have to be shown before they are asked: nobody should read addresses at night.

Looked up once, when a plan is drafted, and kept with it. Who can't be found keeps the name that dw.yml has.
"""

from collections.abc import Iterator

import structlog

from bot.ports import RetryAfter
from bot.worker.context import Context
from policies.incident import Incident
from policies.lineage import BlastRadius
from policies.plan import Plan
from policies.rules import Domain
from policies.seats import seat_of

log = structlog.get_logger("naming")
MOST = 20
"""So many are looked up for one plan; a reach of a thousand assets must not use up Slack's patience."""


async def names(
    context: Context, incident: Incident, plan: Plan, radius: BlastRadius | None
) -> tuple[tuple[str, str], ...]:
    """Each reference that has a name, with it: a person's name, or a group's handle."""
    known = dict(incident.named)
    refs = dict.fromkeys(_refs(context.domain(incident), plan, radius))
    found: list[tuple[str, str]] = []
    for ref in [ref for ref in refs if ref not in known][:MOST]:
        try:
            called = await _called(context, ref)
        except RetryAfter as later:
            log.info("not_named", why=str(later))
            break
        found += [(ref, called)] if called else []
    return tuple(found)


async def _called(context: Context, ref: str) -> str:
    seat = seat_of(ref, "named")
    if seat.kind not in ("person", "group"):
        return ""  # whoever is on call then is another one now
    return (await context.directory.seated(seat)).called


def _refs(domain: Domain, plan: Plan, radius: BlastRadius | None) -> Iterator[str]:
    yield from (link.who for link in domain.chain if link.who != "owner")
    yield from plan.owners()
    yield from (who for who in (plan.asked_by, plan.written_by) if who)
    yield from (hit.owner for hit in (radius.hits if radius else ()) if hit.owner)

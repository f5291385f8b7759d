"""Measures the numbers again and writes the receipt. A check that fails goes to a person, with numbers."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import structlog

from bot.outbox import shows
from bot.ports import Change, Due, NewDue
from bot.worker.context import Context
from bot.worker.levelling import lowered, told
from bot.worker.probing import measure
from connectors.errors import Transient
from policies import events as e
from policies.checks import CheckResult
from policies.events import Entry
from policies.incident import Incident, Phase
from policies.lifecycle import advance
from policies.receipt import Receipt, body, seal

log = structlog.get_logger("closing")


async def verify(context: Context, due: Due) -> None:
    """Run every check of the plan again. All pass: receipt. One does not: a person takes it from here."""
    incident = await context.incident(due)
    if incident.phase is not Phase.VERIFYING or incident.plan is None:
        return await context.store.finish(due)
    first = len(incident.evidence) + 1
    results, evidence, passing = await measure(context, incident.plan.checks, first, "after")
    if passing and due.attempts < context.pace.attempts:
        raise Transient(passing[0])
    facts: list[e.Event] = [e.EvidenceFound(evidence=piece) for piece in evidence]
    facts.append(e.ChecksRun(results=results))
    why = _not_proved(results)
    if why:
        facts.append(e.HandedOver(to=incident.domain, why=why))
    await _close(context, due, incident, facts)
    log.info("verified", passed=why is None, checks=len(results))
    return None


async def receipt(context: Context, due: Due) -> None:
    """What was handed over after something was changed leaves a receipt too, and so does what joined another."""
    incident = await context.incident(due)
    wanted = incident.phase is Phase.HANDED_OVER or incident.joined is not None
    if incident.receipt is not None or not wanted:
        return await context.store.finish(due)
    return await _close(context, due, incident, [])


async def anchor(context: Context, due: Due) -> None:
    """Write the head of the chain outside the database, so that a cut-off chain is found."""
    number, head = await context.store.head()
    if context.anchor is not None and number:
        await context.anchor.write(number, head)
    await context.store.finish(due)


async def _close(context: Context, due: Due, incident: Incident, facts: list[e.Event]) -> None:
    """Facts, receipt and end in one transaction. Another receipt in between: `StaleIncident`, again."""
    now = context.now()
    number, previous = await context.store.head()
    ahead = _ahead(incident, facts, now)
    lower, said = await lowered(context, ahead, number + 1)
    ahead, facts = _ahead(ahead, said, now), [*facts, *said]
    new = [Entry(seq=n, at=now, event=f) for n, f in enumerate(facts, incident.version + 1)]
    entries = [*await context.store.entries(incident.id), *new]
    written = seal(number + 1, incident.id, previous, body(ahead, entries))
    facts = [*facts, e.ReceiptIssued(number=written.number, hash=written.hash)]
    if ahead.phase is Phase.VERIFYING:
        facts.append(e.IncidentResolved(receipt=written.number))
    change = _change(context, due, incident, facts, written)
    was = [fact.was for fact in said if isinstance(fact, e.LevelLowered)]
    tell = [told(context, entry, before) for entry, before in zip(lower, was, strict=True)]
    await context.store.commit(replace(change, levels=tuple(lower), due=(*change.due, *tell)))


def _ahead(incident: Incident, facts: Sequence[e.Event], now: datetime) -> Incident:
    for fact in facts:
        incident = advance(incident, fact, now)
    return incident


def _change(
    context: Context, due: Due, incident: Incident, facts: list[e.Event], written: Receipt
) -> Change:
    now = context.now()
    outside = NewDue(kind="anchor", key="anchor", at=now, payload={})
    return Change(
        incident_id=incident.id,
        base=incident.version,
        at=now,
        events=tuple(facts),
        due=(*shows(incident, facts, now), outside),
        receipt=written,
        done=due,
    )


def _not_proved(results: Sequence[CheckResult]) -> str | None:
    """Why this is not proved right, or None. Nothing measured is nothing proved."""
    if not results:
        return "every step is done, but no check is configured that could prove the numbers right"
    short = [result for result in results if result.passed is not True]
    if not short:
        return None
    return "the numbers are not right yet: " + "; ".join(_says(result) for result in short)


def _says(result: CheckResult) -> str:
    return f"{result.check}: {result.measured}, expected {result.expected}"

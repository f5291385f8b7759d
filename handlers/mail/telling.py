"""A request in plain words, for an email and for a page: the same facts that its Slack message shows."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from handlers.views.by_hand import place, target
from handlers.views.phrases import OUTCOME, name_of
from policies.approval import Decision
from policies.difference import Difference
from policies.incident import Incident, RequestState
from policies.people import Person, Seat
from policies.plan import Step

_FINDINGS: Final = 3
_ZONE: Final = "UTC"


@dataclass(frozen=True, kw_only=True, slots=True)
class ToldStep:
    """One step: what is done by whom, with which facts, and the drafts that belong to it."""

    title: str
    doer: str
    facts: tuple[tuple[str, str], ...]
    drafts: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """All that somebody decides on. Texts are as they came: whoever shows them escapes them."""

    incident: str
    request: str
    title: str
    until: str
    moved: str
    needs: str
    cause: str
    findings: tuple[str, ...]
    changed: tuple[str, ...]
    steps: tuple[ToldStep, ...]
    reach: tuple[str, ...]
    first_read: str
    asked: str
    then: str
    shows: str
    ended: tuple[str, ...]


def told(incident: Incident, state: RequestState, person: Person | None) -> Told:
    """The request as it stands, with times in the person's own zone where it is known."""
    asked, best = state.request, incident.diagnosis.cause if incident.diagnosis else None
    due = incident.radius.next_due if incident.radius else None
    return Told(
        incident=incident.id,
        request=asked.id,
        title=" ".join(incident.title.split()),
        until=moment(asked.deadline, person),
        moved=_moved(state, person),
        needs=_needs(state),
        cause=f"{best.says} ({best.confidence:.0%} sure)" if best else "not found",
        findings=tuple(finding.says for finding in best.for_[:_FINDINGS]) if best else (),
        changed=tuple(_difference(one) for one in asked.changed),
        steps=tuple(_step(incident, step) for step in _steps(incident, state)),
        reach=asked.reach,
        first_read=f"{due} UTC" if due else "",
        asked=f"{name_of(incident, asked.turn.seat.ref)} ({_because(asked.turn.seat)})",
        then=_then(incident, state),
        shows=asked.digest[:19],
        ended=ended(state, person),
    )


def there(at: datetime, person: Person | None) -> tuple[datetime, str]:
    """The moment by their own clock, and its zone; empty where that is UTC, or nobody knows."""
    zone = person.tz if person else _ZONE
    try:
        here = at.astimezone(ZoneInfo(zone))
    except (ZoneInfoNotFoundError, ValueError):
        return at, ""
    return (at, "") if here.utcoffset() == at.utcoffset() else (here, zone)


def moment(at: datetime, person: Person | None) -> str:
    """`Tue 29 Sep 02:46 in Europe/Berlin (00:46 UTC)`: theirs first, nobody counts hours at night."""
    here, zone = there(at, person)
    text = f"{here:%a %d %b %H:%M}"
    return f"{text} in {zone} ({at:%H:%M} UTC)" if zone else f"{text} UTC"


def decided(decision: Decision, person: Person | None) -> str:
    """Who said what, when, where from and why."""
    verb = "Approved" if decision.choice == "yes" else "Rejected"
    reason = f": {decision.reason}" if decision.reason else ""
    place = f", by {decision.where}" if decision.where == "email" else ""
    return f"{verb} by {decision.name or decision.person}, {moment(decision.at, person)}{place}{reason}"


def _steps(incident: Incident, state: RequestState) -> Sequence[Step]:
    if state.shown:
        return state.shown
    steps = incident.plan.steps if incident.plan else ()
    return [step for step in steps if step.id in state.request.step_ids]


def _step(incident: Incident, step: Step) -> ToldStep:
    by_hand = f"{name_of(incident, step.owner)} does this by hand"
    doer = "The bot does this once, after your yes" if step.doer == "bot" else by_hand
    facts = [("on", f"{step.connection}: {step.action}")]
    facts += [(key, _plain(value)) for key, value in step.params.items()]
    facts += [("code version", step.code_version)] if step.code_version else []
    facts += [("only after", ", ".join(step.after))] if step.after else []
    facts += [("only if", check.says) for check in step.gate]
    facts += [("opens", target(step.link))] if place(step) and step.link else []
    facts += [("then", step.press)] if step.press else []
    facts += [("why", step.why)] if step.why else []
    facts += [("undo", step.undo), ("risk", step.risk)]
    facts += [("dangerous", "says dw.yml")] if step.dangerous else []
    drafts = tuple(draft for draft in (step.diff, step.command) if draft)
    return ToldStep(title=step.title, doer=doer, facts=tuple(facts), drafts=drafts)


def _difference(one: Difference) -> str:
    step = f"{one.step}: " if one.step else ""
    if one.was and one.now:
        return f"{step}{one.what}: {one.was} → {one.now}"
    return f"{step}{one.what} {one.was or one.now}".rstrip()


def _plain(value: object) -> str:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _needs(state: RequestState) -> str:
    rule = state.request.rule
    missing = rule.quorum - len({d.person for d in state.decisions})
    more = [rule.reason_needed and "a reason", rule.step_up and "a second proof that it is you"]
    parts = [f"with {' and '.join(part for part in more if part)}"] if any(more) else []
    parts += [f"{missing} people's yes more is needed"] if rule.quorum > 1 else []
    return ", ".join(parts)


def _moved(state: RequestState, person: Person | None) -> str:
    """For somebody whose turn is over while their answer still counts; nothing for anybody else."""
    hop = dict(state.asked).get(person.id) if person else None
    if not state.open or hop is None or hop >= state.request.hop:
        return ""
    return (
        "It has moved on to the next in the chain, because nobody decided in time. "
        "Your yes or no still counts until somebody decides."
    )


def _because(seat: Seat) -> str:
    """Why theirs; who that is stands before it already."""
    if seat.because.startswith("handed over by"):
        return "handed over to them"
    return seat.because.removesuffix(f": {seat.ref}")


def _then(incident: Incident, state: RequestState) -> str:
    coming = [
        name_of(incident, hop.seat.ref) for hop in state.request.rule.chain[state.request.hop + 1 :]
    ]
    if not coming:
        return "After that nobody is left to ask: it counts as a no."
    return f"Then: {', then '.join(coming)}. Silence never counts as a yes."


def ended(state: RequestState, person: Person | None) -> tuple[str, ...]:
    """How it ended and what that means; nothing while it is open."""
    if state.open:
        return ()
    if state.outcome in ("approved", "refused") and state.decisions:
        lines = [decided(decision, person) for decision in state.decisions]
    else:
        why = f": {state.why}" if state.why else ""
        lines = [f"{OUTCOME.get(state.outcome or '', 'Closed')}{why}"]
    after = {
        "void": "It can't be decided any more: look for the newer request.",
        "expired": "Nothing of this ran.",
        "refused": "Nothing of this runs.",
        "approved": "What was approved runs; Slack shows how it goes.",
    }
    return (*lines, after.get(state.outcome or "", "Nothing more can be decided here."))

"""The closing record, readable in twenty seconds; its JSON for whoever wants to check it alone."""

import json
from collections import Counter
from collections.abc import Iterator

from handlers import ids
from handlers.blocks import (
    Block,
    Message,
    View,
    actions,
    button,
    context,
    message,
    modal,
    section,
)
from handlers.mrkdwn import code, cut, escape, line, plural
from handlers.views import phrases
from handlers.views.matched import kin
from policies.checks import CheckResult
from policies.events import ReceiptIssued
from policies.incident import Incident, StepPhase
from policies.plan import Step
from policies.receipt import Receipt

STEPS = 8
CHUNK = 2600
CHUNKS = 40


def receipt(incident: Incident, issued: ReceiptIssued) -> Message:
    """The receipt of an incident, as it is posted in its thread."""
    text = f"{incident.id}: receipt {issued.number}: {line(incident.title, 200)}"
    return message(text, _parts(incident, issued))


def _parts(incident: Incident, issued: ReceiptIssued) -> Iterator[Block | None]:
    yield section(f"*Receipt {issued.number}* · {code(incident.id)}\n{line(incident.title, 250)}")
    yield section(_kin(incident))
    yield section(_cause(incident))
    yield section(_repair(incident))
    yield section(_yes(incident))
    yield section(_numbers(incident))
    yield section(_reach(incident))
    yield section(_undo(incident))
    yield actions(button("JSON", ids.RECEIPT_JSON, str(issued.number)))
    yield context(f"{code(issued.hash, 80)} · check it alone: `dw receipts verify`")


def _kin(incident: Incident) -> str:
    """Where the cause moved, and which troubles are one now."""
    lines = []
    if incident.root:
        was, now = line(incident.alerts[0].title, 150), line(incident.alert.title, 150)
        lines.append(f"*The cause moved* from {was} to {now}")
    if incident.joined:
        lines.append(
            f"*Joined {code(incident.joined)}*: {line(incident.closed_because or '', 300)}"
        )
    return "\n".join([*lines, *kin(incident)])


def _cause(incident: Incident) -> str:
    best = incident.diagnosis.cause if incident.diagnosis else None
    return f"*Cause* {line(best.says, 400)}" if best else "*Cause* not found"


def _repair(incident: Incident) -> str:
    lines = [
        phrases.step_line(number, step, incident.steps.get(step.id))
        for number, step in enumerate(_steps(incident), start=1)
    ]
    shown = "\n".join(lines[:STEPS]) + phrases.more(min(len(lines), STEPS), len(lines))
    return f"*Repair*\n{shown}" if lines else "*Repair* nothing was changed by a plan"


def _yes(incident: Incident) -> str:
    decisions = [d for state in incident.requests.values() for d in state.decisions]
    lines = [
        f"• {phrases.decided(d)} ({phrases.right(d.grant.because)})" for d in decisions[:STEPS]
    ]
    return "*Decisions*\n" + "\n".join(lines) if lines else "*Decisions* none were needed"


def _numbers(incident: Incident) -> str:
    before = {r.check: r for r in incident.checks if r.moment == "before"}
    after = {r.check: r for r in incident.checks if r.moment == "after"}
    if not after:
        return "*Checks* none were run after the repair"
    lines = [_number(result, before.get(name)) for name, result in after.items()]
    return f"*Checks* ({plural(len(after), 'promise')})\n" + "\n".join(lines[:STEPS])


def _number(after: CheckResult, before: CheckResult | None) -> str:
    was = f" · before: {line(before.measured, 100)}" if before else ""
    return phrases.check_line(after) + was


def _reach(incident: Incident) -> str:
    """One line; the whole list stands on the card and in the JSON."""
    radius = incident.radius
    if radius is None or not radius.hits:
        return "*Reached* nothing downstream"
    counted = Counter(hit.reach.value for hit in radius.hits)
    words = ", ".join(f"{number} {name}" for name, number in counted.items())
    first = f" · first read {line(radius.next_due, 10)} UTC" if radius.next_due else ""
    return f"*Reached* {plural(len(radius.hits), 'asset')}: {words}{first}"


def _undo(incident: Incident) -> str:
    """By the numbers of the repair above."""
    done = [
        (number, step)
        for number, step in enumerate(_steps(incident), start=1)
        if incident.steps[step.id].phase is StepPhase.DONE
    ]
    lines = [f"{number}. {line(step.undo, 300)}" for number, step in done[:STEPS]]
    return "*Undo*\n" + "\n".join(lines) if lines else ""


def _steps(incident: Incident) -> tuple[Step, ...]:
    return incident.plan.steps if incident.plan else ()


def receipt_json(found: Receipt) -> View:
    """All of a receipt as it was sealed, in a modal."""
    whole = {
        "number": found.number,
        "incident": found.incident_id,
        "previous": found.previous,
        "body": dict(found.body),
        "hash": found.hash,
    }
    text = json.dumps(whole, indent=2, sort_keys=True, ensure_ascii=False, default=str)
    pieces = [text[i : i + CHUNK] for i in range(0, len(text), CHUNK)]
    blocks = [_verbatim(piece) for piece in pieces[:CHUNKS]]
    if len(pieces) > CHUNKS:
        blocks.append(context("Too long for Slack: `dw receipts show` prints it whole."))
    return modal(ids.SHOWN_VIEW, f"Receipt {found.number}", blocks)


def _verbatim(piece: str) -> Block | None:
    """Foreign words as they are: a plain text block shows even backticks."""
    return {"type": "section", "text": {"type": "plain_text", "text": cut(escape(piece), 2990)}}

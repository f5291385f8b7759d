"""The one message of an incident that is kept up to date: what failed, why, what it reaches, who must act."""

from collections.abc import Iterable, Iterator

from bot.ports import Showing, Stop
from handlers.blocks import Block, Message, context, message, section
from handlers.mrkdwn import code, line, link, plural, when
from handlers.views import phrases
from handlers.views.matched import counted
from handlers.views.reach import reach
from policies.holding import held
from policies.incident import Incident, Phase
from policies.plan import Plan

FINDINGS = 4
STEPS = 8


def card(showing: Showing) -> Message:
    """The card of an incident as it stands."""
    incident = showing.incident
    text = f"{incident.id} · {phrases.phase(incident)}: {line(incident.title, 200)}"
    return message(text, _parts(showing, incident))


def _parts(showing: Showing, incident: Incident) -> Iterator[Block | None]:
    yield section(_headline(incident))
    if not incident.phase.closed:
        yield phrases.stop_banner(showing.stopped)
        yield section(_held(incident, showing.stopped))
    yield section(_ending(incident))
    yield section(counted(incident))
    yield section(cause(incident))
    yield section(reach(incident))
    yield from _plan(incident)
    yield section(phrases.observed(incident))
    yield section(_asked(incident))
    yield section(_checks(incident))
    yield context(_footer(incident))


def _held(incident: Incident, stopped: Stop | None) -> str:
    steps = held(incident, {stopped.scope}) if stopped else ()
    return "*Held by it* " + "; ".join(line(step.title, 160) for step in steps) if steps else ""


def _headline(incident: Incident) -> str:
    alert = incident.alert
    opened = when(incident.opened_at)
    run = f" · {link(alert.url, 'open it')}" if alert.url else ""
    count = len(incident.alerts)
    also = f" · {plural(count, 'alert')}" if count > 1 else ""
    return (
        f"{code(incident.id)} *{phrases.phase(incident)}*\n{line(incident.title, 250)}\n"
        f"{phrases.subject(alert)} · since {opened}{also}{run}"
    )


def cause(incident: Incident, findings: int = FINDINGS) -> str:
    """The best cause with what speaks for and against it, and what could not be read."""
    diagnosis = incident.diagnosis
    if diagnosis is None:
        return _not_yet(incident)
    lines = []
    if diagnosis.cause is None:
        lines.append("*Cause* not found: what was read fits nothing known.")
    else:
        best = diagnosis.cause
        lines.append(f"*Cause* {line(best.says, 400)} ({best.confidence:.0%} sure)")
        lines += [f"• {line(f.says, 250)}" for f in best.for_[:findings]]
        lines += [f"• against: {line(f.says, 250)}" for f in best.against[:findings]]
    lines += [f"• not known: {line(text, 250)}" for text in diagnosis.unknown[:findings]]
    return "\n".join(lines)


def _not_yet(incident: Incident) -> str:
    """Why the cause is not found yet, when a system does not answer."""
    problems = dict.fromkeys(piece.problem for piece in incident.evidence if piece.problem)
    lines = [f"• not answering: {line(problem, 250)}" for problem in list(problems)[:FINDINGS]]
    head = "*Cause* not known yet. I keep asking by myself."
    return "\n".join([head, *lines]) if lines else ""


def _plan(incident: Incident) -> Iterable[Block | None]:
    plan = incident.plan
    if plan is None:
        return
    numbers = {step.id: n for n, step in enumerate(plan.steps, start=1)}
    for owner in plan.owners()[:STEPS]:
        yield section(_part(incident, plan, owner, numbers))


def _part(incident: Incident, plan: Plan, owner: str, numbers: dict[str, int]) -> str:
    steps = plan.of(owner)
    lines = [f"*Plan, part of {phrases.called(incident, owner)}*"]
    lines += [
        phrases.step_line(numbers[step.id], step, incident.steps.get(step.id))
        for step in steps[:STEPS]
    ]
    return "\n".join(lines) + phrases.more(min(len(steps), STEPS), len(steps))


def _asked(incident: Incident) -> str:
    waiting = incident.open_requests()
    if incident.phase.closed or not waiting:
        return ""
    lines = [f"• {phrases.asked(incident, state)}" for state in waiting[:STEPS]]
    return "*Asked now*\n" + "\n".join(lines)


def _checks(incident: Incident) -> str:
    latest = {(r.check, r.moment): r for r in incident.checks if r.moment != "before"}
    after = [r for (_, moment), r in latest.items() if moment == "after"] or list(latest.values())
    return "*Checks*\n" + "\n".join(map(phrases.check_line, after[:STEPS])) if after else ""


def _ending(incident: Incident) -> str:
    because = line(incident.closed_because or "", 600)
    if incident.phase is Phase.RESOLVED:
        return f"*Resolved*: the numbers are right again. Receipt {incident.receipt} in the thread."
    if incident.phase is Phase.HANDED_OVER:
        return f"*A person takes it from here*: {because}\nNothing more happens by itself."
    if incident.joined is not None:
        return f"*Joined {code(incident.joined)}*: {because}\nIt goes on there; nothing more happens here."
    return f"*Closed, no trouble*: {because}" if incident.phase is Phase.DISMISSED else ""


def _footer(incident: Incident) -> str:
    level = f"level {line(incident.level, 10)}"
    return f"domain {code(incident.domain)} · {level} · changed {when(incident.updated_at)}"

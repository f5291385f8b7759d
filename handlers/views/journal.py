"""What is said in the thread when a fact is stored. Most facts are silent: the card shows them."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar

from bot.ports import Showing
from handlers.blocks import Message, message, section
from handlers.mrkdwn import code, line, plural, when, who
from handlers.views import phrases
from handlers.views.drafts import follow_ups
from handlers.views.matched import matched
from handlers.views.receipt import receipt
from policies import backfills
from policies import events as e
from policies.events import Entry
from policies.incident import Incident
from policies.plan import Step

E = TypeVar("E", bound=e.Event)
LESS = 10
Say = Callable[[Incident, Any], str | None]


def reply(showing: Showing, entry: Entry) -> Message | None:
    """One short reply for a fact, or None for silence."""
    if isinstance(entry.event, e.ReceiptIssued):
        return receipt(showing.incident, entry.event)
    if isinstance(entry.event, e.Planned):
        return follow_ups(showing, entry)
    if isinstance(entry.event, e.AlertMatched):
        return matched(showing, entry)
    said = SAYS[type(entry.event)](showing.incident, entry.event)
    return message(f"{showing.incident.id}: {said}", [section(said)]) if said else None


def _silent(_incident: Incident, _event: e.Event) -> None:
    return None


def _title(incident: Incident, step_id: str) -> str:
    step = _step(incident, step_id)
    return f"*{line(step.title, 160)}*" if step else code(step_id)


def _step(incident: Incident, step_id: str) -> Step | None:
    steps = incident.plan.steps if incident.plan else ()
    return next((step for step in steps if step.id == step_id), None)


def _diagnosed(_incident: Incident, event: e.Diagnosed) -> str:
    best = event.diagnosis.cause
    if best:
        return f"Cause: {line(best.says, 300)} ({best.confidence:.0%} sure). The evidence is on the card."
    missing = "; ".join(line(text, 200) for text in event.diagnosis.unknown[:3])
    return "No known cause fits." + (f" Could not be read: {missing}" if missing else "")


def _mail_refused(_incident: Incident, event: e.MailRefused) -> str:
    return (
        f"The email to {who(event.person)} about this could not be delivered: {line(event.why, 300)}\n"
        "They are asked here in Slack all the same."
    )


def _reminded(incident: Incident, event: e.Reminded) -> str:
    state = incident.requests[event.request_id]
    return f"Half of the time is gone. Still waiting for {phrases.asked(incident, state)}."


def _until(incident: Incident, request_id: str, deadline: datetime) -> str:
    """The deadline of a turn: as it came about once people were found, while that turn lasts."""
    request = incident.requests[request_id].request
    fresh = request.until is not None and request.deadline >= deadline
    return phrases.until(request) if fresh else when(deadline, date=False)


def _escalated(incident: Incident, event: e.Escalated) -> str:
    until = _until(incident, event.request_id, event.deadline)
    asked = phrases.called(incident, event.to.ref)
    return f"Nobody decided in time, which is not a yes. Now asked: {asked} until {until}. Nothing ran."


def _handed_on(_incident: Incident, event: e.HandedOn) -> str:
    until = when(event.deadline, date=False)
    return f"{who(event.by)} handed it over to {who(event.to)}, who is asked now until {until}. Nothing ran."


def _revoked(incident: Incident, event: e.DecisionRevoked) -> str:
    until = _until(incident, event.request_id, event.deadline)
    taken = [d for d in incident.requests[event.request_id].revoked if d.key == event.key]
    return "\n".join(
        [
            *map(phrases.taken_back, taken),
            f"Nothing of it ran; it waits for a decision again, until {until}.",
        ]
    )


def _ended(incident: Incident, event: e.ApprovalGranted | e.RequestRefused) -> str:
    runs = "Nothing of it runs." if isinstance(event, e.RequestRefused) else ""
    decisions = map(phrases.decided, incident.requests[event.request_id].decisions)
    return "\n".join([*decisions, runs]).strip()


def _expired(incident: Incident, event: e.RequestExpired) -> str:
    chain = incident.requests[event.request_id].request.rule.chain
    asked = [phrases.called(incident, hop.seat.ref) for hop in chain]
    return f"Nobody decided: {', '.join(asked)} did not answer. That is a no; nothing of it ran."


def _voided(incident: Incident, event: e.RequestVoided) -> str:
    what = phrases.differences(event.lines)
    then = "nothing of it ran" if incident.joined else "it is asked again"
    return (
        f"The request is void: {line(event.why, 400)}.{what}\nIts buttons no longer count; {then}."
    )


def _begun(incident: Incident, event: e.ActionStarted) -> str | None:
    if not event.less:
        return None
    names = ", ".join(code(name, 80) for name in event.less[:LESS])
    return (
        f"{_title(incident, event.step_id)} reaches less than was shown: not {names} any more"
        f"{phrases.more(LESS, len(event.less)) if len(event.less) > LESS else ''}. The yes still counts."
    )


def _question(incident: Incident, event: e.QuestionAsked) -> str:
    until = phrases.until(incident.requests[event.request_id].request)
    return f"{who(event.person)} asks before deciding: {line(event.text, 800)}\nThe time goes on: until {until}."


def _ready(incident: Incident, event: e.StepReady) -> str | None:
    step = _step(incident, event.step_id)
    if step is None or step.doer == "bot":
        return None
    return f"{_title(incident, event.step_id)} is ready: {phrases.called(incident, step.owner)} can do it now."


def _held(incident: Incident, event: e.StepHeld) -> str:
    step = _step(incident, event.step_id)
    so_far = "" if step and step.action == backfills.AGAIN else "has not started: "
    return f"{_title(incident, event.step_id)} {so_far}{line(event.why, 400)}"


def _run_started(incident: Incident, event: e.RunStarted) -> str:
    if event.adopted:
        found = "was started before; that run is taken, nothing is started twice"
        return f"{_title(incident, event.step_id)} {found}: {phrases.run_link(event.run)}"
    return f"{_title(incident, event.step_id)} started: {phrases.run_link(event.run)}"


def _recognised(incident: Incident, event: e.RunRecognised) -> str:
    run = phrases.run_link(event.run)
    return (
        f"{_title(incident, event.step_id)}: recognised {run}\nbecause {line(event.because, 300)}"
    )


def _person_run_failed(incident: Incident, event: e.PersonRunFailed) -> str:
    run = phrases.run_link(event.run)
    return (
        f"{_title(incident, event.step_id)}: {run} did not end well: {line(event.why, 400)}\n"
        "Start it again when you are ready; I keep looking."
    )


def _done(incident: Incident, event: e.StepDone) -> str:
    by = f", marked by {who(event.by)}" if event.by else ""
    run = f": {phrases.run_link(event.run)}" if event.run else ""
    return f"{_title(incident, event.step_id)} is done{by}{run}"


def _failed(incident: Incident, event: e.StepFailed) -> str:
    run = f" {phrases.run_link(event.run)}" if event.run else ""
    return f"{_title(incident, event.step_id)} failed{run}: {line(event.why, 500)}"


def _uncertain(incident: Incident, event: e.ActionUncertain) -> str:
    return (
        f"{_title(incident, event.step_id)} was started and its outcome can't be known: "
        f"{line(event.why, 400)}\nIt is not repeated. A person must look."
    )


def _checks(_incident: Incident, event: e.ChecksRun) -> str | None:
    bad = [result for result in event.results if result.moment == "after" and not result.passed]
    return "Checks after the repair:\n" + "\n".join(map(phrases.check_line, bad)) if bad else None


def _handed_over(incident: Incident, event: e.HandedOver) -> str:
    return f"{phrases.addressed(incident, event.to)} takes it from here: {line(event.why, 600)}\nNothing more happens by itself."


def _dismissed(_incident: Incident, event: e.Dismissed) -> str:
    return f"Closed by {who(event.by)}, no trouble: {line(event.reason, 400)}"


def _settled(_incident: Incident, event: e.Settled) -> str:
    return f"Closed, it ended by itself: {line(event.why, 400)}. Nothing was started by me."


def _joined(_incident: Incident, event: e.Joined) -> str:
    return (
        f"This joined {code(event.into)}: one cause, {line(event.because, 300)}.\n"
        f"It goes on in the thread of {code(event.into)}. Nothing more happens here."
    )


def _took_in(_incident: Incident, event: e.TookIn) -> str:
    count = plural(len(event.alerts), "alert")
    return (
        f"{code(event.incident)} joined this, with {count}: one cause, {line(event.because, 300)}."
    )


def _linked(_incident: Incident, event: e.Linked) -> str:
    return (
        f"{code(event.incident)} has the same cause: {line(event.because, 300)}.\n"
        "A repair was under way already, so nothing is taken away: both go on, look at both."
    )


def _observed(incident: Incident, event: e.Observed) -> str | None:
    return None if event.level == "L0" else phrases.observed(incident)


def _lowered(incident: Incident, event: e.LevelLowered) -> str:
    name, domain = code(event.change_class, 60), code(incident.domain, 60)
    return (
        f"{name} in {domain} is at level {line(event.level, 4)} from now on, it was {line(event.was, 4)}: "
        f"{line(event.why, 400)}\nIt is asked for again each time, until an admin raises it."
    )


#: every fact has its line here; `ReceiptIssued`, `Planned` and `AlertMatched` show more than a line
SAYS: dict[type[e.Event], Say] = {
    e.IncidentOpened: _silent,
    e.AlertMatched: _silent,
    e.EvidenceFound: _silent,
    e.Diagnosed: _diagnosed,
    e.RadiusDrawn: _silent,
    e.Planned: _silent,
    e.ApprovalRequested: _silent,
    e.PeopleAsked: _silent,
    e.MailRefused: _mail_refused,
    e.Reminded: _reminded,
    e.Escalated: _escalated,
    e.HandedOn: _handed_on,
    e.DecisionMade: _silent,
    e.DecisionRefused: _silent,
    e.DecisionRevoked: _revoked,
    e.ApprovalGranted: _ended,
    e.RequestRefused: _ended,
    e.RequestExpired: _expired,
    e.RequestVoided: _voided,
    e.QuestionAsked: _question,
    e.StepReady: _ready,
    e.StepHeld: _held,
    e.ActionStarted: _begun,
    e.RunStarted: _run_started,
    e.RunRecognised: _recognised,
    e.PersonRunFailed: _person_run_failed,
    e.StepDone: _done,
    e.StepFailed: _failed,
    e.ActionUncertain: _uncertain,
    e.VerificationStarted: _silent,
    e.ChecksRun: _checks,
    e.ReceiptIssued: _silent,
    e.IncidentResolved: _silent,
    e.HandedOver: _handed_over,
    e.Dismissed: _dismissed,
    e.Settled: _settled,
    e.Reopened: _silent,
    e.Joined: _joined,
    e.TookIn: _took_in,
    e.Linked: _linked,
    e.Observed: _observed,
    e.ShadowSeen: _silent,
    e.LevelLowered: _lowered,
}

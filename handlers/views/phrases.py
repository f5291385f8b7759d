"""The words for phases, steps, runs and asks, each chosen once."""

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from bot.ports import Stop
from handlers.blocks import Block, section
from handlers.mrkdwn import code, line, link, when, where, who
from policies.alert import Alert
from policies.approval import ApprovalRequest, Decision
from policies.autonomy.alone import WHERE
from policies.checks import CheckResult
from policies.difference import Difference
from policies.incident import Incident, Phase, RequestState, StepPhase, StepState
from policies.people import Away, Grant
from policies.plan import Step
from policies.run import Run
from policies.seats import on_call

_NEXT: Final = re.compile(r"next in the chain: (?:[^@\s]+@\S+|[UW][A-Z0-9]{3,})")
_ID: Final = re.compile(r"[UWS][A-Z0-9]{3,}")
_HANDED: Final = re.compile(r"handed over by <@([UW][A-Z0-9]+)>")
PEOPLE: Final = 8
WOULD: Final = 8
LINES: Final = 12
HALF_A_DAY: Final = timedelta(hours=12)

PHASE: Final = {
    Phase.OPEN: "looking for the cause",
    Phase.DIAGNOSED: "cause found, no plan yet",
    Phase.PLANNED: "a plan is ready",
    Phase.REPAIRING: "repair under way",
    Phase.VERIFYING: "checking the numbers",
    Phase.RESOLVED: "resolved",
    Phase.HANDED_OVER: "handed over to a person",
    Phase.DISMISSED: "no trouble, closed",
}

STEP: Final = {
    StepPhase.PROPOSED: "proposed",
    StepPhase.ASKED: "waiting for a yes",
    StepPhase.APPROVED: "approved, waits for what must come first",
    StepPhase.READY: "ready",
    StepPhase.STARTED: "running",
    StepPhase.DONE: "done",
    StepPhase.REFUSED: "rejected, does not run",
    StepPhase.EXPIRED: "nobody decided in time, does not run",
    StepPhase.VOID: "void, is asked again",
    StepPhase.FAILED: "failed",
    StepPhase.UNCERTAIN: "started, outcome unknown: a person must look",
}

OUTCOME: Final = {
    "approved": "Approved",
    "refused": "Rejected",
    "expired": "Nobody decided in time: that is a no",
    "void": "No longer valid",
}


PROVED: Final = {
    "totp": ", with a code of their authenticator",
    "oidc": ", after a login of their own",
}


def phase(incident: Incident) -> str:
    """Where it stands, in words; a plan with an open request says that it waits."""
    if incident.phase in (Phase.PLANNED, Phase.REPAIRING) and incident.open_requests():
        return "waiting for a yes"
    if incident.joined is not None:
        return f"joined {incident.joined}: one cause"
    return PHASE[incident.phase]


def stop_banner(stopped: Stop | None) -> Block | None:
    """Everything is halted: who, since when, why."""
    if stopped is None:
        return None
    why = f": {line(stopped.reason, 200)}" if stopped.reason else ""
    name = "" if stopped.scope == "*" else stopped.scope.partition(":")[2]
    asked = (
        f" {who(stopped.lift_asked_by)} wants to; one more is needed."
        if stopped.lift_asked_by
        else ""
    )
    return section(
        f"*STOPPED*{f' {code(name)}' if name else ''} by {who(stopped.by)} since {when(stopped.at)}{why}\n"
        f"Nothing starts until people lift it: `/dw resume{f' {name}' if name else ''}`.{asked}"
    )


def subject(alert: Alert) -> str:
    """What the alert is about: the asset, else the job, with its partition."""
    name = alert.asset or alert.job or alert.run_id or alert.system
    day = f" · {code(alert.partition)}" if alert.partition else ""
    return f"{code(name)}{day}"


def void_in(joined: str | None) -> str:
    """Where to look after a request became void."""
    return f"look at {joined}" if joined else "look for the newer request"


def step_line(number: int, step: Step, state: StepState | None) -> str:
    """One step of a plan with where it stands."""
    doer = "the bot" if step.doer == "bot" else "a person"
    text = f"{number}. {line(step.title, 160)} – _{doer}_: *{step_state(step, state)}*"
    return text + _step_note(state)


def step_state(step: Step, state: StepState | None) -> str:
    """Where a step stands, in words."""
    if step.follow_up and (state is None or state.phase is StepPhase.PROPOSED):
        return "drafted, nothing waits for it"
    return STEP[state.phase if state else StepPhase.PROPOSED]


def _step_note(state: StepState | None) -> str:
    if state is None:
        return ""
    parts = [run_link(state.run)] if state.run else []
    if state.phase in (StepPhase.APPROVED, StepPhase.READY) and state.held:
        parts.append(f"held: {line(state.held, 400)}")
    if state.phase in (StepPhase.FAILED, StepPhase.UNCERTAIN, StepPhase.VOID) and state.why:
        parts.append(line(state.why, 300))
    return f"\n    {' · '.join(parts)}" if parts else ""


def run_link(run: Run) -> str:
    """A run, tappable where it has an address."""
    return f"{link(run.url, 'run ' + run.label)} {run.state.value}"


def asked(incident: Incident, state: RequestState) -> str:
    """Whose turn it is, mentioned once they are asked, why theirs, until when."""
    request, seat = state.request, state.request.turn.seat
    people = [f"<@{person}>" for person, hop in state.asked if hop == request.hop]
    names = ", ".join(people[:PEOPLE]) + (
        f" and {len(people) - PEOPLE} more" if len(people) > PEOPLE else ""
    )
    because = seat.because if names else seat.because.removesuffix(f": {seat.ref}")
    return f"{names or unasked(incident, seat.ref)} ({right(because)}) until {until(request)}"


def right(because: str) -> str:
    """Where a right comes from; whoever handed it over is mentioned, and nobody else ever.

    Whoever is asked by name is not named twice, least of all by address.
    """
    handed = _HANDED.fullmatch(because)
    if handed:
        return f"handed over by {who(handed[1])}"
    return "next in the chain" if _NEXT.fullmatch(because) else line(because, 120)


def until(request: ApprovalRequest) -> str:
    """The deadline, and what made it that moment where it is not simply so long after asking."""
    made = request.until
    far = made is not None and made.at - made.began > HALF_A_DAY
    shown = when(request.deadline, date=far)
    if made is None:
        return shown
    if made.read_at is not None:
        at = when(made.read_at, date=made.read_at - made.began > HALF_A_DAY)
        return f"{shown}, because {line(made.read, 100)} is read at {at}"
    return f"{shown} (working hours: {line(made.hours, 80)})" if made.hours else shown


def called(incident: Incident, ref: str) -> str:
    """Somebody as people know them: mentioned once they were asked, by name before that."""
    known = incident.known_as(ref)
    return who(known) if known else unasked(incident, ref)


def unasked(incident: Incident, ref: str) -> str:
    """Somebody whom nobody has asked: by name, and never mentioned, for a mention would notify them."""
    known = name_of(incident, ref)
    return code(ref, 120) if known == ref and _ID.fullmatch(ref) else line(known, 120)


def name_of(incident: Incident, ref: str) -> str:
    """What somebody is called, as it came; as dw.yml has them where nobody knows."""
    named, scheduled = dict(incident.named), on_call(ref)
    if ref not in named and scheduled:
        return f"whoever is on call ({scheduled[1]})"
    return named.get(ref, ref)


def addressed(incident: Incident, ref: str) -> str:
    """Somebody who must know of it: mentioned where their id is known, else by name."""
    known = incident.known_as(ref) or ref
    return who(known) if _ID.fullmatch(known) else called(incident, ref)


def after_that(incident: Incident, request: ApprovalRequest) -> str:
    """Who is asked next when nobody decides."""
    coming = [unasked(incident, hop.seat.ref) for hop in request.rule.chain[request.hop + 1 :]]
    if not coming:
        return "After that nobody is left to ask: it counts as a no."
    return f"Then: {', then '.join(coming)}. Silence never counts as a yes."


def decided(decision: Decision) -> str:
    """Who decided what, when, where and why."""
    if decision.where == WHERE:
        right = line(decision.grant.because, 200)
        return f"*Approved beforehand* by {who(decision.person)}: {right}. Nobody was asked now."
    word = "Approved" if decision.choice == "yes" else "Rejected"
    reason = f": {line(decision.reason, 300)}" if decision.reason else ""
    place = f", {_place(decision.where)}" if decision.where else ""
    grant = decision.grant
    instead = f" {for_whom(grant)}" if grant.for_person else ""
    proved = PROVED.get(decision.step_up or "", "")
    by = f"{who(decision.person)}{instead}{proved}"
    return f"*{word}* by {by} {when(decision.at)}{place}{reason}"


def _place(name: str) -> str:
    return {"email": "by email"}.get(name, f"in {where(name)}")


def differences(lines: Sequence[Difference]) -> str:
    """What changed, each on a line of its own: what it was → what it is."""
    shown = [_difference(one) for one in lines[:LINES]]
    return "".join(f"\n• {text}" for text in shown) + more(min(len(lines), LINES), len(lines))


def _difference(one: Difference) -> str:
    step = f"*{line(one.step, 100)}*: " if one.step else ""
    if one.was and one.now:
        return f"{step}{line(one.what, 60)} {code(one.was, 100)} → {code(one.now, 100)}"
    value = one.was or one.now
    return f"{step}{line(one.what, 60)}{' ' + code(value, 100) if value else ''}"


def taken_back(decision: Decision) -> str:
    """A decision that counts no more."""
    return (
        f"The {decision.choice} of {who(decision.person)} from {when(decision.at)} is taken back."
    )


def for_whom(grant: Grant) -> str:
    """`for @ana, away until Friday`."""
    until = f", away until {when(grant.until)}" if grant.until else ""
    return f"for {who(grant.for_person or grant.person)}{until}"


def away_line(away: Away) -> str:
    """Why somebody may not answer soon, and who is asked instead."""
    until = f" until {when(away.until)}" if away.until else ""
    said = "is away" if away.said_here else line(away.says, 200)
    instead = f"; {who(away.delegate)} is asked for them" if away.delegate else ""
    return f"{who(away.person)}: {said}{until}{instead}"


def outcome(state: RequestState) -> str:
    """How a request ended, in one line."""
    if state.outcome in ("approved", "refused") and state.decisions:
        return "\n".join(decided(decision) for decision in state.decisions)
    word = OUTCOME.get(state.outcome or "", "Waiting for a yes")
    why = f": {line(state.why, 300)}" if state.why else ""
    return f"*{word}*{why}"


def observed(incident: Incident) -> str:
    """At a level where nobody is asked: what that means, and what each step would have needed."""
    told = incident.observed
    if told is None:
        return ""
    if told.level == "L0":
        return f"*Level L0* Nothing is looked into and nothing runs. Its owner: {line(told.owner, 120)}"
    lines = [f"• {line(says, 250)}" for _, says in told.would[:WOULD]]
    head = f"*Level {line(told.level, 4)}* Nobody is asked and nothing runs. At L2 I"
    return "\n".join([head, *lines])


def check_line(result: CheckResult) -> str:
    """One measurement with both numbers."""
    word = {True: "passes", False: "*FAILS*", None: "*not measured*"}[result.passed]
    numbers = f"{line(result.measured, 120)}, expected {line(result.expected, 120)}"
    return f"• {code(result.check)} {word}: {numbers}"


def more(shown: int, total: int) -> str:
    """What a shortened list leaves out."""
    return f"\n… and {total - shown} more" if total > shown else ""

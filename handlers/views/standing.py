"""Who could decide now and why, who could not and why not."""

from collections.abc import Mapping, Sequence

from handlers import ids
from handlers.blocks import Message, View, message, modal, section
from handlers.mrkdwn import code, line, when, who
from handlers.views import phrases
from handlers.views.kept_out import called, reason
from policies.approval import ApprovalRequest, ApprovalRule
from policies.incident import Incident
from policies.people import Absence, Grant, Seated
from policies.standing import standing

LINES = 12
Seats = Sequence[tuple[int, Seated]]


def who_may(incident: Incident, request: ApprovalRequest, seats: Seats) -> View:
    """Who may decide a request now, by which right, and who is asked later."""
    later = phrases.after_that(incident, request)
    blocks = [
        section(_may(request.rule, seats)),
        section(later),
        section(_may_not(request.rule, seats)),
        section(_kept_out(request.rule)),
    ]
    return modal(ids.SHOWN_VIEW, "Who may decide", blocks)


def who_can(subject: str, rule: ApprovalRule, seats: Seats) -> Message:
    """The same for whatever somebody typed: a request, a step, an asset or a job."""
    dead = standing(rule, seats).dead(rule.quorum)
    head = f"*{code(subject, 80)}* needs {rule.quorum} yes"
    parts = [head, _may(rule, seats), _may_not(rule, seats)]
    parts += (
        [f"*Nobody could approve this now*: {line(dead, 300)}. Nothing would run."] if dead else []
    )
    return message("\n".join(filter(None, parts)), [section(part) for part in parts if part])


def nobody_owns(words: str) -> Message:
    """There is no such request, step, asset or job, or nobody is named for it."""
    return Message(
        text=f"I know no request, step, asset or job called {code(words, 60)} that somebody owns. "
        "Nothing was done. Try `/dw who-can raw_sessions`, or an incident's id."
    )


def granted(grant: Grant, names: Mapping[str, str]) -> str:
    """A right in words; a delegate's names whom they decide for."""
    because = phrases.right(grant.because)
    if not grant.for_person:
        return because
    until = f", away until {when(grant.until)}" if grant.until else ""
    return f"{because}, for {named(names, grant.for_person)}{until}"


def named(names: Mapping[str, str], person: str) -> str:
    """Somebody by name: to be told of is no reason to be notified, so nobody is mentioned here."""
    return line(names.get(person) or person, 120)


def gone(absence: Absence) -> Message:
    """Somebody is away from now on."""
    instead = (
        f"Until then {who(absence.delegate)} may decide what you may, in their own name."
        if absence.delegate
        else "Nobody decides for you: the next in the chain is asked at once."
    )
    return Message(text=f"You are away until {when(absence.until)}. {instead} `/dw back` ends it.")


def not_gone(why: str) -> Message:
    """Why nothing was changed."""
    return Message(text=f"Nothing was changed: {why}.".replace("..", "."))


def back(was_away: bool) -> Message:  # noqa: FBT001 - one caller, and the answer is all there is
    """They are there again."""
    said = "Welcome back: you are asked again yourself." if was_away else "You were not away."
    return Message(text=said)


def _may(rule: ApprovalRule, seats: Seats) -> str:
    found, names = standing(rule, seats), _names(seats)
    lines = [
        f"• {named(names, grant.person)} ({granted(grant, names)})" for grant in found.may[:LINES]
    ]
    lines += [f"• nobody: {line(problem, 200)}" for problem in found.problems[:LINES]]
    lines += [
        f"• {named(names, a.person)} is away until {when(a.until)}"
        for _, seat in seats
        for a in seat.absent
    ]
    return "*May decide now*\n" + ("\n".join(lines) or "• nobody")


def _kept_out(rule: ApprovalRule) -> str:
    """Whom the rule keeps out whoever they are, and which of its bans meet nobody here."""
    kinds = [
        *("bots", "deactivated accounts"),
        *(["guests"] if "guests" not in rule.allowed else []),
        *(["people of other workspaces"] if "outsiders" not in rule.allowed else []),
    ]
    lines = [f"• {', '.join(kinds)}", *(f"• {line(one, 200)}" for one in rule.untold)]
    return "*Kept out by the rule*\n" + "\n".join(lines)


def _may_not(rule: ApprovalRule, seats: Seats) -> str:
    names, barred = _names(seats), standing(rule, seats).may_not
    lines = [f"• {named(names, person)}: {reason(why)}" for person, why in barred[:LINES]]
    lines += [f"• {called(ban, names)}: {reason(ban.because)}" for ban in rule.banned[:LINES]]
    return "*May not*\n" + "\n".join(dict.fromkeys(lines)) if lines else ""


def _names(seats: Seats) -> dict[str, str]:
    """What the people of these seats are called, by Slack id and by email."""
    people = [
        person
        for _, seat in seats
        for person in (*seat.people, *(delegate.person for delegate in seat.delegates))
    ]
    found = {person.email: person.name for person in people if person.email and person.name}
    return found | {person.id: person.name for person in people if person.name}

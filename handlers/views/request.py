"""What an owner decides on. Everything that counts is on the screen before the first button."""

import json
from collections.abc import Iterator

from bot.ports import Showing
from handlers import ids
from handlers.blocks import (
    Block,
    Message,
    actions,
    button,
    context,
    fits,
    menu,
    message,
    section,
)
from handlers.mrkdwn import code, escape, fence, line, plural, units, who
from handlers.views import by_hand, phrases
from handlers.views.card import cause
from handlers.views.kept_out import kept_out
from handlers.views.notes import moved_on, still_counts
from policies.incident import Incident, RequestState, StepPhase
from policies.plan import Step
from policies.revoking import too_late

TITLES = 6
FINDINGS = 2
ASSETS = 30
VALUE = 400
WHAT = 1900
DIFF = by_hand.DIFF
TOO_LONG = (
    "*This is too long to be shown whole, so it can't be approved here.* Nothing runs. "
    "Reject it, or do it by hand in the tool itself."
)


def request(showing: Showing, state: RequestState, *, for_dm: bool) -> Message:
    """The request, in its thread or in a direct message."""
    incident = showing.incident
    person = showing.name.rpartition(":")[2] if for_dm else ""
    return message(_summary(incident, state, person), _parts(showing, state, person))


def _parts(showing: Showing, state: RequestState, person: str) -> Iterator[Block | None]:
    if person:
        where = f" in <#{showing.card.channel}>" if showing.card else ""
        yield context(f"{code(showing.incident.id)}{where}: {line(showing.incident.title, 200)}")
    yield phrases.stop_banner(showing.stopped) if state.open else None
    yield section(moved_on(showing.incident, state, person))
    yield from request_blocks(showing.incident, state, person)


def request_blocks(incident: Incident, state: RequestState, person: str = "") -> list[Block | None]:
    """The request itself, as it is shown in a thread, a direct message and on the home tab.

    What is too long to be shown whole can't be approved: a yes counts for what was on the screen. Nor by
    the `person` whom it is shown to, when their answer comes too late.
    """
    if not state.open:
        ended = section(_ended(incident, state) + _since(incident, state))
        return [ended, *_endings(incident, state), actions(_back(incident, state)), _footer(state)]
    shown = [section(_head(incident, state)), section(_changed(state)), *_steps(incident, state)]
    rest = [
        section(cause(incident, FINDINGS)),
        section(_reach(incident, state)),
        section(_turn(incident, state)),
        section(kept_out(state.request.rule, dict(incident.named))),
    ]
    whole = fits([*shown, *rest]) and all(map(_whole, steps_of(incident, state)))
    return [
        *shown,
        *rest,
        None if whole else section(TOO_LONG),
        _buttons(incident, state, whole) if still_counts(state, person) else None,
        _footer(state),
    ]


def _turn(incident: Incident, state: RequestState) -> str:
    away = [phrases.away_line(one) for one in state.away[:ASSETS]]
    asked, then = phrases.asked(incident, state), phrases.after_that(incident, state.request)
    return "\n".join([f"*Asked* {asked}", *away, then])


def _footer(state: RequestState) -> Block | None:
    return context(f"request {code(state.request.id)} · shows {code(state.request.digest[:19])}")


def steps_of(incident: Incident, state: RequestState) -> tuple[Step, ...]:
    """The steps of a request that the plan still has, in its order."""
    steps = incident.plan.steps if incident.plan else ()
    return tuple(step for step in steps if step.id in state.request.step_ids)


def _summary(incident: Incident, state: RequestState, person: str) -> str:
    titles = ", ".join(line(step.title, 100) for step in steps_of(incident, state)[:TITLES])
    if moved_on(incident, state, person):
        counts = "your answer still counts" if still_counts(state, person) else "nothing to do"
        return f"{incident.id}: moved on to the next, {counts}: {titles}"
    if state.open:
        until = f"{state.request.deadline:%H:%M} UTC"
        return f"{incident.id}: your yes or no is needed until {until}: {titles}"
    word = phrases.OUTCOME.get(state.outcome or "", "Closed")
    return f"{incident.id}: {word}: {titles}"


def _ended(incident: Incident, state: RequestState) -> str:
    ending = {
        "void": f"\nIts buttons are gone: {phrases.void_in(incident.joined)}.",
        "expired": "\nNothing of this ran.",
        "refused": "\nNothing of this runs.",
    }
    return f"{phrases.outcome(state)}{ending.get(state.outcome or '', '')}"


def _since(incident: Incident, state: RequestState) -> str:
    """What is different in the request that came after a void one."""
    after = [incident.request_of(step_id) for step_id in state.request.step_ids]
    newer = next((one for one in after if one and one.request.id != state.request.id), None)
    if state.outcome != "void" or newer is None:
        return ""
    return phrases.differences(newer.request.changed)


def _head(incident: Incident, state: RequestState) -> str:
    asked = state.request
    missing = asked.rule.quorum - len({d.person for d in state.decisions})
    quorum = f" ({missing} more needed)" if asked.rule.quorum > 1 else ""
    until = phrases.until(asked)
    needs = [asked.rule.reason_needed and "a reason", asked.rule.step_up and "a code or a login"]
    more = " and ".join(word for word in needs if word)
    covers = f"covers exactly {plural(len(asked.step_ids), 'step')}:"
    exactly = f"A yes{f', with {more},' if more else ''} {covers}"
    head = f"{code(incident.id)} *needs a yes or no*{quorum} until {until}"
    return "\n".join(
        [
            head,
            *map(phrases.taken_back, state.revoked[-1:]),
            *_why_asked(asked.asked_because),
            exactly,
        ]
    )


def _why_asked(because: str) -> list[str]:
    """The level would let the bot go on alone; why it asks all the same."""
    return [f"Asked although its level is above L2: {line(because, 400)}"] if because else []


def _changed(state: RequestState) -> str:
    lines = state.request.changed
    return f"*Changed since you saw it*{phrases.differences(lines)}" if lines else ""


def _steps(incident: Incident, state: RequestState) -> Iterator[Block | None]:
    cause_says = _cause_of(incident)
    for step in steps_of(incident, state):
        why = f"\n*Why* {line(step.why, 400)}" if step.why and step.why != cause_says else ""
        undo = f"\n*Undo* {line(step.undo, 400)}\n*Risk* {line(step.risk, 400)}"
        yield section(what(step, phrases.called(incident, step.owner)) + why + undo)
        yield section(by_hand.place(step))
        for drafted in (step.diff, step.command):
            if drafted:
                yield section(fence(drafted, DIFF))


def _cause_of(incident: Incident) -> str:
    """What is said under *Cause*, so that it is said once."""
    found = incident.diagnosis.cause if incident.diagnosis else None
    return found.says if found else ""


def _endings(incident: Incident, state: RequestState) -> Iterator[Block | None]:
    for number, step in enumerate(incident.plan.steps if incident.plan else (), start=1):
        if step.id in state.request.step_ids:
            yield section(phrases.step_line(number, step, incident.steps.get(step.id)))
            yield from _own_hands(incident, step, state)


def what(step: Step, owner: str) -> str:
    """What will run on what, with which parameters, after and only if what; `owner` as people know them."""
    by_hand = f"{owner} does this by hand"
    doer = "The bot does this once, after your yes" if step.doer == "bot" else by_hand
    lines = [
        f"*{line(step.title, 200)}*",
        f"{doer}: {code(step.action)} on {code(step.connection)}",
    ]
    lines += [f"• {code(key, 60)} = {_value(value)}" for key, value in step.params.items()]
    if step.dangerous:
        lines.append("• *dangerous*, says dw.yml")
    if step.code_version:
        lines.append(f"• code version {code(step.code_version, 60)}")
    if step.after:
        lines.append("• only after " + ", ".join(code(ref, 60) for ref in step.after))
    lines += [f"• only if {line(check.says, 200)}" for check in step.gate]
    return "\n".join(lines)


def _whole(step: Step) -> bool:
    values = [_plain(value) for value in step.params.values()]
    return units(what(step, who(step.owner))) < WHAT and all(
        units(escape(value)) < VALUE for value in values
    )


def _value(value: object) -> str:
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return ", ".join(code(str(item), VALUE) for item in value)
    return code(_plain(value), VALUE)


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _reach(incident: Incident, state: RequestState) -> str:
    names = state.request.reach
    shown = ", ".join(code(name, 80) for name in names[:ASSETS]) or "nothing else"
    due = incident.radius.next_due if incident.radius else None
    first = f"\nFirst read {line(due, 20)} UTC" if due else ""
    more = f" and {len(names) - ASSETS} more" if len(names) > ASSETS else ""
    return f"*Reaches* {shown}{more}{first}"


def _buttons(incident: Incident, state: RequestState, whole: bool) -> Block | None:  # noqa: FBT001 - private, one caller
    asked = state.request
    tag = ids.Tag(incident=incident.id, request=asked.id, digest=asked.digest)
    reasons = [
        ids.Tag(incident=incident.id, request=asked.id, digest=asked.digest, reason=reason)
        for reason in (*ids.REASONS, ids.OTHER)
    ]
    more = asked.rule.reason_needed or asked.rule.step_up
    yes = ids.APPROVE_WITH if more else ids.APPROVE
    labels = [f"Reject: {words}" for words in (*ids.REASONS.values(), "other…")]
    options = [(w, t.encode()) for w, t in zip(labels, reasons, strict=True) if t.fits_option]
    return actions(
        button("Approve", yes, tag.encode(), "primary") if whole else None,
        None if asked.rule.reason_needed else button("Reject", ids.REJECT, tag.encode(), "danger"),
        button("Ask", ids.ASK, tag.encode()),
        button("Who else?", ids.WHO, tag.encode()),
        button("Hand over to…", ids.HAND_OVER, tag.encode()),
        _back(incident, state),
        menu(ids.REJECT_WITH, options),
    )


def _back(incident: Incident, state: RequestState) -> Block | None:
    """For whoever decided, while nothing has begun; anybody may see it, only they may use it."""
    if not state.decisions or too_late(incident, state):
        return None
    tag = ids.Tag(incident=incident.id, request=state.request.id)
    return button("Take back", ids.REVOKE, tag.encode())


def _own_hands(incident: Incident, step: Step, state: RequestState) -> Iterator[Block | None]:
    held = incident.steps.get(step.id)
    waits = held is not None and held.phase in (StepPhase.APPROVED, StepPhase.READY)
    if step.doer == "person" and state.outcome == "approved" and waits:
        tag = ids.Tag(incident=incident.id, request=state.request.id, step=step.id)
        words = what(step, phrases.called(incident, step.owner)).partition("\n")[2]
        yield from by_hand.to_do(step, words, tag)

"""Requests that ask somebody the same, in one message: answered together, or looked at one by one."""

from collections.abc import Iterator, Sequence

from bot.ports import Showing
from handlers import ids
from handlers.blocks import (
    Block,
    Message,
    View,
    actions,
    button,
    choice,
    context,
    fits,
    message,
    section,
)
from handlers.mrkdwn import code, line, plural, units, when
from handlers.views import phrases
from handlers.views.card import cause
from handlers.views.notes import moved_on, still_counts
from handlers.views.request import request_blocks, what
from handlers.views.trouble import shown
from policies.batch import Member, digest_of, takes_one_tap, waiting
from policies.incident import Incident, RequestState

EACH = 8
LONGEST = 500
UNDO = 3


def together(showing: Showing, state: RequestState) -> Message:
    """The list, in the direct message that `state` lends to it."""
    open_ = waiting(showing.together)
    if not open_:
        done = plural(len(showing.together), "request")
        return message(f"{done} of the same kind are decided", _over(showing))
    many, person = plural(len(open_), "request"), showing.name.rpartition(":")[2]
    gone = moved_on(*open_[0], person)
    counts = "your answer still counts" if still_counts(open_[0][1], person) else "nothing to do"
    text = f"{many} wait for your yes or no: the same change, the same cause"
    return message(
        f"{many} moved on to the next, {counts}" if gone else text,
        _parts(showing, state, open_),
    )


def more(showing: Showing, state: RequestState) -> Message | None:
    """The line that notifies; None when nothing waits any more."""
    open_ = waiting(showing.together)
    if not open_ or state.request.id not in [s.request.id for _, s in showing.together]:
        return None
    said = f"{plural(len(open_), 'request')} of the same kind wait for your yes or no, in the message above."
    return message(said, [section(said)])


def look(incident: Incident, state: RequestState) -> View:
    """One of them, whole, with its own buttons."""
    said = message(
        incident.id, [section(line(incident.title, 200)), *request_blocks(incident, state)]
    )
    return shown(incident.id, said)


def _over(showing: Showing) -> Iterator[Block | None]:
    """Nothing waits any more: how each ended, and where it goes on."""
    members = showing.together
    yield section(f"*{plural(len(members), 'request')} of the same kind*: none waits for you.")
    yield section(_ended(members))
    yield section(
        "Each goes on in its own thread. Look at one to take a yes back or to mark it done."
    )
    yield actions(_look_at(members))


def _parts(
    showing: Showing, state: RequestState, open_: Sequence[Member]
) -> Iterator[Block | None]:
    person = showing.name.rpartition(":")[2]
    yield phrases.stop_banner(showing.stopped)
    yield section(moved_on(*open_[0], person))
    until = min(s.request.deadline for _, s in open_)
    yield section(
        f"*{plural(len(open_), 'request')} of the same kind* need a yes or no, the first until "
        f"{when(until, date=False)}. Answer them together, or look at each alone."
    )
    yield section(cause(open_[0][0], 2))
    yield section(_ended([one for one in showing.together if not one[1].open]))
    count = _fitting(open_)
    listed = open_[:count]
    yield from _lines(listed)
    yield section(_undo(listed)) if listed else None
    if count < len(open_):
        yield context(f"{len(open_) - count} more are listed once these are decided.")
    if still_counts(open_[0][1], person):
        yield _buttons(state, listed, showing.incident)
    yield context(f"shows {code(digest_of(listed)[:19])}")


def _ended(members: Sequence[Member]) -> str:
    """How those ended that wait no more, each outcome once with all that it is true for."""
    ends: dict[str, list[str]] = {}
    for incident, state in members:
        ends.setdefault(phrases.outcome(state), []).append(code(incident.id))
    return "\n".join(
        f"• {', '.join(names[:EACH])}{f' and {len(names) - EACH} more' if len(names) > EACH else ''}: {how}"
        for how, names in ends.items()
    )


def _lines(members: Sequence[Member]) -> list[Block | None]:
    """What is the same in all of them once, and then what each has of its own."""
    told = [_pieces(incident, state) for incident, state in members]
    same = _same(told) if len(told) > 1 else set()
    lines = [
        f"• {code(incident.id)} "
        + " · ".join(piece for n, piece in enumerate(pieces) if n not in same)
        for (incident, _), pieces in zip(members, told, strict=True)
    ]
    every = " · ".join(piece for n, piece in enumerate(told[0]) if n in same) if told else ""
    head = [section(f"*The same in each*\n{every}")] if every else []
    return [
        *head,
        *(section("\n".join(lines[at : at + EACH])) for at in range(0, len(lines), EACH)),
    ]


def _same(told: Sequence[Sequence[str]]) -> set[int]:
    """The places at which all of them say the same; none where they are not of one shape."""
    if len({len(pieces) for pieces in told}) > 1:
        return set()
    return {n for n, pieces in enumerate(zip(*told, strict=True)) if len(set(pieces)) == 1}


def _pieces(incident: Incident, state: RequestState) -> list[str]:
    """Every word that a yes would cover, in parts that may be the same elsewhere."""
    pieces = [
        piece
        for step in state.shown
        for piece in what(step, phrases.called(incident, step.owner))
        .replace("\n• ", "\n")
        .split("\n")
    ]
    reach = ", ".join(code(name, 80) for name in state.request.reach)
    news = phrases.differences(state.request.changed).replace("\n• ", " · ")
    changed = [f"*changed since you saw it*{news}"] if news else []
    return [*pieces, f"reaches {reach or 'nothing else'}", *changed]


def _line(incident: Incident, state: RequestState) -> str:
    return " · ".join(_pieces(incident, state))


def _fitting(members: Sequence[Member]) -> int:
    """How many can be listed so that every word of them is shown."""
    count = len(members)
    while count and not fits([*_lines(members[:count]), section(_undo(members[:count]))]):
        count -= 1
    return count


def _undo(members: Sequence[Member]) -> str:
    steps = [step for _, state in members for step in state.shown]
    told = dict.fromkeys(f"*Undo* {line(s.undo, 400)}\n*Risk* {line(s.risk, 400)}" for s in steps)
    return "\n".join(list(told)[:UNDO])


def _whole(members: Sequence[Member]) -> bool:
    """True when every word that a yes would cover is on the screen, and a tap is all that it takes."""
    steps = [step for _, state in members for step in state.shown]
    plain = all(step.diff is None and step.command is None for step in steps)
    short = all(units(_line(incident, state)) < LONGEST for incident, state in members)
    few = len({(step.undo, step.risk) for step in steps}) <= UNDO
    return plain and short and few and all(takes_one_tap(state) for _, state in members)


def _buttons(lender: RequestState, members: Sequence[Member], host: Incident) -> Block | None:
    tag = ids.Tag(
        incident=host.id,
        request=lender.request.id,
        digest=digest_of(members),
        step=str(len(members)),
    ).encode()
    number = len(members)
    reasons = any(state.request.rule.reason_needed for _, state in members)
    return actions(
        button(f"Approve all {number}", ids.APPROVE_ALL, tag, "primary")
        if _whole(members)
        else None,
        None if reasons else button(f"Reject all {number}", ids.REJECT_ALL, tag, "danger"),
        _look_at(members),
    )


def _look_at(members: Sequence[Member]) -> Block | None:
    options = [
        (
            f"{incident.id}: {line(incident.title, 60)}",
            ids.Tag(incident=incident.id, request=s.request.id).encode(),
        )
        for incident, s in members
    ]
    return choice(ids.LOOK_AT, "Look at one…", options)

"""`/dw connections`, and the message that says one is blind: short lines, the bad news first, for a phone."""

from collections.abc import Iterator, Sequence

from bot.estate import ConnectionLine
from bot.ports import Notice
from handlers.blocks import Message, message, section
from handlers.mrkdwn import code, line, plural, when, who
from policies.sight import Sight

LINES = 40
REMARKS = 5
JOBS = 5


def connections(lines: Sequence[ConnectionLine]) -> Message:
    """Each connection: how well it is seen, what may be read and changed there, and who stopped it."""
    blind = [one.name for one in lines if one.blind]
    head = f"*{plural(len(lines), 'connection')}*" + (
        f", *{len(blind)} blind*: {', '.join(map(code, blind[:LINES]))}" if blind else ""
    )
    ranked = sorted(lines, key=lambda one: not one.blind)[:LINES]
    told = ["\n".join(_lines(one)) for one in ranked]
    return message("\n".join([head, *told]), [section(head), *map(section, told)])


def notice(said: Notice) -> Message:
    """Blind since when, and what that means; or that it sees again."""
    name = code(said.connection, 60)
    if said.seen_at is not None:
        text = (
            f"I see {name} again since {when(said.seen_at)}. I was blind there from "
            f"{when(said.blind_from)} on. What failed meanwhile has been looked for and is taken up."
        )
        return message(text, [section(text)])
    if said.read_to is not None:
        text = (
            f"*{name} answers again*. I was blind there from {when(said.blind_from)} on, and more failed "
            f"meanwhile than I read in one go: read up to {when(said.read_to)}, I go on by myself. "
            "What failed there later reaches me only as alerts until then."
        )
        return message(text, [section(text)])
    text = (
        f"*I am blind at {name}* since {when(said.blind_from)}: failures there reach me only as "
        "alerts now. Silence does not mean that all is well."
    )
    why = f"{line(said.problem, 300) or 'Looks at it do not end.'}\nI keep trying. `/dw connections` tells more."
    return message(f"{text}\n{why}", [section(text), section(why)])


def _lines(one: ConnectionLine) -> Iterator[str]:
    yield f"*{code(one.name, 60)}* {line(one.kind, 20)}: {_seen(one)}"
    yield f"Reads {one.reads}. {_acts(one)}"
    if one.stop is not None:
        yield f"*Stopped* by {who(one.stop.by)} since {when(one.stop.at)}"
    if one.sight is None:
        return
    if one.sight.problem:
        head = "*Still catching up*" if one.sight.behind else _times(one.sight)
        yield f"{head}: {line(one.sight.problem, 250)}"
    yield from (f"• {line(remark, 200)}" for remark in one.sight.remarks[:REMARKS])


def _seen(one: ConnectionLine) -> str:
    if not one.polled:
        return "not looked at by itself, only asked when needed"
    sight = one.sight
    if sight is None:
        return "not looked at yet"
    mark = f", failures read up to {when(sight.since)}"
    if one.blind:
        return f"*blind since {when(sight.blind_from)}*{mark}"
    seen = f"answered {when(sight.seen_at)}" if sight.seen_at else "never answered yet"
    return f"{seen}{mark}"


def _times(sight: Sight) -> str:
    last = f", last {when(sight.looked_at)}" if sight.looked_at else ""
    return f"{plural(sight.failures, 'failed look')} in a row{last}"


def _acts(one: ConnectionLine) -> str:
    if one.why_not is not None:
        pin = "*Pinned read-only.* " if one.read_only else ""
        return f"{pin}Changes nothing: {line(one.why_not, 150)}."
    named = ", ".join(code(job, 60) for job in one.jobs[:JOBS])
    more = f" and {len(one.jobs) - JOBS} more" if len(one.jobs) > JOBS else ""
    return f"May run, after a yes: {named}{more}."

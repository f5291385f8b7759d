"""Private answers to the person who tapped: what came of it, in one or two sentences."""

from dataclasses import replace

from bot.commands import Decide, HandOn, MarkDone, Revoke, SetLevel
from bot.ports import Due, Lane, NewDue
from bot.worker.context import Context
from policies.approval import Approved, Expired, Pending, Refused, Void
from policies.incident import RequestState
from policies.plan import Step

#: seconds in which the answers to one list come together
_GATHERING = 2


def already(state: RequestState) -> str:
    """Who decided it, and when."""
    if state.outcome is None:
        return "This incident is closed. Nothing changed."
    last = state.decisions[-1] if state.decisions else None
    if last is None:
        return f"This request is {state.outcome}. Nothing changed. {state.why or ''}".strip()
    at = f"<!date^{int(last.at.timestamp())}^{{time}}|{last.at:%H:%M} UTC>"
    verb = "approved" if last.choice == "yes" else "refused"
    return f"<@{last.person}> already {verb} this at {at}. Your tap changed nothing."


def thanks(verdict: Approved | Pending | Refused | Expired | Void) -> str:
    """What their tap amounts to."""
    match verdict:
        case Approved(steps=steps):
            return f"Your yes is stored. {_next(steps)}"
        case Refused():
            return "Your no is stored. Nothing of this request runs."
        case Pending(missing=missing):
            return f"Your yes is stored. {missing} more needed."
        case Void(why=why):
            return f"Your tap did not count, because {why}. You will be asked again."
        case Expired():
            return "Too late: this request has expired. Nothing ran."


def _next(steps: tuple[Step, ...]) -> str:
    """Whose turn it is now: what a person does in their own tool is not started by a yes."""
    doers = {step.doer for step in steps}
    if doers == {"bot"}:
        return "What you approved starts now; its progress is in the thread."
    then = " What the bot does starts when that is done." if "bot" in doers else ""
    return f"Now it is the owner's turn: the part done by hand is shown in the request.{then}"


#: what may be answered privately
Tapped = Decide | Revoke | HandOn | MarkDone | SetLevel


def whispers(context: Context, command: Tapped, words: str) -> tuple[NewDue, ...]:
    """The row that tells them, privately; none where there is no way to."""
    if command.respond_to is None:
        return ()
    return (
        NewDue(
            kind="whisper",
            key=f"whisper:{command.key}",
            at=context.now(),
            lane=Lane.APPROVALS,
            payload={"respond_to": command.respond_to, "text": words},
        ),
    )


def outcome(
    context: Context,
    command: Decide,
    verdict: Approved | Pending | Refused | Expired | Void,
) -> tuple[NewDue, ...]:
    """What their tap amounts to; of many in one tap only what is not as they meant it."""
    if command.together and isinstance(verdict, Approved | Refused):
        return ()
    return whispers(context, command, named(command, thanks(verdict)))


def named(command: Decide, words: str) -> str:
    """With the incident's name in front, where one tap was for many."""
    return f"{command.incident_id}: {words}" if command.together else words


def refusals(context: Context, command: Decide, words: str) -> tuple[NewDue, ...]:
    """Why it did not count; one answer where the same is true for all of a list."""
    rows = whispers(context, command, words)
    if not command.together:
        return rows
    tap = command.key.removesuffix(f":{command.request_id}")
    at = context.later(_GATHERING)
    return tuple(replace(row, key=f"whisper:{tap}", at=at) for row in rows)


async def whisper(context: Context, due: Due, command: Tapped, words: str) -> None:
    """Tell them, and nothing else came of it."""
    await context.store.finish(due, whispers(context, command, words))

"""What is said when something did not work: what happened, what did not, what to do now."""

from collections.abc import Sequence
from typing import Final

from bot.desk import Held
from bot.ports import Lift, Stop
from handlers import ids
from handlers.blocks import Message, View, modal, section
from handlers.mrkdwn import code, line, when, who
from handlers.views.phrases import more

HELD: Final = 12

OLD_BUTTON: Final = (
    "This button is from an older version of me. Nothing was done and nothing ran. "
    "Type `/dw approvals` to see what waits for you."
)
UNREADABLE: Final = (
    "This button carries something I can't read: it is from an older version of me, or was changed on "
    "the way. It did not count, nothing was decided and nothing ran; it is recorded. "
    "Type `/dw approvals` to see what waits for you."
)
ELSEWHERE: Final = (
    "This came from another workspace than the one I work for. It did not count, nothing was decided "
    "and nothing ran; it is recorded."
)
UNKNOWN_COMMAND: Final = "I don't know this command. Nothing was done. Try `/dw help`."


def nothing_stored(reference: str) -> str:
    """A tap or a command that could not be stored."""
    return (
        "This did NOT arrive: my database could not be reached. Nothing was stored and nothing ran. "
        f"Try again in a minute; if it stays, tell whoever runs me: {line(reference, 80)}"
    )


def nothing_shown(reference: str) -> str:
    """Slack did not answer us, or did not let us open a window."""
    return (
        "Slack did not let me show this. Nothing was changed and nothing ran. "
        f"Tap it again; if it stays, tell whoever runs me: {line(reference, 80)}"
    )


def broken(reference: str) -> str:
    """A defect of ours."""
    return (
        "Something broke on my side. This did not count and nothing ran. "
        f"Tell whoever runs me: {line(reference, 80)}"
    )


def too_slow() -> str:
    """A command that took longer than Slack waits."""
    return "That took too long to look up. Nothing was changed. Try again in a minute."


def shown(title: str, said: Message) -> View:
    """A message in a modal."""
    return modal(ids.SHOWN_VIEW, title, said.blocks or [section(said.text)])


def stored() -> View:
    """What a form shows once its button was tapped."""
    text = "Your tap is stored. What comes of it is told to you directly, and every message of it follows."
    return modal(ids.SHOWN_VIEW, "Stored", [section(text)])


def stopped(stop: Stop, held: Sequence[Held] = ()) -> Message:
    """Everything is halted now, or was already; and what that holds."""
    why = f": {line(stop.reason, 200)}" if stop.reason else ""
    name = "" if stop.scope == "*" else f" {stop.scope.partition(':')[2]}"
    what = f" {code(name)}" if name else ""
    return Message(
        text=f"*Stopped{what}.* By {who(stop.by)} {when(stop.at)}{why}\n"
        f"Nothing starts until an admin lifts it with `/dw resume{name}`. What already runs goes on to its end.\n"
        f"{held_list(held) or 'Nothing that has its yes was waiting to start.'}"
    )


def held_list(held: Sequence[Held]) -> str:
    """The steps that have their yes and do not start; empty when there is none."""
    if not held:
        return ""
    lines = [f"• {code(i.id)} {line(step.title, 160)}" for i, step in held[:HELD]]
    return "\n".join(["*Held by it*", *lines]) + more(min(len(held), HELD), len(held))


def not_stopped(why: str) -> Message:
    """Somebody wanted to stop and may not."""
    return Message(text=f"Nothing was stopped: {line(why, 400)}. Ask one of them, now.")


def lifted(problem: str | None) -> Message:
    """The stop is lifted, or why it is not."""
    if problem == Lift.ONE_MORE:
        return Message(
            text="Your word is stored, and the stop stays: one more admin must lift it too, with the "
            "same command. Nothing starts until then."
        )
    if problem:
        return Message(text=f"Nothing was changed: {line(problem, 400)}")
    return Message(
        text="*The stop is lifted.* Steps that were held get a fresh look before they start."
    )


def stranger() -> Message:
    """Somebody whom Slack does not know (now) wanted to lift a stop."""
    text = "Slack could not tell me who you are, so the stop stays. Nothing was changed. Try again."
    return Message(text=text)

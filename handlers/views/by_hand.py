"""What a person does in their own tool: before the yes where that is, after it the way there first."""

from collections.abc import Iterator
from typing import Final

from handlers import ids
from handlers.blocks import Block, actions, button, link_button, section
from handlers.mrkdwn import code, fence, line
from policies.plan import Step

DIFF: Final = 1800
_TARGET: Final = 400


def place(step: Step) -> str:
    """Where it is done and what to press there; nothing for what the bot does itself.

    Without what fills in the form: that stands among the parameters already.
    """
    if step.doer != "person" or not step.link:
        return ""
    return f"*Opens* {code(target(step.link), _TARGET)}{_press(step)}"


def target(link: str) -> str:
    """An address without what it fills in."""
    return link.partition("?")[0]


def to_do(step: Step, words: str, tag: ids.Tag) -> Iterator[Block | None]:
    """A step that waits for its owner: the way there, then `words`, the drafts, and how to say that it is done."""
    yield actions(link_button("Open it there", ids.LINK, step.link))
    yield section(words + _press(step))
    for drafted in (step.diff, step.command):
        yield section(fence(drafted, DIFF)) if drafted else None
    yield actions(button("Mark done", ids.DONE, tag.encode()))


def _press(step: Step) -> str:
    return f"\n{line(step.press, 400)}" if step.press and step.link else ""

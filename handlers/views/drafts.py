"""Changes that are only drafted: they need no yes of ours, a person makes them in their own tool."""

from collections.abc import Iterator

from bot.ports import Showing
from handlers import ids
from handlers.blocks import Block, Message, actions, button, link_button, message, section
from handlers.mrkdwn import fence, line
from handlers.views import phrases
from handlers.views.request import DIFF, what
from policies.events import Entry, Planned
from policies.plan import Plan, Step


def follow_ups(showing: Showing, entry: Entry) -> Message | None:
    """The drafts of a new plan; None when there are none, or an earlier plan had the same."""
    if not isinstance(entry.event, Planned):
        return None
    drafts = _drafts(entry.event.plan)
    earlier = [
        e.event.plan for e in showing.entries if e.seq < entry.seq and isinstance(e.event, Planned)
    ]
    if not drafts or (earlier and _drafts(earlier[-1]) == drafts):
        return None
    titles = ", ".join(line(step.title, 100) for step in drafts)
    return message(f"{showing.incident.id}: drafted, for later: {titles}", _parts(showing, drafts))


def _drafts(plan: Plan) -> tuple[Step, ...]:
    return tuple(step for step in plan.steps if step.follow_up and step.doer == "person")


def _parts(showing: Showing, drafts: tuple[Step, ...]) -> Iterator[Block | None]:
    yield section("*Drafted, so that it does not happen again.* Nothing waits for it.")
    for step in drafts:
        owner = phrases.called(showing.incident, step.owner)
        yield section(
            f"{what(step, owner)}\n*Undo* {line(step.undo, 400)}\nFor {owner} ({line(step.owner_because, 120)})"
        )
        yield section(fence(step.diff, DIFF)) if step.diff else None
        tag = ids.Tag(incident=showing.incident.id, step=step.id)
        yield actions(
            link_button("Open it there", ids.LINK, step.link),
            button("Mark done", ids.DONE, tag.encode()),
        )

"""How a link stands: what may be decided by it now, and what became of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.desk import Desk
from bot.ports import Stop
from handlers.mail.links import Link
from handlers.mail.telling import decided, ended, moment
from handlers.views.notes import still_counts
from policies import events as e
from policies.incident import Incident, RequestState
from policies.people import Person

GONE: Final = "This request is not known any more. Nothing changed."
CHANGED: Final = (
    "What this link showed is not what would run any more, so it can't be decided here. "
    "Nothing changed. Look for the newer request."
)
LATE: Final = "It has moved on to the next in the chain, and your answer no longer counts."
WEIGHED: Final = "Your answer is stored and is being weighed. Refresh in a moment."


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """`says` is what to tell first; `open` is true while a decision may be made here."""

    incident: Incident | None
    state: RequestState | None
    says: tuple[str, ...] = ()
    open: bool = False

    @property
    def weighed(self) -> bool:
        """False while an answer is stored of which nothing has come yet."""
        return self.says != (WEIGHED,)

    def become(self, state: RequestState, person: Person | None) -> str:
        """What became of a request that can't be decided by this link, in a line or two."""
        return " ".join((*self.says, *ended(state, person)))


async def standing(desk: Desk, link: Link, person: Person | None) -> Standing:
    """As the journal has it now."""
    found = await desk.look(link.incident)
    state = found[0].requests.get(link.request) if found else None
    if found is None or state is None:
        return Standing(incident=None, state=None, says=(GONE,))
    incident, entries = found
    answered = _answered(link, [entry.event for entry in entries], person)
    if not answered and state.open and await desk.arrived(link.key):
        answered = (WEIGHED,)
    if not state.open:
        answered = answered[:1]  # the rest is said of the request itself
    says = answered or await _closed(desk, link, incident, state)
    return Standing(incident=incident, state=state, says=says, open=not says and state.open)


def _answered(link: Link, events: Sequence[e.Event], person: Person | None) -> tuple[str, ...]:
    """What came of the answer that was given by this link."""
    says: list[str] = []
    for event in events:
        if isinstance(event, e.DecisionMade) and event.decision.key == link.key:
            says = ["Your answer counted.", decided(event.decision, person)]
        elif isinstance(event, e.DecisionRefused) and event.key == link.key:
            says = [
                f"Your answer did not count and nothing changed: {event.refusal.why}.",
                "This link is used up. If it can still be decided, decide it in Slack.",
            ]
        elif isinstance(event, e.DecisionRevoked) and event.key == link.key:
            says = ["You took your answer back. It can be given again in Slack."]
    return tuple(says)


async def _closed(
    desk: Desk, link: Link, incident: Incident, state: RequestState
) -> tuple[str, ...]:
    if not state.open or incident.phase.closed:
        return () if not state.open else ("This incident is closed. Nothing can be decided.",)
    if link.digest != state.request.digest:
        return (CHANGED,)
    if not still_counts(state, link.person):
        return (LATE,)
    stops = await desk.stops()
    return tuple(_stopped(stop) for stop in stops if _halts(stop, incident))[:1]


def _halts(stop: Stop, incident: Incident) -> bool:
    return stop.scope in ("*", f"domain:{incident.domain}")


def _stopped(stop: Stop) -> str:
    why = f": {stop.reason}" if stop.reason else ""
    return f"Everything is stopped since {moment(stop.at, None)}{why}. Nothing can be decided until people lift it."

"""What is said to one person alone: a line that notifies them, and where their own turn has gone."""

from bot.ports import Showing
from handlers.blocks import Message, message, section
from handlers.mrkdwn import code, line
from handlers.views import phrases
from policies import events as e
from policies.events import Entry
from policies.incident import Incident, RequestState


def note(showing: Showing, entry: Entry) -> Message | None:
    """The line for this fact; None when it is no news any more. One that stands there says what became of it."""
    if not isinstance(entry.event, e.Reminded):
        return None
    incident, state = showing.incident, showing.incident.requests[entry.event.request_id]
    mine = dict(state.reminders).get(entry.seq) == state.request.hop and state.reminded
    if not state.open or not mine or incident.phase.closed:
        return _over(showing, state) if showing.copy else None
    name, title = code(incident.id), line(incident.title, 200)
    last = state.request.hop + 1 == len(state.request.rule.chain)
    call = "Last call." if last else "Half of the time is gone."
    after = "Nobody is asked after you: silence is a no. " if last else ""
    said = (
        f"*{call}* {name} still waits for your yes or no, until {phrases.until(state.request)}: {title}\n"
        f"{after}The request above shows how it stands by now."
    )
    until = f"{state.request.deadline:%H:%M} UTC"
    text = f"{incident.id}: {'last call: ' if last else ''}your yes or no is needed until {until}"
    return message(text, [section(said)])


def _over(showing: Showing, state: RequestState) -> Message:
    """In place of a line whose time is over; it is edited, so that it wakes nobody."""
    incident, person = showing.incident, showing.name.rpartition(":")[2]
    if not state.open:
        became = phrases.outcome(state)
    elif incident.phase.closed:
        became = "This incident is closed; there is nothing left to decide."
    else:
        again = (
            f"It waits for your yes or no again, until {phrases.until(state.request)}: see above."
        )
        became = moved_on(incident, state, person) or again
    name = code(incident.id)
    return message(f"{incident.id}: this reminder is over", [section(f"{name} {became}")])


def moved_on(incident: Incident, state: RequestState, person: str) -> str:
    """For somebody whose turn is over: whose it is now, and whether their own answer still counts.

    Their message is edited, which wakes nobody; whoever looks at it later must need no second look.
    """
    hop = dict(state.asked).get(person)
    if not state.open or hop is None or hop >= state.request.hop:
        return ""
    asked = phrases.asked(incident, state)
    if state.request.rule.chain[hop].handed_on:
        return f"*You handed it over:* it is not yours any more.\nNow asked: {asked}."
    counts = (
        "Your yes or no still counts until somebody decides."
        if still_counts(state, person)
        else "Your answer no longer counts; there is nothing left to do for you."
    )
    return f"*It has moved on,* because nobody decided in time. {counts}\nNow asked: {asked}."


def still_counts(state: RequestState, person: str) -> bool:
    """False for somebody whose turn is over and whose late answer the rule does not take."""
    hop = dict(state.asked).get(person)
    return hop is None or hop in dict(state.request.seats())

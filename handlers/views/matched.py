"""Many alerts, one trouble: counts for the card, and a thread that is not told all of three hundred."""

from collections import Counter
from collections.abc import Sequence

from bot.outbox import TOLD, alerts_until
from bot.ports import Showing
from handlers.blocks import Message, message, section
from handlers.mrkdwn import code, line, plural
from policies import backfills
from policies import events as e
from policies.alert import Alert
from policies.correlation import same_backfill
from policies.events import Entry
from policies.facts import Facts
from policies.incident import Incident
from policies.recurrence import Recurrence, error_of
from policies.run import label_of

NAMES = 3


def counted(incident: Incident) -> str:
    """How many failures have this one cause, of what, and which days the plan does not mend."""
    others = [a for place, a in enumerate(incident.alerts) if place != incident.root]
    trouble = [a for a in others if a.kind.opens()]
    lines = []
    if trouble:
        told = Counter(_name(a) for a in trouble)
        names = ", ".join(code(name, 80) for name in list(told)[:NAMES])
        rest = f" and {len(told) - NAMES} more" if len(told) > NAMES else ""
        lines.append(f"*{plural(len(trouble) + 1, 'failure')}, 1 cause*: also {names}{rest}")
    lines += [again(incident.again)] if incident.again else []
    lines += [*_backfill(incident), *kin(incident)]
    return "\n".join([*lines, *_other_days(incident, trouble)])


def _backfill(incident: Incident) -> list[str]:
    """How many of the partitions of one backfill failed."""
    name, days = backfills.name_of(incident), backfills.failed(incident)
    if name is None or not days:
        return []
    names = ", ".join(code(day, 40) for day in days[:NAMES])
    more = f" and {len(days) - NAMES} more" if len(days) > NAMES else ""
    head = f"*Backfill {code(label_of(name), 60)}*"
    return [f"{head}: {plural(len(days), 'partition')} of it failed: {names}{more}"]


def kin(incident: Incident) -> list[str]:
    """Other troubles of this cause: those that are part of it now, and those that go on beside it."""
    told = (("Joined by", incident.took_in), ("Same cause, goes on beside this:", incident.linked))
    return [
        f"{words} {', '.join(map(code, names[:NAMES]))}"
        + (f" and {len(names) - NAMES} more" if len(names) > NAMES else "")
        for words, names in told
        if names
    ]


def again(told: Recurrence) -> str:
    """`The 47th time in 30 days. The last was DW-12, resolved with a yes of Ana.`"""
    head = f"*The {ordinal(told.times)} time in {told.days} days.*"
    if told.last is None:
        return head
    before = f"; before it {', '.join(code(name) for name in told.before)}" if told.before else ""
    return (
        f"{head} The last was {code(told.last)}, {line(told.ended or 'still open', 250)}{before}."
    )


def matched(showing: Showing, entry: Entry) -> Message:
    """What the thread says of one more alert, and from where on it says no more of each."""
    said = _says(entry.event) if isinstance(entry.event, e.AlertMatched) else ""
    number = 1 + alerts_until(showing.entries, entry.seq)
    if number > TOLD:
        said = f"{ordinal(number)} alert of this trouble. {said}"
    elif number == TOLD:
        said += "\nFrom here on I count the others on the card and do not post each of them."
    return message(f"{showing.incident.id}: {said}", [section(said)])


def _says(event: e.AlertMatched) -> str:
    title, because = line(event.alert.title, 200), line(event.because, 200)
    if event.root:
        return (
            f"The trouble began further up: {title}\nIt counts as the cause because {because}. "
            "What was found so far is about a consequence; I look again from there. Nothing ran."
        )
    said = f"One more alert of this trouble: {title}\nThe same because {because}"
    return said + (f"\n{again(event.again)}" if event.again else "")


def _other_days(incident: Incident, trouble: Sequence[Alert]) -> list[str]:
    """The same error for another partition: it is not in this plan, and nobody may think it is."""
    facts = Facts.of(incident)
    error = error_of(incident.alert)
    first = incident.alert
    same = [a for a in trouble if (error and error_of(a) == error) or same_backfill(a, first)]
    mended = backfills.planned(incident.plan.steps if incident.plan else ())
    days = {a.partition for a in same if a.partition} - {facts.partition, *mended}
    if not days or facts.partition is None:
        return []
    names = ", ".join(code(day, 40) for day in sorted(days)[:NAMES])
    more = f" and {len(days) - NAMES} more" if len(days) > NAMES else ""
    return [
        f"*Not mended here*: it failed for {names}{more} too; the plan is for {code(facts.partition)}."
    ]


def _name(alert: Alert) -> str:
    return alert.asset or alert.job or alert.title


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, … 11th."""
    teens = number % 100 in (11, 12, 13)
    ending = "th" if teens else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"

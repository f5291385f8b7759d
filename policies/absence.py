"""Who is away, who decides for them meanwhile, and what their Slack status says. Loops lead nowhere."""

import re
from collections.abc import Mapping
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from policies.people import Absence, Away, Person, Seated
from policies.rota import DAYS
from policies.seats import AwayRule

Absences = Mapping[str, Absence]
HELP = "`away until friday → @colleague`; also `until 17:00`, `until tomorrow`, `until 2026-10-02 09:00`"
_MORNING = time(9)
_SAID = re.compile(
    r"^(?:until|till)\s+(?P<day>[a-z]+|\d{4}-\d{2}-\d{2})?\s*(?:at\s+)?(?P<time>\d{1,2}:\d{2})?"
    r"\s*(?:(?:→|->|=>|to|for)\s*)?(?P<who>\S+)?$",
    re.IGNORECASE,
)


class Unclear(ValueError):
    """These words name no time, or one that is over. Nothing was changed."""


def read(words: str, now: datetime, tz: str) -> tuple[datetime, str | None]:
    """Until when, and the delegate as it was written, or None. Raises `Unclear`.

    A day without a time means nine in the morning of that day, where the person is.
    """
    match = _SAID.match(words.strip())
    if match is None or not (match["day"] or match["time"]):
        raise Unclear(f"I don't understand when that ends. Say {HELP}")
    here = now.astimezone(ZoneInfo(tz))
    until = _moment(here, (match["day"] or "").lower(), match["time"])
    if until <= now:
        raise Unclear(f"That is over already. Say {HELP}")
    return until, match["who"]


def delegate_of(absences: Absences, person: str) -> str | None:
    """Who decides for somebody who is away: the first in their row who is there; None when it leads nowhere."""
    seen = {person}
    at = absences[person].delegate if person in absences else None
    while at is not None and at in absences:
        if at in seen:
            return None
        seen.add(at)
        at = absences[at].delegate
    return None if at in seen else at


def leads_nowhere(absences: Absences, wish: Absence) -> str | None:
    """Why this delegation would leave nobody to decide, or None."""
    if wish.delegate is None:
        return None
    if wish.delegate == wish.person:
        return "you named yourself"
    after = {**absences, wish.person: wish}
    if delegate_of(after, wish.person) is not None:
        return None
    theirs = after[wish.delegate]
    if theirs.delegate is None:
        return f"<@{wish.delegate}> is away too and named nobody"
    return f"<@{wish.delegate}> is away too, and their delegates lead back to somebody who is away"


def seen(person: Person, quiet_until: datetime | None, rule: AwayRule) -> str | None:
    """What Slack shows that says they are away: their status, or paused notifications."""
    said = person.status.lower()
    worded = any(re.search(rf"\b{re.escape(word.lower())}\b", said) for word in rule.words)
    if worded or (person.emoji and person.emoji in rule.emoji):
        return f"their Slack status says “{' '.join((person.emoji, person.status)).strip()}”"
    if quiet_until is not None and rule.do_not_disturb:
        return "their notifications are paused"
    return None


def told(absence: Absence, seated: Seated) -> Away:
    """What is known of an absence that was said here, and who decides meanwhile."""
    found = [d.person.id for d in seated.delegates if d.for_person == absence.person]
    return Away(
        person=absence.person,
        said_here=True,
        until=absence.until,
        delegate=found[0] if found else None,
    )


def _moment(here: datetime, day: str, clock: str | None) -> datetime:
    ahead = _days_ahead(here, day)
    when = here.date() + timedelta(days=ahead)
    at = _clock(clock) if clock else _MORNING
    found = datetime.combine(when, at, here.tzinfo)
    if not day and found <= here:
        found = datetime.combine(when + timedelta(days=1), at, here.tzinfo)
    return found


def _days_ahead(here: datetime, day: str) -> int:
    """Days from today; a weekday is the next one of its name, never today."""
    if day in ("", "today"):
        return 0
    if day == "tomorrow":
        return 1
    named = [n for n, name in enumerate(DAYS) if name.startswith(day) and len(day) > len("mo")]
    if named:
        return (named[0] - here.weekday() - 1) % len(DAYS) + 1
    try:
        return (datetime.fromisoformat(day).date() - here.date()).days
    except ValueError as error:
        raise Unclear(f"{day!r} is no day. Say {HELP}") from error


def _clock(text: str) -> time:
    try:
        return time.fromisoformat(text.zfill(len("09:00")))
    except ValueError as error:
        raise Unclear(f"{text!r} is no time of day. Say {HELP}") from error

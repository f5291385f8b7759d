"""Answers to `/dw …` and `@dw …`: the same words for both."""

from collections.abc import Sequence

from bot.desk import Status
from bot.ports import HookCount, IncidentLine
from handlers.blocks import Message, message, section
from handlers.mrkdwn import code, line, plural, when, where
from handlers.views import phrases
from handlers.views.card import cause
from handlers.views.reach import reach
from handlers.views.trouble import held_list
from policies.incident import Incident, RequestState
from policies.receipt import Receipt

LINES = 15
HELP = (
    ("status", "what is open, what waits, whether everything is stopped"),
    ("incidents", "the newest incidents, closed ones too"),
    ("why <id, job or asset>", "the cause, the evidence and the reach"),
    ("approvals", "what waits for my yes or no"),
    ("receipts [number]", "the last closing records, or one of them"),
    ("stop [reason]", "halts everything: nothing starts until a person lifts it"),
    ("resume", "lifts the stop (admins)"),
    ("away until <day> → @delegate", "who decides for me while I am away"),
    ("back", "I am there again"),
    ("connections", "how well each system is seen, what is read and what may be changed there"),
    ("who-can <request, step or asset>", "who could approve it now, and why"),
    ("autonomy", "what may be done alone, where, since when and why"),
    ("autonomy set <domain> [class] <level>", "changes that (admins)"),
    ("sources", "who posts alerts, what was understood, and whom to bind (admins)"),
    ("help", "this list"),
)


def help_text() -> Message:
    """What can be asked."""
    lines = [f"• `/dw {words}` {says}" for words, says in HELP]
    foot = "In a thread, mention me instead: `@dw why raw_sessions`"
    return _said("*What I can do*", [*lines, foot])


def unknown(words: str) -> Message:
    """Something nobody can answer."""
    known = ", ".join(f"`{verb.split()[0]}`" for verb, _ in HELP)
    return _said(f"I don't know {code(words, 60)}. Nothing was done.", [f"I know: {known}"])


def status(found: Status) -> Message:
    """How everything stands; a stop comes first."""
    lines, stats = found.open, found.stats
    banners = filter(None, map(phrases.stop_banner, found.stops[:LINES]))
    halted = [*(banner["text"]["text"] for banner in banners), held_list(found.held)]
    late = f", the oldest for {stats.oldest_seconds:.0f} s" if stats.waiting else ""
    work = f"Work past its time: {stats.waiting}{late}."
    stuck = [f"Given up after many tries: {plural(len(stats.poisoned), 'item')}, see `dw doctor`."]
    deaf = [_refused(one) for one in found.refusing[:LINES]]
    body = [*map(incident_line, lines[:LINES]), work, *(stuck if stats.poisoned else []), *deaf]
    return _said(f"*Open: {plural(len(lines), 'incident')}*", [*filter(None, halted), *body])


def _refused(one: HookCount) -> str:
    at = when(one.last_at, date=False)
    return f"Webhook {code(one.hook)} refused what it got last, at {at} ({one.outcome}): see `dw doctor`."


def incident_list(lines: Sequence[IncidentLine]) -> Message:
    """Incidents, the newest first."""
    return _said("*Incidents*", [*map(incident_line, lines[:LINES])] or ["None yet."])


def explain(incident: Incident | None, words: str) -> Message:
    """Why: cause with evidence, reach, who is asked."""
    if incident is None:
        return _said(f"I know no incident about {code(words, 80)}.", ["Try `/dw incidents`."])
    head = f"{code(incident.id)} *{phrases.phase(incident)}*: {line(incident.title, 250)}"
    asked = [f"Asked now: {phrases.asked(incident, s)}" for s in incident.open_requests()[:5]]
    body = [cause(incident) or "The cause is being looked for.", reach(incident), *asked]
    return _said(head, [text for text in body if text])


def approvals(waiting: Sequence[tuple[Incident, RequestState]]) -> Message:
    """What waits for this person."""
    if not waiting:
        return _said("*Nothing waits for your yes or no.*", [])
    lines = [
        f"• {code(incident.id)} {line(incident.title, 120)}, until "
        f"{when(state.request.deadline, date=False)}, in {where(incident.channel)}"
        for incident, state in waiting[:LINES]
    ]
    head = f"*{plural(len(waiting), 'request')} for you*"
    return _said(head, [*lines, "Decide in the thread, in our direct message, or on my home tab."])


def receipt_list(receipts: Sequence[Receipt]) -> Message:
    """The last receipts."""
    return _said("*Receipts*", [*map(receipt_line, receipts[:LINES])] or ["None yet."])


def incident_line(item: IncidentLine) -> str:
    """One incident in a list."""
    word = phrases.PHASE[item.phase]
    return f"• {code(item.id)} {line(item.title, 140)}: {word}, since {when(item.opened_at)}"


def receipt_line(item: Receipt) -> str:
    """One receipt in a list."""
    return f"• {item.number}: {code(item.incident_id)} {line(_title(item), 140)}"


def _title(item: Receipt) -> str:
    """What the receipt is about: its incident's title, or what kind of change it records."""
    told = item.body.get("incident")
    title = told.get("title") if isinstance(told, dict) else item.body.get("kind")
    return title if isinstance(title, str) else ""


def _said(head: str, body: Sequence[str]) -> Message:
    return message(
        "\n".join([head, *body]), [section(head), *(section(text) for text in _chunks(body))]
    )


def _chunks(body: Sequence[str], size: int = 2500) -> list[str]:
    """Lines together in as few sections as hold them whole."""
    chunks: list[str] = []
    for text in body:
        if chunks and len(chunks[-1]) + len(text) < size:
            chunks[-1] += "\n" + text
        else:
            chunks.append(text)
    return chunks

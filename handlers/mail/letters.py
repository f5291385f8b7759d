"""The email to somebody who is asked: what, why, reach, until when, undo, and one link; for one request, or many of a kind."""

import hashlib
from datetime import datetime, timedelta
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Final

from bot.ports import REMINDER, Letter
from handlers.mail.listing import told_many
from handlers.mail.telling import there, told
from handlers.mail.templates import rendered

_SUBJECT: Final = 160
_SOON: Final = timedelta(hours=12)


def letter(what: Letter, *, link: str, at: datetime) -> EmailMessage:
    """Text and simple HTML, without sender and ids. Raises ValueError on an address that is none."""
    shape, words = _words(what)
    words |= {"link": link, "reminder": what.kind == REMINDER, "last_call": _last_call(what)}
    message = EmailMessage()
    message["Subject"] = f"Re: {what.subject}" if what.subject else subject(what, at)
    message["To"] = Address(addr_spec=what.person.email or "")
    message["Date"] = format_datetime(at)
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(rendered(f"{shape}.txt", **words))
    message.add_alternative(rendered(f"{shape}.html", **words), subtype="html")
    return message


def message_id(name: str, sender: str) -> str:
    """The email's own: sent twice, it is recognisably the same email."""
    text = hashlib.sha256(name.encode()).hexdigest()[:32]
    return f"<{text}@{sender.rpartition('@')[2]}>"


def subject(what: Letter, at: datetime) -> str:
    """What is wanted, by when where they are, and of what: in this order, for a phone shows forty letters."""
    incident, _ = what.members[0]
    many = len(what.members)
    who = f"{many} requests need" if many > 1 else f"{incident.id} needs"
    until = _until(what, at)
    text = f"{who} your yes or no until {until}: {' '.join(incident.title.split())}"
    whole = "".join(char if char.isprintable() else " " for char in text)
    return whole if len(whole) <= _SUBJECT else whole[: _SUBJECT - 1] + "…"


def _words(what: Letter) -> tuple[str, dict[str, object]]:
    if len(what.members) > 1:
        return "letter_many", {"many": told_many(what.members, what.person)}
    return "letter", {"told": told(*what.members[0], what.person)}


def _until(what: Letter, at: datetime) -> str:
    first = min(state.request.deadline for _, state in what.members)
    here, zone = there(first, what.person)
    day = "" if first - at < _SOON else f"{here:%a} "
    return f"{day}{here:%H:%M}{'' if zone else ' UTC'}"


def _last_call(what: Letter) -> bool:
    """Half of the time of the last one who is asked is gone: what comes next is a no."""
    asked = [state.request for _, state in what.members]
    last = all(request.hop + 1 == len(request.rule.chain) for request in asked)
    return what.kind == REMINDER and last

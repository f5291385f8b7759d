"""The email to somebody who is asked: what, why, reach, until when, undo, and one link."""

import hashlib
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Final

from handlers.mail.telling import Told, told
from handlers.mail.templates import rendered
from policies.incident import Incident, RequestState
from policies.people import Person

_SUBJECT: Final = 160


def letter(
    incident: Incident, state: RequestState, person: Person, *, link: str, at: datetime
) -> EmailMessage:
    """Text and simple HTML, without sender and Message-ID. Raises ValueError on an address that is none."""
    says = told(incident, state, person)
    words = {"told": says, "link": link, "name": person.name}
    message = EmailMessage()
    message["Subject"] = _subject(says)
    message["To"] = Address(addr_spec=person.email or "")
    message["Date"] = format_datetime(at)
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(rendered("letter.txt", **words))
    message.add_alternative(rendered("letter.html", **words), subtype="html")
    return message


def message_id(key: str, sender: str) -> str:
    """The row's own: sent twice, it is recognisably the same email."""
    name = hashlib.sha256(key.encode()).hexdigest()[:32]
    return f"<{name}@{sender.rpartition('@')[2]}>"


def _subject(says: Told) -> str:
    text = f"{says.incident} needs your yes or no until {says.until}: {says.title}"
    whole = "".join(char if char.isprintable() else " " for char in text)
    return whole if len(whole) <= _SUBJECT else whole[: _SUBJECT - 1] + "…"

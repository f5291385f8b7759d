"""Mistakes in what emails and logins need: each part that is there must have the others that it needs."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from policies.lint.parts import Data, Mistake, mapping

_ADDRESS = re.compile(r"^[^@\s<>]+@[^@\s<>]+$")
_HERE = frozenset({"127.0.0.1", "localhost", "::1"})


def half_configured(data: Data) -> Iterator[Mistake]:
    """Emails and logins both need to know under which address people reach `dw`."""
    for key, needs in (("mail", "its emails link to a page"), ("oidc", "people come back to it")):
        if key in data and not data.get("public_url"):
            instead = "public_url: https://dw.example.com"
            what = f"is there, but no public_url, and {needs}"
            yield Mistake(path=(key,), what=what, instead=instead)


def reachable(data: Data) -> Iterator[Mistake]:
    """Addresses that would send links, codes or logins in the clear."""
    places = ((("public_url",), data), (("oidc", "issuer"), mapping(data.get("oidc"))))
    for path, part in places:
        url = part.get(path[-1])
        if isinstance(url, str) and not _safe(url):
            what = f"{url!r} is no address that is safe to send people to"
            yield Mistake(path=path, what=what, instead="https://…, without a question mark")


def sending(data: Data) -> Iterator[Mistake]:
    """A sender that is no address, and a way to the server that anybody could read along."""
    mail = mapping(data.get("mail"))
    sender = mail.get("sender")
    if isinstance(sender, str) and not _ADDRESS.match(sender):
        what = f"{sender!r} is no email address"
        yield Mistake(path=("mail", "sender"), what=what, instead="dw@example.com")
    if mail.get("tls") == "none" and mail.get("host") not in _HERE:
        what = "its links could be read on the way"
        yield Mistake(path=("mail", "tls"), what=what, instead="starttls, or tls")


def _safe(url: str) -> bool:
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return False
    plain = parts.scheme == "http" and host in _HERE
    whole = bool(host) and not (parts.query or parts.fragment or parts.username)
    return whole and (parts.scheme == "https" or plain)

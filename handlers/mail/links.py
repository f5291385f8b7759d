"""Signed notes that travel through mailboxes and browsers: the link of an email, a form's token, a login's memory."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from datetime import timedelta
from itertools import chain
from typing import Final

from itsdangerous import BadSignature, URLSafeSerializer

from bot.clock import Clock

_LINK: Final = "link"
_LIST: Final = "list"
_FIELDS: Final = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Link:
    """Whose decision a link is for, on which request, and what exactly was shown.

    `where` is what the decision is said to come from: `email` or `login page`. Times stand in none: a link
    ends with its request.
    """

    incident: str
    request: str
    person: str
    digest: str
    where: str = "email"

    @property
    def key(self) -> str:
        """What is decided by it is decided once, from wherever: both ways to the page are one link."""
        what = json.dumps([self.incident, self.request, self.person, self.digest])
        return "link:" + hashlib.sha256(what.encode()).hexdigest()[:40]


@dataclass(frozen=True, kw_only=True, slots=True)
class ListLink:
    """Whose decision a link is for, on which `requests` of one kind (incident and request), and what was listed.

    Each of them is decided as by a link of its own, so that it counts once from wherever.
    """

    requests: tuple[tuple[str, str], ...]
    person: str
    digest: str
    where: str = "email"

    @property
    def key(self) -> str:
        """Its own, for the forms and logins that belong to it."""
        what = json.dumps([self.requests, self.person, self.digest])
        return "list:" + hashlib.sha256(what.encode()).hexdigest()[:40]

    def one(self, incident: str, request: str, digest: str) -> Link:
        """The link of one of them alone."""
        return Link(
            incident=incident,
            request=request,
            person=self.person,
            digest=digest,
            where=self.where,
        )


AnyLink = Link | ListLink


class Seals:
    """Signs and reads notes with one key. A note of one kind is never taken for another."""

    def __init__(self, key: str, clock: Clock) -> None:
        self._key, self._clock = key, clock

    def link(self, link: AnyLink) -> str:
        """A link's text, safe in an address; the same link has the same text."""
        if isinstance(link, Link):
            return str(self._signer(_LINK).dumps(astuple(link)))
        parts = [link.person, link.digest, link.where, *chain.from_iterable(link.requests)]
        return str(self._signer(_LIST).dumps(parts))

    def read_link(self, text: str) -> AnyLink | None:
        """The link, or None when it was not signed by us, or changed since."""
        parts = self._read(_LINK, text)
        if parts is None or len(parts) != _FIELDS:
            return self._read_list(text)
        incident, request, person, digest, where = parts
        return Link(incident=incident, request=request, person=person, digest=digest, where=where)

    def _read_list(self, text: str) -> ListLink | None:
        parts = self._read(_LIST, text)
        if parts is None or len(parts) < _FIELDS or len(parts) % 2 == 0:
            return None
        person, digest, where, *named = parts
        requests = tuple(zip(named[::2], named[1::2], strict=True))
        return ListLink(requests=requests, person=person, digest=digest, where=where)

    def note(self, kind: str, *parts: str) -> str:
        """A note that remembers when it was written."""
        return str(self._signer(kind).dumps([str(self._seconds()), *parts]))

    def read_note(self, kind: str, text: str, *, within: timedelta) -> Sequence[str] | None:
        """Its parts, or None when it is not ours, of another kind, or older than that."""
        found = self._read(kind, text)
        if not found or not found[0].isdigit():
            return None
        age = self._seconds() - int(found[0])
        return found[1:] if 0 <= age <= within.total_seconds() else None

    def _read(self, kind: str, text: str) -> list[str] | None:
        try:
            parts = self._signer(kind).loads(text)
        except BadSignature:
            return None
        is_ours = isinstance(parts, list) and all(isinstance(part, str) for part in parts)
        return parts if is_ours else None

    def _signer(self, kind: str) -> URLSafeSerializer:
        how = {"key_derivation": "hmac", "digest_method": hashlib.sha256}
        return URLSafeSerializer(self._key, salt=f"dw.{kind}.1", signer_kwargs=how)

    def _seconds(self) -> int:
        return int(self._clock.now().timestamp())

"""Mistakes in the naming of people and channels: every name must be one that Slack can resolve."""

import re
from collections.abc import Iterator

from policies.lint.parts import Data, Mistake, Path, described, items, mapping, texts
from policies.seats import on_call

_PERSON = re.compile(r"^([^@\s]+@[^@\s]+\.[^@\s]+|[UW][A-Z0-9]{2,})$")
_GROUP = re.compile(r"^(@[^@\s]+|S[A-Z0-9]{2,})$")
_CHANNEL = re.compile(r"^(#[^#\s]+|[CG][A-Z0-9]{2,})$")
A_PERSON = "an email, or a Slack id (U…)"
SOMEBODY = A_PERSON + ", a group as @handle in quotes, or rota:<name>"


def is_somebody(who: str) -> bool:
    """True for an email, a Slack id, a user group, or a schedule."""
    return bool(_PERSON.match(who) or _GROUP.match(who) or on_call(who))


def is_one_person(who: str) -> bool:
    """True for an email or a Slack id of a person."""
    return bool(_PERSON.match(who))


def halting(data: Data) -> Iterator[Mistake]:
    """Admins, who alone lift a stop, and stoppers."""
    if not data.get("admins"):
        instead = "admins: [you@example.com]"
        yield Mistake(path=("admins",), what="nobody could lift a stop", instead=instead)
    for key in ("admins", "stoppers"):
        for i, who in texts(data.get(key)):
            if not is_one_person(who):
                yield Mistake(path=(key, i), what=f"{who!r} names nobody", instead=A_PERSON)


def named(data: Data) -> Iterator[Mistake]:
    """Owners of notes, of code and of assets."""
    for path, who in _owners(data):
        if isinstance(who, str) and not is_somebody(who):
            yield Mistake(path=path, what=f"{who!r} names nobody", instead=SOMEBODY)


def channels(data: Data) -> Iterator[Mistake]:
    """Channels that are neither a name nor an id."""
    lists: list[tuple[Path, object]] = [(("alert_channels",), data.get("alert_channels"))]
    for name, domain in described(data, "domains"):
        lists.append((("domains", name, "channels"), domain.get("channels")))
    for path, given in lists:
        for i, channel in texts(given):
            if not _CHANNEL.match(channel):
                instead = '"#name" in quotes, or the channel\'s id (C…)'
                yield Mistake(path=(*path, i), what=f"{channel!r} is no channel", instead=instead)


def _owners(data: Data) -> Iterator[tuple[Path, object]]:
    for i, note in enumerate(items(data.get("notes"))):
        yield ("notes", i, "owner"), mapping(note).get("owner")
    for name, rule in described(data, "assets"):
        yield ("assets", name, "code_owner"), rule.get("code_owner")
    for name, domain in described(data, "domains"):
        for pattern, who in mapping(domain.get("owners")).items():
            yield ("domains", name, "owners", str(pattern)), who

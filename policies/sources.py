"""Who posts alerts: whom dw.yml names, whom an admin bound in Slack, and who is heard but known to nobody."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from policies.alert import Alert, Ignored
from policies.autonomy.setting import is_admin
from policies.people import Person
from policies.recognise import SYSTEMS, UNKNOWN, UNREADABLE, UNRECOGNISED
from policies.rules import AlertSender, Rules
from policies.signal import Sender, Signal

Outcome = Literal["understood", "unread", "ignored", "unknown"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Binding:
    """An admin's word on one sender: bound to a system and a connection, or (both None) to nothing any more.

    `sender` is its bot id, or its app id where it has none.
    """

    number: int
    sender: str
    bot_id: str | None
    app_id: str | None
    system: str | None
    connection: str | None
    by: str
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """One message of a sender, and what became of it; `place` is `channel:ts`."""

    sender: str
    bot_id: str | None
    app_id: str | None
    name: str
    outcome: Outcome
    at: datetime
    place: str | None
    reads_like: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Sighting:
    """All that was heard of one sender since it was bound last. `odd_place` is the last that nobody understood."""

    sender: str
    bot_id: str | None
    app_id: str | None
    name: str
    understood: int
    unread: int
    ignored: int
    unknown: int
    last_at: datetime
    place: str | None
    odd_place: str | None
    reads_like: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """One sender, as people are shown it: `named` is its entry of dw.yml, `binding` the one in force."""

    sender: str
    seen: Sighting | None
    named: AlertSender | None
    binding: Binding | None
    lost: bool = False

    @property
    def known(self) -> bool:
        """True when its alerts count."""
        return self.named is not None or (self.binding is not None and not self.lost)


@dataclass(frozen=True, kw_only=True, slots=True)
class Sources:
    """All of them, and what the person who looks may do. `guesses` are by sender."""

    all: Sequence[Source]
    may_bind: bool
    admins: Sequence[str]
    systems: Sequence[str]
    connections: Sequence[str]
    guesses: Mapping[str, tuple[str, str]]

    def guess(self, source: Source) -> tuple[str, str]:
        """The system and the connection that fit best, to be confirmed."""
        return self.guesses[source.sender]


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """What somebody wants a sender to be; without system and connection, nothing any more."""

    sender: str
    person: str
    system: str | None = None
    connection: str | None = None


def name_of(sender: Sender) -> str | None:
    """What a sender is known by; None for people."""
    return sender.bot_id or sender.app_id


def in_force(bindings: Sequence[Binding]) -> dict[str, Binding]:
    """Sender → its binding; the last word counts."""
    last = {binding.sender: binding for binding in bindings}
    return {name: binding for name, binding in last.items() if binding.system}


def senders(rules: Rules, bindings: Sequence[Binding]) -> tuple[AlertSender, ...]:
    """Everybody whose alerts count: those of dw.yml first. A connection that is gone binds nobody."""
    bound = in_force(bindings).values()
    return (*rules.senders, *(_sender(one) for one in bound if one.connection in rules.connections))


def outcome(found: Alert | Ignored) -> Outcome:
    """What became of a message."""
    if isinstance(found, Alert):
        return "understood"
    if found.reason == UNKNOWN:
        return "unknown"
    odd = found.reason == UNRECOGNISED or found.reason.startswith(UNREADABLE)
    return "unread" if odd else "ignored"


def seen(signal: Signal, found: Alert | Ignored, reads_like: Sequence[str] = ()) -> Seen | None:
    """This message for the counts; None when no app posted it to a channel."""
    name = name_of(signal.sender)
    if name is None or signal.source != "slack":
        return None
    return Seen(
        sender=name,
        bot_id=signal.sender.bot_id,
        app_id=signal.sender.app_id,
        name=signal.posted_as[:_NAME],
        outcome=outcome(found),
        at=signal.received_at,
        place=f"{signal.channel}:{signal.ts}" if signal.channel and signal.ts else None,
        reads_like=tuple(reads_like),
    )


def overview(
    rules: Rules, bindings: Sequence[Binding], heard: Sequence[Sighting]
) -> Sequence[Source]:
    """Every sender: those that nobody knows and that read like alerts first, then by when they were heard."""
    bound = in_force(bindings)
    known = {one.sender: one for one in heard}
    found = [
        Source(
            sender=name,
            seen=known.get(name),
            named=_named(rules, known.get(name)),
            binding=bound.get(name),
            lost=name in bound and bound[name].connection not in rules.connections,
        )
        for name in dict.fromkeys((*known, *bound))
    ]
    return sorted([*found, *_silent(rules, heard)], key=_urgency)


def shown_to(
    person: Person | None, rules: Rules, bindings: Sequence[Binding], heard: Sequence[Sighting]
) -> Sources:
    """What one person is shown."""
    found = overview(rules, bindings, heard)
    return Sources(
        all=found,
        may_bind=is_admin(rules, person),
        admins=rules.admins,
        systems=tuple(SYSTEMS),
        connections=tuple(rules.connections),
        guesses={
            one.sender: guess(rules, one.seen.reads_like if one.seen else ()) for one in found
        },
    )


def refusal(
    rules: Rules,
    person: Person | None,
    wish: Wish,
    bindings: Sequence[Binding],
    heard: Sequence[Sighting],
) -> str | None:
    """Why this person may not have this, or None."""
    if not is_admin(rules, person):
        who = ", ".join(rules.admins) or "nobody is named there"
        return f"only an admin named in dw.yml may say who posts alerts ({who})"
    bound = wish.sender in in_force(bindings)
    if wish.system is None:
        return None if bound else f"{wish.sender} is bound to nothing"
    sighting = next((one for one in heard if one.sender == wish.sender), None)
    if sighting is None:
        return f"nobody has heard of {wish.sender} in an alert channel"
    if _named(rules, sighting):
        return f"{wish.sender} is named in dw.yml: change it there"
    return "it is bound already: unbind it first" if bound else _no_such(rules, wish)


def guess(rules: Rules, reads_like: Sequence[str]) -> tuple[str, str]:
    """The system and the connection that fit best, to be confirmed."""
    system = next((name for name in reads_like if name in SYSTEMS), next(iter(SYSTEMS)))
    kinds = {name: connection.kind for name, connection in rules.connections.items()}
    kind = _KINDS.get(system, system)
    fits = [name for name, of in kinds.items() if of == kind]
    return system, (fits or list(kinds))[0]


#: system → the kind of connection it speaks about, where the two are called differently
_KINDS = {
    "dagsterplus": "dagster",
    "astro": "airflow",
    "grafana": "airflow",
    "elementary": "dbt_cloud",
}
_NAME = 80


def _no_such(rules: Rules, wish: Wish) -> str | None:
    if wish.system not in SYSTEMS:
        return f"there is no system {wish.system!r}; there are {', '.join(SYSTEMS)}"
    if wish.connection not in rules.connections:
        return (
            f"dw.yml has no connection {wish.connection!r}; it has {', '.join(rules.connections)}"
        )
    return None


def _sender(binding: Binding) -> AlertSender:
    app = None if binding.bot_id else binding.app_id
    return AlertSender(
        bot_id=binding.bot_id,
        app_id=app,
        system=binding.system or "",
        connection=binding.connection or "",
    )


def _named(rules: Rules, sighting: Sighting | None) -> AlertSender | None:
    if sighting is None:
        return None
    sender = Sender(bot_id=sighting.bot_id, app_id=sighting.app_id)
    return next((known for known in rules.senders if known.fits(sender)), None)


def _silent(rules: Rules, heard: Sequence[Sighting]) -> list[Source]:
    """Those of dw.yml that never said anything."""
    quiet = [
        one
        for one in rules.senders
        if not any(one.fits(Sender(bot_id=s.bot_id, app_id=s.app_id)) for s in heard)
    ]
    return [
        Source(sender=one.bot_id or one.app_id or "", seen=None, named=one, binding=None)
        for one in quiet
    ]


def _urgency(source: Source) -> tuple[bool, float]:
    at = source.seen.last_at.timestamp() if source.seen else 0.0
    alarming = not source.known and bool(source.seen and source.seen.reads_like)
    return not alarming, -at

"""Who posts in the alert channels: whose alerts that is, what was understood of it, and who said so."""

from collections.abc import Sequence

from handlers import ids
from handlers.blocks import (
    Block,
    Message,
    View,
    actions,
    button,
    choice_field,
    context,
    divider,
    message,
    modal,
    section,
)
from handlers.mrkdwn import code, line, link, plural, when, who
from handlers.views.trouble import shown
from policies.sources import Binding, Sighting, Source, Sources

SHOWN = 15
_NAME = 30
_FOOT = "Only what a known sender posts opens an incident; words alone never do. What is not understood is kept."


def sources(found: Sources, home: str) -> Message:
    """Every sender, those that want a look first."""
    parts: list[Block | None] = [section("*Who posts in the alert channels*")]
    for source in found.all[:SHOWN]:
        parts += [divider(), section(_source(source, home))]
        parts.append(_buttons(source) if found.may_bind else None)
    more = len(found.all) - SHOWN
    parts.append(section(f"{plural(more, 'more sender')} not shown") if more > 0 else None)
    if not found.may_bind and any(not one.known for one in found.all):
        admins = ", ".join(map(who, found.admins)) or "nobody: dw.yml names no admin"
        parts.append(section(f"Who may bind a sender: {admins}"))
    return message("Who posts in the alert channels", [*parts, context(_FOOT)])


def bind_form(found: Sources, sender: str, meta: str) -> View:
    """Whose alerts these are, with the answer that fits best chosen already."""
    source = next((one for one in found.all if one.sender == sender), None)
    if source is None or source.known:
        text = f"{code(sender, 40)} is bound already, or was not heard. Nothing was changed."
        return shown("Not now", Message(text=text))
    system, connection = found.guess(source)
    return modal(
        ids.BIND_VIEW,
        "Bind a sender",
        [
            section(
                f"{_name(source)}\nFrom now on what it posts is read as alerts, and may open incidents. "
                "What it posted in the last hour is read again. `/dw sources` takes it back."
            ),
            choice_field(
                ids.SYSTEM_BLOCK,
                ids.SYSTEM,
                "Whose alerts are these?",
                _chosen(system, found.systems),
            ),
            choice_field(
                ids.CONNECTION_BLOCK,
                ids.CONNECTION,
                "Which connection do they speak about?",
                _chosen(connection, found.connections),
            ),
        ],
        submit="Bind",
        private_metadata=meta,
    )


def _chosen(name: str, names: Sequence[str]) -> list[tuple[str, str]]:
    """The one that fits best first: that is what the form begins with."""
    return [(one, one) for one in dict.fromkeys((name, *names))]


def _source(source: Source, home: str) -> str:
    lines = [_name(source), _bound(source)]
    if source.seen:
        lines.append(_counts(source.seen, home))
    return "\n".join(lines)


def _name(source: Source) -> str:
    name = line(source.seen.name, 60) if source.seen and source.seen.name else "no name told"
    return f"*{name}* {code(source.sender, 40)}"


def _bound(source: Source) -> str:
    if source.named:
        named = source.named
        return f"{code(named.system, 40)} about {code(named.connection, 60)}, by dw.yml" + (
            "" if source.seen else "; not heard yet"
        )
    if source.binding:
        return _by(source.binding, lost=source.lost)
    like = ", ".join(source.seen.reads_like) if source.seen else ""
    return "*Unknown sender*: " + (f"reads like {like}" if like else "reads like no alert I know")


def _by(binding: Binding, *, lost: bool) -> str:
    words = f"{code(binding.system or '', 40)} about {code(binding.connection or '', 60)}"
    gone = "; *that connection is gone from dw.yml, so nothing is read*" if lost else ""
    return f"{words}, bound by {who(binding.by)} {when(binding.at)}{gone}"


def _counts(seen: Sighting, home: str) -> str:
    """`*1 not understood* · 12 understood · last …`; what wants a look leads to its last message."""
    odd = seen.odd_place
    told = (
        (seen.unread, "not understood", odd),
        (seen.unknown, "kept", odd),
        (seen.understood, "understood", None),
        (seen.ignored, "ignored", None),
    )
    said = [_linked(home, place, f"{count} {words}") for count, words, place in told if count]
    last = _linked(home, seen.place if seen.place != odd else None, "last")
    return " · ".join([*said, f"{last} {when(seen.last_at)}"])


def _linked(home: str, place: str | None, words: str) -> str:
    found = _link(home, place, words)
    return f"*{found}*" if found and words != "last" else found or words


def _link(home: str, place: str | None, label: str) -> str:
    channel, _, ts = (place or "").partition(":")
    return link(f"{home}archives/{channel}/p{ts.replace('.', '')}", label) if home and ts else ""


def _buttons(source: Source) -> Block | None:
    if source.named:
        return None
    name = source.seen.name if source.seen and source.seen.name else source.sender
    if source.binding:
        return actions(button(f"Unbind {name[:_NAME]}", ids.UNBIND, source.sender))
    return actions(button(f"Bind {name[:_NAME]}…", ids.BIND, source.sender))

"""The doctor at the alert channels: is everything understood that known senders post, and is anybody unknown?"""

from collections.abc import Sequence

from bot.cli.speaking import many
from bot.health import Finding
from policies.sources import Sighting

_LOOK = "`/dw sources` in Slack shows them"


def posters(heard: Sequence[Sighting]) -> list[Finding]:
    """One line for all that is well, or one for each sender that wants a look."""
    wanting = [_unread(one) for one in heard if one.unread]
    wanting += [_unknown(one) for one in heard if one.unknown and one.reads_like]
    if wanting:
        return wanting
    says = f"{many(len(heard), 'app')} heard in the alert channels, nothing wants a look"
    return [Finding(name="sources", ok=True, says=says)]


def _unread(one: Sighting) -> Finding:
    says = f"{many(one.unread, 'message')} of {_named(one)} not understood, and kept → {_LOOK}"
    return Finding(name="sources", ok=None, says=says)


def _unknown(one: Sighting) -> Finding:
    like = ", ".join(one.reads_like)
    says = f"{_named(one)} posts what reads like {like}, and opens nothing → an admin binds it: /dw sources"
    return Finding(name="sources", ok=None, says=says)


def _named(one: Sighting) -> str:
    """Names are anybody's choice: one line, no more."""
    name = " ".join(one.name.split())
    return f"{name} ({one.sender})" if name.isprintable() and name else one.sender

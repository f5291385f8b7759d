"""All connections side by side: what is read and changed there, how well each is seen, what halts it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.ports import Stop
from policies.kinds import KINDS, runs
from policies.rules import Rules
from policies.sight import Sight


@dataclass(frozen=True, kw_only=True, slots=True)
class ConnectionLine:
    """One connection: what is read there, the jobs that may be run, or why nothing may be changed.

    `polled`: it is looked at by itself. `stop` is what halts it now.
    """

    name: str
    kind: str
    reads: str
    read_only: bool
    jobs: tuple[str, ...]
    polled: bool
    blind: bool
    sight: Sight | None
    stop: Stop | None
    why_not: str | None = None


def lines_of(
    rules: Rules, sights: Mapping[str, Sight], stops: Sequence[Stop], now: datetime
) -> list[ConnectionLine]:
    """One line for each, in the order of dw.yml."""
    halted = {stop.scope: stop for stop in stops}
    return [
        ConnectionLine(
            name=name,
            kind=connection.kind,
            reads=KINDS[connection.kind].reads,
            read_only=connection.read_only,
            jobs=tuple(connection.jobs),
            polled=rules.poll_every is not None and runs(connection.kind),
            blind=name in sights and sights[name].blind(now, rules.blind_after),
            sight=sights.get(name),
            stop=halted.get("*") or halted.get(f"connection:{name}"),
        )
        for name, connection in rules.connections.items()
    ]

"""Who posts alerts, as the database remembers it: what admins said, and what was heard."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from bot.commands import Received
from bot.ports.values import Due, NewDue
from policies.sources import Binding, Seen, Sighting


class Sources(Protocol):
    """Bindings are only ever appended to; sightings are counts, one row a sender."""

    async def bindings(self) -> Sequence[Binding]:
        """Every word on a sender, in order."""
        ...

    async def bind(self, binding: Binding, *, done: Due, due: Sequence[NewDue]) -> None:
        """Append it, begin the sender's counts anew, and finish the row that asked. `StaleIncident`."""
        ...

    async def sightings(self) -> Sequence[Sighting]:
        """Every sender that was heard."""
        ...

    async def sighted(self, seen: Seen, done: Due) -> None:
        """Count one message and finish its row, in one transaction: each is counted once."""
        ...

    async def signals_of(self, sender: str, since: datetime) -> Sequence[Received]:
        """What this sender posted since then, as it was received, oldest first; a thousand at most."""
        ...

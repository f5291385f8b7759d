"""What the listeners need of the desk, as an interface: the real one is `bot.desk`, the tests have a fake."""

from collections.abc import Sequence
from typing import Protocol

from bot.commands import LiftStop, Received, StopAll
from bot.ports import DueStats, IncidentLine, Stop
from policies.events import Entry
from policies.incident import Incident, RequestState
from policies.people import Person
from policies.receipt import Receipt


class Status(Protocol):
    """How everything stands."""

    @property
    def open(self) -> Sequence[IncidentLine]:
        """Open incidents, newest first."""
        ...

    @property
    def stats(self) -> DueStats:
        """The work that waits."""
        ...

    @property
    def stopped(self) -> Stop | None:
        """The stop in force."""
        ...


class Desk(Protocol):
    """Takes what arrived, and answers questions about what is stored. Raises `StoreUnavailable`."""

    async def receive(self, item: Received) -> bool:
        """Store it. False when its key is known already."""
        ...

    async def stop(self, command: StopAll) -> str:
        """Halt everything; what to tell the person."""
        ...

    async def lift(self, command: LiftStop, person: Person) -> str:
        """Take the halt back, if this person may; what to tell them."""
        ...

    async def status(self) -> Status:
        """How everything stands."""
        ...

    async def incidents(self, *, open_only: bool = True, limit: int = 20) -> Sequence[IncidentLine]:
        """Newest first."""
        ...

    async def look(self, incident_id: str) -> tuple[Incident, Sequence[Entry]] | None:
        """One incident with its journal."""
        ...

    async def about(self, words: str) -> Incident | None:
        """The incident somebody means by an id, a job or an asset."""
        ...

    async def waiting(self, person_id: str | None) -> Sequence[tuple[Incident, RequestState]]:
        """Open requests."""
        ...

    async def receipts(self, limit: int) -> Sequence[Receipt]:
        """The newest receipts."""
        ...

    async def receipt(self, number: int) -> Receipt | None:
        """One receipt."""
        ...

    async def stopped(self) -> Stop | None:
        """The stop in force."""
        ...

"""What a worker has in hand: its leases are prolonged while it works, and what it lost is let go.

A process that was paused or cut off for longer than its lease wakes up in the middle of something that
somebody else does by now. It is told here, and everything it would store is refused by the store.
"""

import asyncio
from datetime import timedelta

import structlog

from bot.ports import Due, StaleIncident, StoreUnavailable
from bot.worker.context import Context

log = structlog.get_logger("worker")
_LATEST = 60.0


class Hands:
    """The claimed rows of one worker, each with the task that works on it."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._held: dict[int, tuple[Due, asyncio.Task[None]]] = {}
        self._stranded: list[Due] = []

    def take(self, due: Due, task: asyncio.Task[None]) -> None:
        """This task works on it until it ends."""
        self._held[due.id] = (due, task)
        task.add_done_callback(lambda _: self._ended(due))

    def strand(self, due: Due) -> None:
        """The database went away under it: it is given back as soon as there is one again."""
        self._stranded.append(due)

    async def give_back(self) -> None:
        """Free what was stranded, so that nobody waits for its lease. Raises `StoreUnavailable`.

        Later each time: what can't be stored although there is a database must not go round and round.
        """
        while self._stranded:
            due = self._stranded[0]
            at = self._context.later(min(2 ** (due.attempts - 1), _LATEST))
            await self._context.store.again(due, at, error="the database was away")
            self._stranded.pop(0)

    async def beat(self) -> None:
        """Prolong every lease, and break off the work on what somebody else has taken."""
        held = list(self._held.values())
        if not held:
            return
        until = self._context.now() + self._context.pace.lease
        ours = await self._context.store.renew([due for due, _ in held], until)
        for due, task in held:
            if due.id not in ours and not task.done():
                log.warning("claim_lost", key=due.key)
                task.cancel()

    async def keep(self) -> None:
        """Beat three times a lease until cancelled; a database that is away is asked again."""
        while True:
            await asyncio.sleep(self._context.pace.lease / timedelta(seconds=3))
            try:
                await self.beat()
            except (StoreUnavailable, StaleIncident) as problem:
                log.warning("leases_not_prolonged", problem=str(problem))

    def _ended(self, due: Due) -> None:
        held = self._held.get(due.id)
        if held is not None and held[0].claim == due.claim:
            del self._held[due.id]

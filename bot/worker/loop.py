"""Claims what is due and does it: bounded, by lease, with one broad `except` that reschedules."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta

import structlog

from bot.ports import (
    ClaimLost,
    Due,
    RetryAfter,
    StaleIncident,
    StoreUnavailable,
    Undeliverable,
    Unstorable,
)
from bot.worker.context import Context, DomainGone
from bot.worker.giving_up import enough, give_up, plain
from bot.worker.holding import Hands
from connectors.errors import Throttled, Transient

Work = Callable[[Context, Due], Awaitable[None]]
log = structlog.get_logger("worker")

_IDLE_SECONDS = 1.0
_LEAST_SECONDS = 0.02
_GLANCES = 25
_BATCH = 16


class Worker:
    """One loop. `wake` is set by whoever wrote a row that is due now; else it looks every second.

    What it does itself makes more work due, so the end of each row wakes it too. While something is
    `arriving` it takes nothing new, for half a second at most: acks are waited for, work is not.
    """

    def __init__(
        self,
        context: Context,
        kinds: Mapping[str, Work],
        wake: asyncio.Event,
        arriving: Callable[[], bool] = bool,
    ) -> None:
        self._context, self._kinds, self._wake = context, kinds, wake
        self._arriving = arriving
        self._slots = asyncio.Semaphore(_BATCH)
        self._in_hand = Hands(context)
        self._stopping = False
        self.last_look = context.now()

    def stop(self) -> None:
        """Finish what is in hand, take nothing new."""
        self._stopping = True
        self._wake.set()

    async def run(self) -> None:
        """Work until `stop`; returns when what was in hand is done."""
        async with asyncio.TaskGroup() as beside:
            leases = beside.create_task(self._in_hand.keep())
            async with asyncio.TaskGroup() as hands:
                while not self._stopping:
                    if not await self._round(hands):
                        await self._rest()
            leases.cancel()

    async def once(self) -> int:
        """Do everything that is due now and return how many rows that was (for tests)."""
        done = 0
        while rows := await self._claim():
            for due in rows:
                await self._do(due)
            done += len(rows)
        return done

    async def _round(self, hands: asyncio.TaskGroup) -> bool:
        await self._slots.acquire()
        self._slots.release()
        try:
            await self._let_arrive()
            await self._in_hand.give_back()
            rows = await self._claim()
        except (StoreUnavailable, StaleIncident) as problem:
            log.warning("store_unavailable", problem=str(problem))
            return False
        for due in rows:
            await self._slots.acquire()
            self._in_hand.take(due, hands.create_task(self._held(due)))
        return bool(rows)

    async def _let_arrive(self) -> None:
        for _ in range(_GLANCES):
            if not self._arriving():
                return
            await asyncio.sleep(_LEAST_SECONDS)

    async def _claim(self) -> list[Due]:
        now = self._context.now()
        self.last_look = now
        lease = self._context.pace.lease
        return list(await self._context.store.claim(now, limit=_BATCH, lease=lease))

    async def _held(self, due: Due) -> None:
        try:
            await self._do(due)
        finally:
            self._slots.release()
            self._wake.set()

    async def _rest(self) -> None:
        try:
            async with asyncio.timeout(await self._idle()):
                await self._wake.wait()
        except TimeoutError:
            return
        self._wake.clear()

    async def _idle(self) -> float:
        """Until the next row is due, in seconds; a second at most, for others write rows too."""
        try:
            at = await self._context.store.next_at()
        except StoreUnavailable:
            return _IDLE_SECONDS
        left = (at - self._context.now()).total_seconds() if at else _IDLE_SECONDS
        return min(max(left, _LEAST_SECONDS), _IDLE_SECONDS)

    async def _do(self, due: Due) -> None:
        structlog.contextvars.bind_contextvars(incident=due.incident_id, due=due.key)
        try:
            await self._kinds[due.kind](self._context, due)
            self._context.metrics.handled.labels(kind=due.kind, result="done").inc()
        except ClaimLost as lost:
            log.warning("claim_lost", problem=str(lost))
        except Exception as problem:  # noqa: BLE001 - the worker's loop: nothing may end it, nothing is lost
            await self._set_aside(due, problem)
        finally:
            structlog.contextvars.unbind_contextvars("incident", "due")

    async def _set_aside(self, due: Due, problem: Exception) -> None:
        """Give the row back for later, or stop retrying it and say so."""
        context = self._context
        context.metrics.handled.labels(kind=due.kind, result="set_aside").inc()
        try:
            match problem:
                case StaleIncident():
                    await self._soon(due, 0.05, plain(problem))
                case _ if enough(context, due, problem):
                    log.error("poisoned", problem=str(problem), exc_info=_trace(problem))
                    await give_up(context, due, problem)
                case RetryAfter(lasting=True) as wait:
                    said = plain(problem)
                    await context.store.again(due, context.later(wait.seconds), error=said)
                case RetryAfter() as wait:
                    await self._soon(due, wait.seconds, str(wait) if wait.tried else None)
                case StoreUnavailable() if not isinstance(problem, Unstorable):
                    raise problem
                case Undeliverable():
                    log.error("undeliverable", problem=str(problem))
                    await context.store.poison(due, plain(problem))
                case _:
                    await self._retry(due, problem)
        except (StoreUnavailable, StaleIncident) as gone:
            log.warning("store_unavailable", problem=str(gone))
            self._in_hand.strand(due)

    async def _soon(self, due: Due, seconds: float, tried: str | None) -> None:
        """No failure; `tried` tells what came of it when it may have been carried out all the same."""
        at = self._context.later(seconds)
        await self._context.store.again(due, at, error=tried, counts=False)

    async def _retry(self, due: Due, problem: Exception) -> None:
        log.warning("again", problem=str(problem), exc_info=_trace(problem))
        wait = timedelta(seconds=min(2 ** min(due.attempts, 9), 300))
        if isinstance(problem, Throttled):
            wait = max(wait, timedelta(seconds=problem.retry_after))
        await self._context.store.again(due, self._context.now() + wait, error=plain(problem))


def _trace(problem: Exception) -> Exception | None:
    """Where it was raised tells nothing about what is known to happen."""
    known = (Transient, RetryAfter, Unstorable, DomainGone)
    return None if isinstance(problem, known) else problem

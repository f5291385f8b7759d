"""One night over the real desk, worker and store: it begins, anything happens, and time simply passes at its end."""

from collections.abc import Awaitable, Mapping
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, Final, Self

from structlog.testing import capture_logs

from bot.ports import Due, StoreUnavailable
from bot.store.engine import Database
from bot.store.store import SqlStore
from bot.worker.context import Context
from bot.worker.kinds import KINDS
from bot.worker.loop import Work
from policies.incident import StepPhase
from policies.run import RunState
from tests.bot.worker.world import a_world
from tests.clock import FakeClock
from tests.machine.changes import Changes
from tests.machine.law import Law
from tests.machine.mortal import Died, Fate, Restless, mortal_worker
from tests.machine.moves import Moves
from tests.machine.reaper import Countdown, Doomed

_DRAIN = 8
_OWNER, _GROUP = {"who": "owner", "within": "5m"}, {"who": "@data-oncall", "within": "3m"}
_DEE = {"who": "dee@example.com", "within": "3m"}
_ALONE = {"budget": {"runs_a_day": 2, "reach": 9}, "record": {"receipts": 1}}


async def _unseen(context: Context, due: Due) -> None:
    await context.store.finish(due)


#: nobody looks at Slack: what is shown there is a third of the work and changes nothing here
QUIET: Final[Mapping[str, Work]] = {**KINDS, "show": _unseen}


class Night:
    """Everything that is done is judged at once. With `quiet` nothing is shown in Slack."""

    def __init__(self, url: str, *, dee: bool = False, quiet: bool = True, **domain: Any) -> None:
        chain = [_OWNER, _GROUP, *([_DEE] if dee else [])]
        self.url, self.domain = url, {"chain": chain, **_ALONE, **domain}
        self.kinds = QUIET if quiet else KINDS
        self.fate, self.stack = Fate(), AsyncExitStack()

    async def __aenter__(self) -> Self:
        # kept as it is: to render what went wrong takes longer than the night
        self.logs = self.stack.enter_context(capture_logs())
        opened = a_world(self.url, FakeClock(), **self.domain)
        self.world = await self.stack.enter_async_context(opened)
        self.clock = self.world.clock
        self.law, self.moves = Law(self.world), Moves(self.world)
        self.changes = Changes(self.world, self.law, self.domain)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if error is None:
                await self.ends()
        finally:
            await self.stack.aclose()

    async def do(self, *works: Awaitable[None]) -> None:
        """One after the other; after each, everything new is judged."""
        for work in works:
            await work
            await self.law.judge()
            self._nothing_unforeseen()

    def _nothing_unforeseen(self) -> None:
        """Work that fails in a way nobody thought of is tried again, and so hides what is wrong."""
        found = [log["exc_info"] for log in self.logs if log.get("exc_info")]
        assert not found, f"work failed with {found[0]!r}"
        self.logs.clear()

    async def work(self, rounds: int = 2) -> None:
        """Do what is due, also what is put off by a moment; a death leaves the rest to who comes next."""
        worker = mortal_worker(self.world.context, self.kinds, self.fate)
        end = Countdown(self.fate.awaits)
        try:
            for _ in range(rounds):
                await (Doomed(worker.once(), end) if self.fate.awaits else worker.once())
                self.clock.advance(seconds=1)
        except Restless:
            raise AssertionError("the work that is due never ends") from None
        except (Died, StoreUnavailable):
            pass
        self.fate = Fate(turn=self.fate.turn + 1)

    async def later(self, seconds: float, times: int = 1) -> None:
        """Time passes, and what is due is done."""
        for _ in range(times):
            self.clock.advance(seconds=seconds)
            await self.do(self.work())

    async def tap(self, person: str, choice: str = "yes", **how: bool) -> None:
        """Somebody decides, and it is taken up."""
        await self.do(self.moves.decide(person, choice, **how), self.work())

    async def goes_well(self, times: int = 1) -> None:
        """So many things happen that must, for it to end well."""
        for _ in range(times):
            await self.do(self.moves.goes_well(), self.work())
            await self.later(12)

    async def until(self, doer: str, *phases: StepPhase) -> None:
        """It goes well until a step of the bot, or of a person, is there; or not for ever."""
        for _ in range(5):
            if await self.moves.stands(doer, *phases):
                return
            await self.goes_well()

    async def dies(self, fate: Fate, *, after: float = 61) -> None:
        """It dies in what happens next; another goes on when the lease is over."""
        self.fate = fate
        await self.do(self.work())
        self.clock.advance(seconds=after)

    async def ends(self) -> None:
        """Nobody says anything any more: everything must come to an end, and nothing may be left over."""
        await self.changes.heal()
        for _ in range(_DRAIN):
            self.moves.runs_end(RunState.SUCCEEDED)
            await self.later(4000)
            if not await self.world.store.incidents(open_only=True, limit=1):
                break
        assert await self.asked() == [], "a request never ended"
        await self._nothing_lost()
        await self._as_stored()

    async def asked(self) -> list[str]:
        """The requests that wait."""
        lines = await self.world.store.incidents(open_only=False, limit=99)
        known = [await self.world.store.load(line.id) for line in lines]
        still = [one for one in known if one and not one.phase.closed]
        return [state.request.id for one in still for state in one.open_requests()]

    async def _nothing_lost(self) -> None:
        """Whatever anybody said was taken up."""
        stats = await self.world.store.stats(self.clock.now())
        assert not [key for key in stats.poisoned if key.startswith("intake:")], stats.poisoned
        for line in await self.world.store.incidents(open_only=False, limit=99):
            waits = await self.world.store.pending("intake", line.id)
            assert not waits, "what somebody said was never taken up"

    async def _as_stored(self) -> None:
        """Somebody who remembers nothing reads the same from the database."""
        afresh = SqlStore(Database(self.url))
        for line in await self.world.store.incidents(open_only=False, limit=99):
            known = await self.world.store.load(line.id)
            assert await afresh.load(line.id) == known
        await afresh.close()

"""A night in which every piece of work and every ack is in the reaper's hands."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final, Self

from bot.commands import Received
from bot.desk import Desk
from bot.ports import Due
from bot.store.store import SqlStore
from bot.worker.context import Context
from bot.worker.loop import Work, Worker
from policies import events as e
from policies.incident import Phase
from policies.run import RunState
from policies.systems import Job
from tests.machine.moments import asked
from tests.machine.mortal import Died
from tests.machine.night import Night
from tests.machine.reaper import Doomed, Reaper, Sandman, Slow

_LEASE = timedelta(seconds=1)
_SYSTEMS = ("readers", "orchestrators", "actuators")
_PATIENT = ({"who": "owner", "within": "900h"},)
#: several that start in one night, so that fewer nights are needed
_MORE: Final = ("growth_daily_job", "growth_monthly_job", "growth_yearly_job")


class Perilous(Night):
    """Whoever dies is followed by another, who remembers nothing, after the lease."""

    def __init__(self, url: str, reaper: Reaper, *, quiet: bool = True) -> None:
        super().__init__(url, quiet=quiet, act_within="999h", jobs=["growth_*", "sessions_job"])
        self.domain = {**self.domain, "chain": list(_PATIENT)}
        self.reaper = reaper

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        jobs = self.world.context.rules.connections["dagster"].jobs
        for name in _MORE:
            jobs[name] = Job(builds=[f"agg_{name}"], after=["fct_daily_active_users"])
        self.world.desk = Insistent(self.world.desk, self.reaper)  # type: ignore[assignment]
        return self

    async def happens(self) -> None:
        """From the alert to the last run."""
        await asked(self)
        await self.tap("U0ANA")
        self.world.launch()
        await self.later(15, times=2)
        self.moves.runs_end(RunState.SUCCEEDED)

    async def ends(self) -> None:
        """Nothing is lost and nothing doubled: one decision, one run of each step, one receipt, all as it should."""
        await super().ends()
        incident = await self.moves.incident()
        assert incident is not None
        assert incident.phase is Phase.RESOLVED, f"it ended as {incident.phase}"
        entries = await self.world.store.entries(incident.id)
        facts = Counter(type(entry.event) for entry in entries)
        once = (e.Planned, e.ApprovalRequested, e.DecisionMade, e.ApprovalGranted, e.ReceiptIssued)
        assert {facts[kind] for kind in once} == {1}, facts
        assert facts[e.ActionStarted] == len(self.world.runs.started) == len(_MORE) + 1
        assert len(await self.world.store.incidents(open_only=False, limit=9)) == 1

    async def work(self, rounds: int = 2) -> None:
        """Until nothing is due."""
        kinds = {name: self._marked(name, work) for name, work in self.kinds.items()}
        for _ in range(rounds):
            while not await self._lived(kinds):
                self.clock.advance(_LEASE)
            self.clock.advance(seconds=1)

    async def _lived(self, kinds: Mapping[str, Work]) -> bool:
        worker = Worker(self._life(), kinds, asyncio.Event())
        self.reaper.begins("claim")
        try:
            await Doomed(worker.once(), self.reaper)
        except Died:
            return False
        return True

    def _marked(self, name: str, work: Work) -> Work:
        async def marked(context: Context, due: Due) -> None:
            self.reaper.begins(name)
            await work(context, due)
            self.reaper.begins("claim")

        return marked

    async def others(self) -> None:
        """While one sleeps through its lease, another does all that is due."""
        self.clock.advance(2 * _LEASE)
        await Worker(self._life(), self.kinds, asyncio.Event()).once()

    def _life(self) -> Context:
        known, store = self.world.context, SqlStore(self.world.store.database)
        systems: dict[str, Any] = {
            part: {name: Slow(one) for name, one in getattr(known.systems, part).items()}
            for part in _SYSTEMS
        }
        ports: dict[str, Any] = {n: Slow(getattr(known, n)) for n in ("announcer", "directory")}
        return replace(
            known,
            store=Slow(store) if isinstance(self.reaper, Sandman) else store,  # type: ignore[arg-type]
            systems=replace(known.systems, **systems),
            pace=replace(known.pace, lease=_LEASE),
            alerts=asyncio.Lock(),
            **ports,
        )


class Insistent:
    """A desk that may die before its ack, and Slack, which delivers again what it got no ack for."""

    def __init__(self, desk: Desk, reaper: Reaper) -> None:
        self._desk, self._reaper = desk, reaper

    async def receive(self, item: Received) -> bool:
        """As often as it takes."""
        while True:
            self._reaper.begins("receive")
            try:
                return await Doomed(self._desk.receive(item), self._reaper)
            except Died:
                continue

"""Everything that goes wrong, again and again, until the campaign is over."""

import asyncio
import itertools
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from bot.sandbox.demo import seed
from bot.sandbox.workspace.wire.faults import Faults
from tests.faults.campaign.field import Field
from tests.faults.campaign.processes import Replica
from tests.postgres_server import Server, down, up

#: a process kills itself before one of so many changes of the database
_STATEMENTS = 60
_OUTAGE = 0.5
Blow = Callable[[], Awaitable[None]]


@dataclass
class Trouble:
    """Strikes about every `pause` seconds, `most` times. `server` is stopped and started when there is one."""

    field: Field
    pause: float
    server: Server | None = None
    most: int = 1_000_000
    struck: Counter[str] = field(default_factory=Counter)
    _doomed: dict[str, int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.field.outside.on = self.outside

    async def keep_up(self) -> None:
        """Whatever died is started again; every second life ends by its own hand in the middle of a change."""
        while True:
            for replica in self.field.replicas:
                if not replica.alive:
                    self._start(replica)
            await asyncio.sleep(0.02)

    async def strike(self) -> None:
        """One blow after the other, all kinds in turn."""
        for blow in itertools.islice(itertools.cycle(self._blows()), self.most):
            await asyncio.sleep(self.pause * self.field.chance.uniform(0.5, 1.5))
            await self.field.hears(1)
            await blow()
        self.most = 0

    async def outside(self, what: str, who: int) -> None:
        """The outside system was asked: some of those who ask die in this very moment."""
        if self._doomed.get(what, 0) > 0:
            self._doomed[what] -= 1
            self.struck[f"SIGKILL when a run is to be {_IN_WORDS[what]}"] += 1
            self.field.replicas[who].kill()

    def _blows(self) -> Sequence[Blow]:
        always = (self._kill, self._double, self._doom("start"), self._lose_acks)
        more = (self._lose_answers, self._doom("started"), self._double, self._doom("found"))
        return (*always, *((self._restart_database,) if self.server else ()), *more)

    def _start(self, replica: Replica) -> None:
        by_itself = replica.lives % 2 == 1 and self.most > 0
        number = self.field.chance.randrange(1, _STATEMENTS) if by_itself else 0
        self.struck["SIGKILL in the middle of a change of the database"] += by_itself
        replica.start(statements=number)

    async def _kill(self) -> None:
        self.struck["SIGKILL at any moment"] += 1
        self.field.chance.choice(self.field.replicas).kill()

    def _doom(self, what: str) -> Blow:
        async def doom() -> None:
            self._doomed[what] += 1

        return doom

    @property
    def _faults(self) -> Faults:
        return self.field.workspace.faults

    async def _double(self) -> None:
        self.struck["deliveries sent twice by Slack"] += 10
        self._faults.add("duplicate", 5)
        self._faults.add("duplicate", 5, same_envelope=True)

    async def _lose_acks(self) -> None:
        self.struck["acks lost on the way to Slack"] += 4
        self._faults.add("drop_ack", 4)
        self.field.workspace.abort(seed.BOT_APP)

    async def _lose_answers(self) -> None:
        self.struck["answers of Slack lost on the way to dw"] += 4
        self._faults.add("lost", 2, method="chat.postMessage")
        self._faults.add("lost", 2, method="chat.update")

    async def _restart_database(self) -> None:
        if self.server is None:
            return
        self.struck["PostgreSQL stopped and started"] += 1
        await asyncio.to_thread(down, self.server)
        await asyncio.sleep(_OUTAGE)
        await asyncio.to_thread(up, self.server)


_IN_WORDS = {
    "find": "looked for",
    "found": "started",
    "start": "accepted",
    "started": "told of",
}

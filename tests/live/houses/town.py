"""A town: one workspace, one real server, one database, and houses over them, each a process of its own."""

from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from bot.sandbox.demo import seed
from bot.sandbox.workspace import App, WorkspaceSeed, until
from bot.sandbox.workspace.state import Message
from bot.store.engine import Database
from bot.store.store import SqlStore
from policies.incident import Incident
from tests.faults.campaign.crew import QUICK
from tests.faults.campaign.outside import settled
from tests.faults.campaign.processes import Replica, end_all, last_words
from tests.journeys.clock import RunningClock
from tests.journeys.props import seeded
from tests.journeys.stage import Stage, a_stage
from tests.live.houses import child
from tests.live.houses.system import SENDER, System
from tests.live.houses.wires import Wires, before

SLOW = 90.0
"""Seconds for what real systems have to do first, also on a busy machine."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """How the town is built. `changes` are for the connection in dw.yml, `more` for dw.yml itself."""

    undo: str
    count: int = 1
    changes: Mapping[str, Any] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)
    secrets: Mapping[str, str] | None = None


@dataclass
class Town(Stage):
    """A stage whose houses are processes."""

    system: System = None  # type: ignore[assignment] # given by `a_town`
    wires: Wires = None  # type: ignore[assignment] # the same
    plan: Plan = None  # type: ignore[assignment] # the same
    folder: Path = Path()
    houses: list[Replica] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.store = SqlStore(Database(self.url))

    async def open(self) -> None:
        """Start every house, and wait until all hear."""
        for who, url in enumerate(self.wires.urls):
            rules = self.system.dw_yml(url, self.plan.undo, **self.plan.changes)
            told = {
                "url": self.url,
                "slack": self.workspace.api_url,
                "rules": {**rules, **self.plan.more},
                "secrets": dict(self.plan.secrets or self.system.secrets),
                "log": str(self.folder / f"house{who}.log"),
            }
            self.houses.append(Replica(who, told, child.main))
            self.houses[-1].start()
        await self.hears(len(self.houses))

    async def hears(self, houses: int) -> None:
        """Wait until so many are connected."""
        workspace, enough = self.workspace, 2 * houses
        await until(
            lambda: workspace.connections(seed.BOT_APP) == enough, SLOW, f"{enough} sockets"
        )

    def lost_its_claim(self, who: int) -> bool:
        """Whether this house has noticed that another one does by now what it had in hand."""
        said = (self.folder / f"house{who}.log").read_text().splitlines()
        return any("claim_lost" in line and '"act:' in line for line in said)

    async def shut(self) -> None:
        """End every house."""
        await end_all(self.houses)
        await self.store.close()

    async def incident(self, name: str = "DW-1") -> Incident:
        """As the database has it."""
        found = await self.store.load(name)
        assert found is not None
        return found

    # ------------------------------------------------------------------ the story

    async def asked(self) -> Message:
        """The failed run is told of in Slack; Ana's direct message that asks for a yes."""
        self.system.tells(self, self.wires.urls[0])
        return await self.dm("ana", within=SLOW)

    async def approved(self) -> None:
        """The failed run is told of, and Ana says yes."""
        await self.ana.click("Approve", on=await self.asked())

    async def key(self) -> str:
        """The key of the only step, as the server shows it."""
        [state] = (await self.incident()).steps.values()
        assert state.key is not None
        return self.system.shown(state.key)

    async def done(self) -> None:
        """Wait until the run has ended well."""

        async def look() -> bool:
            [state] = (await self.incident()).steps.values()
            assert state.phase.value not in ("failed", "uncertain"), self.thread()
            return state.phase.value == "done"

        await settled(look, SLOW, f"The end of the run\n{last_words(self.folder)}\n")

    async def once(self, *, sent: int = 1) -> None:
        """The run has ended, and the real server has exactly one of this key; `sent` requests would have started one."""
        await self.done()
        found = Counter(await self.system.runs())
        assert found[await self.key()] == 1, found
        assert len(self.wires.started) == sent
        assert self.doubled() == []
        assert len(self.cards()) == 1


@asynccontextmanager
async def a_town(
    system: System, url: str, folder: Path, plan: Plan, wires: Mapping[str, Any] | None = None
) -> AsyncIterator[Town]:
    """The town, with open houses. `wires`: what its proxies do, as `Wires` takes it."""
    told = {"target": system.url, "starts": system.starts, "looks": system.looks, **(wires or {})}
    async with before(Wires(**told), plan.count) as made:
        kind = partial(Town, system=system, wires=made, plan=plan, folder=folder)
        clock = RunningClock(ahead=0)  # the servers' own time
        async with a_stage(url, kind=kind, clock=clock, seed=workspace(), timing=QUICK) as stage:
            assert isinstance(stage, Town)
            yield stage


def workspace() -> WorkspaceSeed:
    """The usual one, and the app that tells of failed runs."""
    app = App(
        app_id=SENDER, bot_id="B0ORCH", user_id="U0ORCH", name="orchestrator", bot_token="xoxb-orch"
    )
    known = seeded()
    channels: Sequence[Any] = tuple(
        replace(room, members=(*room.members, app.user_id)) if room.id == seed.ALERTS else room
        for room in known.channels
    )
    return replace(known, apps=(*known.apps, app), channels=tuple(channels))

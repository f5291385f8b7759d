"""One small world for the worker: a real database, imaginary Slack and Dagster, a clock that stands still."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

from bot.commands import Decide, HandOn, Received, ReceiveSignal, StopAll
from bot.desk import Desk
from bot.ports import StaleIncident
from bot.seating import Seating
from bot.store.store import SqlStore, open_store
from bot.worker.context import Context, Pace, Systems
from bot.worker.kinds import KINDS
from bot.worker.loop import Worker
from policies.incident import Incident, RequestState
from policies.run import Run, RunState
from policies.signal import Link, Sender, Signal, Words
from tests.bot.fakes import (
    FakeActuator,
    FakeAnnouncer,
    FakeAnswerer,
    FakeDirectory,
    FakeOrchestrator,
    FakeReader,
    Runs,
    growth_lineage,
)
from tests.building import a_person
from tests.clock import FakeClock
from tests.databases import upgraded
from tests.policies import night

DAGSTER_PLUS = Sender(app_id="A0DAGPLUS", bot_id="B0DAGPLUS")
OWN = Sender(bot_id="B0DWBOT", app_id="A0DWBOT", user="U0DWBOT")
LATER_ROWS = {"rows": 28300, "last": "2026-09-28T23:59:00+00:00"}


@dataclass
class World:
    """What a test sees and moves."""

    store: SqlStore
    context: Context
    worker: Worker
    desk: Desk
    clock: FakeClock
    slack: FakeAnnouncer
    people: FakeDirectory
    runs: Runs
    actuator: FakeActuator
    systems: dict[str, FakeReader]
    answered: int = field(default=0)

    def use(self, **parts: object) -> None:
        """The same worker with other parts."""
        self.context = replace(self.context, **parts)  # type: ignore[arg-type]
        self.worker = Worker(self.context, KINDS, asyncio.Event())

    async def work(self) -> None:
        """Do all that is due now."""
        await self.worker.once()

    async def later(self, **parts: float) -> None:
        """Let time pass, then do what is due; a second look at what was put off by a moment."""
        self.clock.advance(**parts)
        await self.worker.once()
        self.clock.advance(seconds=1)
        await self.worker.once()

    async def alert(self, key: str = "Ev1", **changes: object) -> None:
        """Dagster+ posts to the alert channel, and all that is due is done."""
        await self.receive(key, **changes)
        await self.work()

    async def receive(self, key: str = "Ev1", **changes: object) -> None:
        """Dagster+ posts to the alert channel; it is stored and no more."""
        signal = replace(an_alert_message(key, self.clock), **changes)  # type: ignore[arg-type]
        item = Received(
            key=key, command=ReceiveSignal(signal=signal), raw="{}", at=self.clock.now()
        )
        await self.desk.receive(item)

    async def incident(self, name: str = "DW-1") -> Incident:
        found = await self.store.load(name)
        assert found is not None
        return found

    async def request(self) -> RequestState:
        return next(iter((await self.incident()).requests.values()))

    async def click(self, person: str, choice: str = "yes", **changes: object) -> None:
        """Somebody taps; nothing is worked on yet."""
        self.answered += 1
        number = self.answered
        state = list((await self.incident()).requests.values())[-1]
        known = {
            "key": f"click-{number}",
            "incident_id": "DW-1",
            "request_id": state.request.id,
            "person": person,
            "name": person.title(),
            "team": "T0DEMO",
            "choice": choice,
            "digest": state.request.digest,
            "where": "thread",
            "at": self.clock.now(),
            "respond_to": "http://127.0.0.1/response",
        }
        command = Decide(**{**known, **changes})  # type: ignore[arg-type]
        item = Received(key=command.key, command=command, raw="{}", at=self.clock.now())
        await self.desk.receive(item)

    async def hand_over(self, person: str, to: str) -> None:
        """Somebody chooses who takes their seat over."""
        self.answered += 1
        key, now = f"hand-{self.answered}", self.clock.now()
        command = HandOn(
            key=key,
            incident_id="DW-1",
            request_id=(await self.request()).request.id,
            person=person,
            to=to,
            at=now,
            respond_to="http://127.0.0.1/response",
        )
        await self.desk.receive(Received(key=key, command=command, raw="{}", at=now))
        await self.later(seconds=1)

    async def approve(self, person: str = "U0ANA", **changes: object) -> None:
        await self.click(person, **changes)
        await self.later(seconds=1)

    async def backfill(self, state: RunState = RunState.SUCCEEDED) -> Run:
        """Ana launches it in Dagster, it ends like that, and afterwards the numbers are right."""
        run = self.launch(state)
        await self.later(seconds=15)
        return run

    def launch(self, state: RunState = RunState.SUCCEEDED) -> Run:
        """The same, and nothing is worked on yet."""
        run = Run(
            connection="dagster",
            id=f"backfill-{len(self.runs.runs)}",
            job="__ASSET_JOB",
            state=state,
            partition=night.DAY,
            assets=("raw_sessions", "stg_sessions", "fct_daily_active_users"),
            created_at=self.clock.advance(seconds=5),
        )
        self.runs.add(run)
        if state is RunState.SUCCEEDED:
            self.mend()
        return run

    def mend(self) -> None:
        """The numbers are right from now on."""
        self.systems["dagster"].values["asset_check"] = {"passed": True}
        self.systems["warehouse"].values["rows_of_day"] = dict(LATER_ROWS)

    async def stop(self, person: str = "U0DEE") -> None:
        await self.desk.stop(StopAll(person=person, reason="drill", at=self.clock.now()))


def an_alert_message(key: str, clock: FakeClock) -> Signal:
    run = f"https://acme.dagster.cloud/prod/runs/{night.RUN}"
    return Signal(
        key=key,
        source="slack",
        received_at=clock.now(),
        sender=DAGSTER_PLUS,
        channel="C0ALERTS",
        ts="1796005776.100592",
        words=(
            Words(
                where="blocks.0", value="Asset check raw_sessions_complete failed on raw_sessions"
            ),
            Words(where="blocks.1", value=f"*Deployment:* prod\n*Partition:* {night.DAY}"),
        ),
        links=(
            Link(
                where="blocks.2",
                url="https://acme.dagster.cloud/prod/assets/raw_sessions?view=checks",
            ),
            Link(where="blocks.3", url=run),
        ),
    )


def systems_with(runs: Runs) -> dict[str, FakeReader]:
    """A reader for each connection of the night; what it answers may be changed."""
    told: dict[str, dict[str, object]] = {}
    for (connection, probe), value in night.answers().items():
        told.setdefault(connection, {})[probe] = dict(value)  # type: ignore[arg-type]
    told["dagster"]["asset_states"] = {"assets": night.states()}
    days = ("2026-09-21", "2026-09-14", "2026-09-07", "2026-08-31")
    told["warehouse"]["scalar_by_day"] = {"values": {night.DAY: 9434, **dict.fromkeys(days, 9400)}}
    found: dict[str, FakeReader] = {
        name: FakeReader(name, values)  # type: ignore[arg-type]
        for name, values in told.items()
        if name != "dagster"
    }
    found["dagster"] = FakeOrchestrator("dagster", runs, told["dagster"])  # type: ignore[arg-type]
    found["dagster"].graph = growth_lineage()  # type: ignore[attr-defined]
    return found


def _people() -> FakeDirectory:
    people = {name: a_person(name) for name in ("U0ANA", "U0BO", "U0CLEO", "U0DEE", "U0ELI")}
    seats = {
        "ana@example.com": ("U0ANA",),
        "bo@example.com": ("U0BO",),
        "@data-oncall": ("U0CLEO",),
        "dee@example.com": ("U0DEE",),
    }
    return FakeDirectory(people=people, seats=seats)


@asynccontextmanager
async def a_world(url: str, clock: FakeClock, **domain: object) -> AsyncIterator[World]:
    """The world over a database; `domain` changes the domain's entry in dw.yml."""
    store = await open_store(url)
    runs, slack, people, wake = Runs(), FakeAnnouncer(), _people(), asyncio.Event()
    systems = systems_with(runs)
    actuator = FakeActuator("dagster", runs, clock.now() + timedelta(hours=2))
    rules = night.rules_for(**domain) if domain else night.rules()
    context = Context(
        store=store,
        announcer=slack,
        directory=Seating(
            slack=people, rules=rules, clock=clock, absences=store, schedules=people.schedules
        ),
        answerer=FakeAnswerer(),
        systems=Systems(
            readers=systems,
            orchestrators={"dagster": systems["dagster"]},  # type: ignore[dict-item]
            actuators={"dagster": actuator},
        ),
        rules=rules,
        clock=clock,
        own=OWN,
        pace=Pace(follow=5, watch=10, gate=5, look_up=5, look_ups=3),
    )
    worker = Worker(context, KINDS, wake)
    desk = Desk(store, rules, clock, wake)
    try:
        yield World(store, context, worker, desk, clock, slack, people, runs, actuator, systems)
    finally:
        await store.close()


def sqlite_url(folder: Path) -> str:
    return upgraded(folder)


__all__ = ["LATER_ROWS", "StaleIncident", "World", "a_world", "sqlite_url", "systems_with"]

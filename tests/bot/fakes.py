"""Stand-ins for the ports: a channel that remembers, a workspace of people, an orchestrator with runs."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import pairwise
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from bot.commands import Answer
from bot.ports import Copy, Notice, Showing
from connectors.base import Actuator, Health, Orchestrator, Reader
from connectors.errors import ConnectorError
from policies.autonomy.levels import Level, LevelEntry
from policies.evidence import Evidence, Json, Probe
from policies.lineage import Asset, Lineage
from policies.people import Person, Seat, Seated
from policies.plan import Step
from policies.run import Run, RunState


@dataclass
class FakeAnnouncer:
    """Remembers what was shown; `fail` raises before anything is posted."""

    shown: list[tuple[str, str]] = field(default_factory=list)
    showings: list[Showing] = field(default_factory=list)
    whispers: list[str] = field(default_factory=list)
    replies: list[str] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    levels: list[tuple[str, str, LevelEntry]] = field(default_factory=list)
    fail: list[Exception] = field(default_factory=list)

    async def show(self, showing: Showing) -> Copy | None:
        if self.fail:
            raise self.fail.pop(0)
        self.shown.append((showing.incident.id, showing.name))
        self.showings.append(showing)
        ts = showing.copy.ts if showing.copy else f"{len(self.shown)}.0001"
        return Copy(
            incident_id=showing.incident.id,
            name=showing.name,
            channel=showing.incident.channel,
            ts=ts,
            thread_ts=showing.card.ts if showing.card else None,
            shown=str(showing.incident.version),
        )

    async def whisper(self, respond_to: str, text: str) -> None:
        self.whispers.append(text)

    async def notice(self, notice: Notice) -> tuple[str, str]:
        self.notices.append(notice)
        return notice.channel, notice.ts or f"{len(self.notices)}.0009"

    async def reply(self, channel: str, thread_ts: str, text: str, *, key: str) -> None:
        self.replies.append(text)

    async def homes(self) -> None:
        self.shown.append(("", "homes"))

    async def tell_level(self, channel: str, entry: LevelEntry, was: Level) -> None:
        self.levels.append((channel, was, entry))


@dataclass
class FakeDirectory:
    """People by Slack id, seats by what dw.yml calls them; `fail` raises before anything is told."""

    people: dict[str, Person] = field(default_factory=dict)
    seats: dict[str, tuple[str, ...]] = field(default_factory=dict)
    problem: str | None = None
    quiet: dict[str, datetime] = field(default_factory=dict)
    asked_fresh: list[str] = field(default_factory=list)
    schedules: dict[str, "FakeSchedule"] = field(default_factory=dict)
    fail: list[Exception] = field(default_factory=list)

    async def person(self, slack_id: str, *, fresh: bool = False) -> Person | None:
        if self.fail:
            raise self.fail.pop(0)
        self.asked_fresh += [slack_id] if fresh else []
        return self.people.get(slack_id)

    async def someone(self, ref: str) -> Person | None:
        return next((p for p in self.people.values() if p.called(ref)), None)

    async def quiet_until(self, slack_id: str) -> datetime | None:
        return self.quiet.get(slack_id)

    async def seated(self, seat: Seat, *, fresh: bool = False) -> Seated:
        if self.fail:
            raise self.fail.pop(0)
        self.asked_fresh += [seat.ref] if fresh else []
        if self.problem:
            return Seated(seat=seat, problem=self.problem)
        ids = self.seats.get(seat.ref, (seat.ref,) if seat.ref in self.people else ())
        people = tuple(self.people[i] for i in ids)
        called = seat.ref if seat.kind == "group" else "".join(p.name for p in people)
        return Seated(seat=seat, people=people, called=called)


@dataclass
class FakeSchedule:
    """Who is on call by schedule; an exception there is raised."""

    told: dict[str, tuple[str, ...] | ConnectorError] = field(default_factory=dict)

    async def on_call(self, schedule: str, at: datetime) -> tuple[str, ...]:
        said = self.told.get(schedule, ())
        if isinstance(said, ConnectorError):
            raise said
        return said


class FakeAnswerer:
    async def answer(self, question: Answer) -> str:
        return f"about {question.text}"


class AnyParams(BaseModel):
    model_config = ConfigDict(extra="allow")


class FakeReader(Reader):
    """Answers each probe with what `values` holds for its name; an exception there is raised."""

    probes = dict.fromkeys(
        (
            "run_failure",
            "asset_check",
            "check_history",
            "materialization",
            "asset_states",
            "last_success",
            "find_run",
            "can_run",
            "expected",
            "freshness",
            "rows_of_day",
            "daily_rows",
            "replication",
            "changes",
            "scalar_by_day",
        ),
        AnyParams,
    )

    def __init__(self, connection: str, values: dict[str, dict[str, Json] | Exception]) -> None:
        super().__init__(connection)
        self.values = values
        self.asked: list[str] = []

    async def ping(self) -> Health:
        return Health(version="0")

    async def _read(
        self, probe: Probe, params: BaseModel, *, evidence_id: str, now: datetime
    ) -> Evidence:
        self.asked.append(probe.name)
        value = self.values.get(probe.name, {})
        if isinstance(value, Exception):
            raise value
        return Evidence(id=evidence_id, probe=probe, at=now, value=value)


@dataclass
class Runs:
    """The runs of one imaginary orchestrator, shared by its reader and its actuator."""

    runs: dict[str, Run] = field(default_factory=dict)
    started: list[str] = field(default_factory=list)

    def add(self, run: Run) -> Run:
        self.runs[run.id] = run
        return run

    def end(self, run_id: str, state: RunState = RunState.SUCCEEDED) -> None:
        self.runs[run_id] = replace(self.runs[run_id], state=state)


class FakeOrchestrator(Orchestrator, FakeReader):
    """A reader of imaginary runs."""

    def __init__(
        self, connection: str, runs: Runs, values: dict[str, dict[str, Json] | Exception]
    ) -> None:
        FakeReader.__init__(self, connection, values)
        self.runs, self.version, self.graph = runs, "v1", Lineage()
        self.versions_asked: list[str] = []
        self.looks: list[datetime] = []
        self.trouble: list[Exception] = []
        self.slow = 0.0

    async def run(self, run_id: str) -> Run:
        return self.runs.runs[run_id]

    async def runs_since(
        self,
        since: datetime,
        *,
        job: str | None = None,
        partition: str | None = None,
        failed_only: bool = False,
    ) -> Sequence[Run]:
        self.looks.append(since)
        await asyncio.sleep(self.slow)
        if self.trouble:
            raise self.trouble[0]
        found = [r for r in self.runs.runs.values() if r.created_at and r.created_at >= since]
        known = [r for r in found if r.state is RunState.FAILED or not failed_only]
        return [r for r in known if partition is None or r.partition == partition]

    async def lineage(self, asset: str) -> Lineage:
        return self.graph

    async def code_version(self, job: str) -> str | None:
        self.versions_asked.append(job)
        return self.version


class FakeActuator(Actuator):
    """Starts imaginary runs. `after` raises once the run exists, `before` when it does not yet."""

    actions: ClassVar = {"run_job": AnyParams}

    def __init__(self, connection: str, runs: Runs, now: datetime) -> None:
        super().__init__(connection)
        self.runs, self._now = runs, now
        self.before: list[ConnectorError] = []
        self.after: list[ConnectorError] = []
        self.hidden = False

    async def _act(self, step: Step, params: BaseModel, *, key: str) -> Run:
        if self.before:
            raise self.before.pop(0)
        self.runs.started.append(key)
        run = Run(
            connection=self.connection,
            id=f"run-{len(self.runs.started)}",
            job=str(step.params.get("job")),
            state=RunState.QUEUED,
            tags={"dw/step": key},
            created_at=self._now,
        )
        self.runs.add(run)
        if self.after:
            raise self.after.pop(0)
        return run

    async def find(self, key: str, step: Step) -> Run | None:
        if self.hidden:
            return None
        return next((r for r in self.runs.runs.values() if r.tags.get("dw/step") == key), None)


def growth_lineage() -> Lineage:
    names = ("raw_sessions", "stg_sessions", "fct_daily_active_users", "agg_weekly_engagement")
    owners = ("ana@example.com", "bo@example.com", "bo@example.com", None)
    assets = {
        name: Asset(key=name, owner=owner, said_by="dagster")
        for name, owner in zip(names, owners, strict=True)
    }
    assets["agg_weekly_engagement"] = replace(
        assets["agg_weekly_engagement"], job="growth_rollups_job"
    )
    return Lineage(assets=assets, edges=frozenset(pairwise(names)))

"""The data stack of the journeys: an imaginary Dagster and stores that answer as on the Monday night."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from bot.clock import Clock
from connectors.catalogue import Catalogue
from connectors.errors import ConnectorError
from policies.evidence import Evidence, Probe
from policies.run import Run, RunState
from tests.bot.fakes import FakeActuator, FakeOrchestrator, FakeReader, Runs, growth_lineage
from tests.bot.worker.world import LATER_ROWS, systems_with
from tests.policies import night

ROLLUPS = "growth_rollups_job"
REBUILT = ("raw_sessions", "stg_sessions", "fct_daily_active_users")


class Dagster(FakeOrchestrator):
    """An orchestrator that may be down: `gone` says how."""

    gone: ConnectorError | None = None

    async def _read(
        self, probe: Probe, params: object, *, evidence_id: str, now: datetime
    ) -> Evidence:
        self._answer()
        return await super()._read(probe, params, evidence_id=evidence_id, now=now)  # type: ignore[arg-type]

    async def run(self, run_id: str) -> Run:
        self._answer()
        return await super().run(run_id)

    async def runs_since(self, since: datetime, **which: object) -> list[Run]:  # type: ignore[override]
        self._answer()
        return list(await super().runs_since(since, **which))  # type: ignore[arg-type]

    def _answer(self) -> None:
        if self.gone is not None:
            raise self.gone


@dataclass
class Stack:
    """All systems of the team, as they are for every house that is built over them."""

    clock: Clock
    runs: Runs = field(default_factory=Runs)
    actuator_of: Callable[[str, Runs, datetime], FakeActuator] = FakeActuator

    def __post_init__(self) -> None:
        self.readers: dict[str, FakeReader] = systems_with(self.runs)
        told = self.readers["dagster"].values
        self.dagster = Dagster("dagster", self.runs, told)
        self.dagster.graph = growth_lineage()
        self.readers["dagster"] = self.dagster
        self.actuator = self.actuator_of("dagster", self.runs, self.clock.now())

    def build(self, *_rules_and_secrets: object, acting: bool, **_: object) -> Catalogue:
        """What `connectors.catalogue.build` would build."""
        actuators = {"dagster": self.actuator} if acting else {}
        return Catalogue(readers=self.readers, actuators=actuators, no_actuator={})

    def backfill(self, state: RunState = RunState.SUCCEEDED) -> Run:
        """Ana launches the backfill in Dagster; when it succeeds, the numbers are right."""
        run = Run(
            connection="dagster",
            id=f"backfill-{len(self.runs.runs)}",
            job="__ASSET_JOB",
            state=state,
            partition=night.DAY,
            assets=REBUILT,
            created_at=self.clock.now(),
        )
        if state is RunState.SUCCEEDED:
            self.mend()
        return self.runs.add(run)

    def mend(self) -> None:
        """The numbers are right from now on."""
        self.dagster.values["asset_check"] = {"passed": True}
        self.readers["warehouse"].values["rows_of_day"] = dict(LATER_ROWS)

    def rollups(self) -> list[Run]:
        """The runs of the job that the bot may run."""
        return [run for run in self.runs.runs.values() if run.job == ROLLUPS]

    def tagged(self) -> Mapping[str, int]:
        """How many runs carry each of the bot's keys."""
        keys = [run.tags["dw/step"] for run in self.rollups()]
        return {key: keys.count(key) for key in keys}

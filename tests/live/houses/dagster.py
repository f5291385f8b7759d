"""Dagster as the houses of these tests see it."""

from collections.abc import Sequence
from typing import ClassVar

from bot.sandbox.demo import seed
from bot.sandbox.workspace.state import Message
from connectors.dagster import DagsterActuator, DagsterReader
from tests.journeys.stage import Stage
from tests.live.dagster.world import JOBS, LONG_AGO, World, a_job, act
from tests.live.houses.system import SENDER, System
from tests.live.houses.wires import Asked


class Dagster(System):
    """A server without a login, as open source is, and beside it one that is read-only."""

    name = kind = "dagster"
    job, untold = "billing_job", "untold_job"
    config: ClassVar = {"ops": {"breaks_unless_told": {"config": {"good": True}}}}
    secrets: ClassVar = {}
    weak: ClassVar = {}
    refusal = "it is read-only, or the token may not start runs"
    pinned = "no actuator for 'dagster' (it is read-only"

    def __init__(self, world: World) -> None:
        self._server, self._failed = world.server, world.billing_failed
        self.url = self._server.url

    @property
    def read_only_url(self) -> str:
        return self._server.read_only

    def tells(self, stage: Stage, url: str) -> Message:
        head = f"Op breaks_unless_told on job {self.job} failed!"
        words = f"{head}\nRun ID: {self._failed.id}"
        return stage.workspace.alert(SENDER, seed.ALERTS, text=words)

    def starts(self, asked: Asked) -> bool:
        return b"launchRun" in asked.body

    def looks(self, asked: Asked) -> bool:
        return b'"dw/step"' in asked.body and not self.starts(asked)

    async def runs(self) -> Sequence[str]:
        reader = DagsterReader("dagster", self.url)
        found = await reader.runs_since(LONG_AGO, job=self.job)
        await reader.close()
        return [run.tags["dw/step"] for run in found if "dw/step" in run.tags]

    async def fails(self) -> str:
        actuator = DagsterActuator("dagster", self.url, None, JOBS)
        run = await act(actuator, a_job(self.untold), "by hand")
        await actuator.close()
        return run.id

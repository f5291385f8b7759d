"""Prefect as the houses of these tests see it."""

from collections.abc import Sequence
from typing import ClassVar

from bot.sandbox.demo import seed
from bot.sandbox.workspace.state import Message
from connectors.prefect import PrefectReader
from tests.journeys.stage import Stage
from tests.live.houses.system import SENDER, System
from tests.live.houses.wires import Asked
from tests.live.prefect.server import LOGIN
from tests.live.prefect.world import LONG_AGO, World, by_hand


class Prefect(System):
    """A server with a login, which has no roles: who may not start anything is who has the wrong one."""

    name = kind = "prefect"
    job, untold = "sessions/prod", "checks-itself/untold"
    config: ClassVar = {"fail": False}
    secrets: ClassVar = {"DW_PREFECT_TOKEN": LOGIN, "DW_PREFECT_ACT_TOKEN": LOGIN}
    weak: ClassVar = {"DW_PREFECT_TOKEN": LOGIN, "DW_PREFECT_ACT_TOKEN": "dw:wrong"}
    refusal = "refused the login"
    pinned = "no actuator for 'prefect' (it is read-only"

    def __init__(self, world: World) -> None:
        self._server, self._failed = world.server, world.failed
        self.url = self._server.url

    def tells(self, stage: Stage, url: str) -> Message:
        flow = "0d9f3f5e-2f0c-4d0e-8f57-1a2b3c4d5e6f"
        head = (
            "Flow run sessions/amber-lynx observed in state `Failed` at 2026-09-28T23:59:00+00:00"
        )
        words = f"{head}\nFlow ID: {flow}\nFlow run ID: {self._failed.id}"
        return stage.workspace.alert(SENDER, seed.ALERTS, text=words)

    def starts(self, asked: Asked) -> bool:
        return asked.path.endswith("/create_flow_run")

    def looks(self, asked: Asked) -> bool:
        return b'"idempotency_key"' in asked.body and not self.starts(asked)

    async def runs(self) -> Sequence[str]:
        reader = PrefectReader("prefect", self.url, LOGIN)
        found = await reader.runs_since(LONG_AGO, job=self.job)
        await reader.close()
        return [run.tags["dw/step"] for run in found if "dw/step" in run.tags]

    async def fails(self) -> str:
        return str(by_hand(self._server, self.untold)["id"])

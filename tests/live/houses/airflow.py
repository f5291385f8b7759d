"""Airflow 2 as the houses of these tests see it."""

from collections.abc import Sequence
from typing import Any, ClassVar

from bot.sandbox.demo import seed
from bot.sandbox.workspace.state import Message
from connectors.airflow.actuator import OURS, run_id_of
from tests.journeys.stage import Stage
from tests.live.airflow.night import callback_words
from tests.live.airflow.world import World, asked, by_owner
from tests.live.houses.system import SENDER, System
from tests.live.houses.wires import Asked


class Airflow2(System):
    """A run of the day that failed by itself; read and queued with the narrowest roles."""

    name, kind = "airflow2", "airflow"
    job, untold = "usage_billing_daily", "untold"
    config: ClassVar = {"duplicates": False, "usage_date": "{partition}"}
    secrets: ClassVar = {"DW_AIRFLOW_PASSWORD": "reader", "DW_AIRFLOW_ACT_TOKEN": "queuer"}
    weak: ClassVar = {"DW_AIRFLOW_PASSWORD": "reader", "DW_AIRFLOW_ACT_TOKEN": "viewer"}
    weaker: ClassVar = {"act_user": "viewer"}
    refusal = "may read usage_billing_daily but not run it"
    pinned = "is ready: <@U0ANA> can do it now"

    def __init__(self, world: World) -> None:
        self._server, self._failed = world.servers[2], world.ended[2][self.job]
        self.url = self._server.url

    def tells(self, stage: Stage, url: str) -> Message:
        words = callback_words(self._failed, url)
        return stage.workspace.alert(SENDER, seed.ALERTS, text=words)

    def starts(self, asked: Asked) -> bool:
        return asked.method == "POST" and asked.path.endswith("/dagRuns")

    def looks(self, asked: Asked) -> bool:
        return asked.method == "GET" and f"/dagRuns/{OURS}" in asked.path

    async def runs(self) -> Sequence[str]:
        found = asked(self._server, "GET", f"dags/{self.job}/dagRuns?limit=100")["dag_runs"]
        return [run["dag_run_id"] for run in found if run["dag_run_id"].startswith(OURS)]

    async def fails(self) -> str:
        return by_owner(self._server, self.untold)

    def shown(self, key: str) -> str:
        return run_id_of(key)

    def entry(self, url: str, **changes: Any) -> dict[str, Any]:
        act_user = changes.pop("act_user", "queuer")
        users = {"version": 2, "user": "reader", "act_user": act_user}
        return super().entry(url, **users, **changes)

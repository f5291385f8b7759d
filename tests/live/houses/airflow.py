"""Airflow 2 and 3 as the houses of these tests see them."""

from collections.abc import Sequence
from typing import Any, ClassVar

from bot.sandbox.demo import seed
from bot.sandbox.workspace.state import Message
from connectors.airflow.actuator import OURS, run_id_of
from tests.journeys.stage import Stage
from tests.live.airflow.night import callback_words, notifier_words
from tests.live.airflow.server import Major
from tests.live.airflow.world import World, asked, by_owner
from tests.live.houses.system import SENDER, System
from tests.live.houses.wires import Asked


class Airflow2(System):
    """Version 2: a run of the day that failed by itself; read and queued with the narrowest roles."""

    name, kind = "airflow2", "airflow"
    job, untold = "usage_billing_daily", "untold"
    config: ClassVar = {"duplicates": False, "usage_date": "{partition}"}
    secrets: ClassVar = {"DW_AIRFLOW_PASSWORD": "reader", "DW_AIRFLOW_ACT_TOKEN": "queuer"}
    weak: ClassVar = {"DW_AIRFLOW_PASSWORD": "reader", "DW_AIRFLOW_ACT_TOKEN": "viewer"}
    weaker: ClassVar = {"act_user": "viewer"}
    refusal = "may read usage_billing_daily but not run it"
    pinned = "is ready: <@U0ANA> can do it now"

    major: ClassVar[Major] = 2

    def __init__(self, world: World) -> None:
        self.server, self.failed = world.servers[self.major], world.ended[self.major][self.job]
        self.url = self.server.url

    def tells(self, stage: Stage, url: str) -> Message:
        words = callback_words(self.failed, url)
        return stage.workspace.alert(SENDER, seed.ALERTS, text=words)

    def starts(self, asked: Asked) -> bool:
        return asked.method == "POST" and asked.path.endswith("/dagRuns")

    def looks(self, asked: Asked) -> bool:
        return asked.method == "GET" and f"/dagRuns/{OURS}" in asked.path

    async def runs(self) -> Sequence[str]:
        found = asked(self.server, "GET", f"dags/{self.job}/dagRuns?limit=100")["dag_runs"]
        return [run["dag_run_id"] for run in found if run["dag_run_id"].startswith(OURS)]

    async def fails(self) -> str:
        return by_owner(self.server, self.untold)

    def shown(self, key: str) -> str:
        return run_id_of(key)

    def entry(self, url: str, **changes: Any) -> dict[str, Any]:
        act_user = changes.pop("act_user", "queuer")
        users = {"version": 2, "user": "reader", "act_user": act_user}
        return super().entry(url, **users, **changes)


class Airflow3(Airflow2):
    """Version 3: the same, with a credential to act that could start anything, were there an actuator."""

    name = "airflow3"
    major = 3
    secrets: ClassVar = {"DW_AIRFLOW_PASSWORD": "viewer", "DW_AIRFLOW_ACT_TOKEN": "admin"}

    def tells(self, stage: Stage, url: str) -> Message:
        words = notifier_words(self.failed, url)
        return stage.workspace.alert(SENDER, seed.ALERTS, text=words)

    def entry(self, url: str, **changes: Any) -> dict[str, Any]:
        return System.entry(self, url, version=3, user="viewer", act_user="admin", **changes)

    def by_owner(self) -> str:
        """Ana starts the drafted run in Airflow."""
        conf = {"duplicates": False, "usage_date": self.failed.partition}
        return by_owner(self.server, self.job, conf=conf)

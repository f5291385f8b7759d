"""Every actuator, each with a server that keeps what it started. A new actuator is one more row."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from connectors.airflow.actuator import AirflowActuator
from connectors.airflow.doors import Bearer
from connectors.base import Actuator
from connectors.dagster import DagsterActuator
from connectors.dbt_cloud import DbtCloudActuator
from connectors.http import Patience
from connectors.prefect import PrefectActuator
from policies.plan import Step
from tests.building import a_step
from tests.connectors.airflow.fake_airflow import DAG, Queueing
from tests.connectors.airflow.fake_airflow import URL as AIRFLOW
from tests.connectors.dagster.fake_dagster import URL as DAGSTER
from tests.connectors.dagster.fake_dagster import Launching
from tests.connectors.dbt_cloud.account import URL as DBT_CLOUD
from tests.connectors.dbt_cloud.account import Account
from tests.connectors.prefect.fake_prefect import URL as PREFECT
from tests.connectors.prefect.fake_prefect import Creating

SECRET = "planted-secret"
HURRIED = Patience(whole=2, connect=1, tries=2, pause=0.001, most=300_000)
Intercept = Callable[[httpx.Request], httpx.Response | None]


@dataclass(frozen=True, kw_only=True)
class Doer:
    """`server` makes what answers, and the list of runs that it keeps; `build` an actuator over it.

    `ended` marks a kept run as one that is over; `refuses` says of which statuses it is sure.
    """

    kind: str
    server: Callable[[], tuple[httpx.AsyncBaseTransport, Callable[[], list[dict[str, Any]]]]]
    build: Callable[[httpx.AsyncBaseTransport], Actuator]
    step: Step
    ended: Mapping[str, Any]


class Between(httpx.AsyncBaseTransport):
    """What lies between us and a server: `before` may answer a start instead of it, `after` spoil its answer.

    `looks` does the same to everything that is no start.
    """

    def __init__(self, server: httpx.AsyncBaseTransport) -> None:
        self._server = server
        self.before: Intercept = lambda _: None
        self.after: Callable[[httpx.Response], httpx.Response] = lambda answer: answer
        self.looks: Intercept = lambda _: None
        self.starts: list[httpx.Request] = []
        self.asked: list[httpx.Request] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        self.asked.append(request)
        if not is_start(request):
            return self.looks(request) or await self._server.handle_async_request(request)
        self.starts.append(request)
        instead = self.before(request)
        if instead is not None:
            return instead
        return self.after(await self._server.handle_async_request(request))


def is_start(request: httpx.Request) -> bool:
    """True for what makes a run; Dagster and Prefect ask by POST too."""
    if request.method != "POST":
        return False
    if request.url.path.endswith("/graphql"):
        return str(json.loads(request.content)["query"]).startswith("mutation")
    return not request.url.path.endswith(("/filter", "/count"))


def _dagster() -> tuple[httpx.AsyncBaseTransport, Callable[[], list[dict[str, Any]]]]:
    server = Launching()
    return server.fake(), lambda: server.runs


def _prefect() -> tuple[httpx.AsyncBaseTransport, Callable[[], list[dict[str, Any]]]]:
    server = Creating()
    return server.fake(), lambda: list(server.runs.values())


def _airflow() -> tuple[httpx.AsyncBaseTransport, Callable[[], list[dict[str, Any]]]]:
    server = Queueing()
    return server.fake(), lambda: list(server.runs.values())


def _dbt_cloud() -> tuple[httpx.AsyncBaseTransport, Callable[[], list[dict[str, Any]]]]:
    account = Account()
    return account, lambda: account.runs


DOERS: Mapping[str, Doer] = {
    "dagster": Doer(
        kind="dagster",
        server=_dagster,
        build=lambda wire: DagsterActuator(
            "it",
            DAGSTER,
            SECRET,
            frozenset({"growth_rollups_job"}),
            transport=wire,
            patience=HURRIED,
        ),
        step=a_step(params={"job": "growth_rollups_job"}),
        ended={"status": "SUCCESS"},
    ),
    "prefect": Doer(
        kind="prefect",
        server=_prefect,
        build=lambda wire: PrefectActuator(
            "it",
            PREFECT,
            f"dw:{SECRET}",
            frozenset({"growth-rollups/prod"}),
            transport=wire,
            patience=HURRIED,
        ),
        step=a_step(action="run_deployment", params={"job": "growth-rollups/prod"}),
        ended={"state_type": "COMPLETED", "state_name": "Completed"},
    ),
    "airflow 2": Doer(
        kind="airflow",
        server=_airflow,
        build=lambda wire: AirflowActuator(
            "it", AIRFLOW, Bearer(SECRET), frozenset({DAG}), transport=wire, patience=HURRIED
        ),
        step=a_step(action="run_dag", params={"job": DAG}),
        ended={"state": "success"},
    ),
    "dbt cloud": Doer(
        kind="dbt_cloud",
        server=_dbt_cloud,
        build=lambda wire: DbtCloudActuator(
            "it", DBT_CLOUD, SECRET, frozenset({"Daily build"}), transport=wire, patience=HURRIED
        ),
        step=a_step(action="run_dbt_job", params={"job": "Daily build"}),
        ended={"status": 10},
    ),
}

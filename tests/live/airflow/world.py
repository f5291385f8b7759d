"""One real Airflow 2 and one real Airflow 3 for everybody, with runs that every test may look at."""

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from connectors.airflow import AirflowActuator, AirflowReader, Known
from connectors.airflow.doors import Password
from connectors.http import Patience
from policies.plan import Step
from policies.run import Run
from tests import postgres_server as pg
from tests.building import NOW, a_plan, a_step, approved
from tests.live.airflow.server import Airflow, bin_of, running

DAGS = frozenset({"usage_billing_daily", "paused_export", "quick", "masked_failure", "gone"})
BUILDS = {"usage_billing_daily": ("fct_daily_usage",)}
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
RUNS = ("region_loads", "masked_failure")


@dataclass(frozen=True, kw_only=True)
class World:
    """Both servers, by their number, and failed or green runs that have ended on each, by DAG."""

    servers: dict[int, Airflow] = field(default_factory=dict)
    ended: dict[int, dict[str, Run]] = field(default_factory=dict)


@pytest.fixture(scope="session")
def airflow_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    missing = [f".venv-airflow{n}" for n in (2, 3) if not (bin_of(n) / "airflow").exists()]
    if missing:
        pytest.skip(f"there is no {' and no '.join(missing)}; `make live` makes it")
    with ExitStack() as stack, ThreadPoolExecutor(2) as pool:
        store = stack.enter_context(pg.running())
        homes = {n: tmp_path_factory.mktemp(f"airflow{n}") for n in (2, 3)}
        starts = {n: pool.submit(stack.enter_context, running(n, homes[n], store)) for n in homes}
        servers = {n: start.result() for n, start in starts.items()}
        yield World(servers=servers, ended=asyncio.run(_all_ended(servers)))


def reading(server: Airflow, url: str | None = None) -> AirflowReader:
    """With the narrowest role there is."""
    user = "reader" if server.major == 2 else "viewer"
    door = Password("airflow", url or server.url, user, user)
    return AirflowReader("airflow", url or server.url, door, known=Known(builds=BUILDS))


def acting(url: str, user: str = "queuer", patience: Patience | None = None) -> AirflowActuator:
    """On Airflow 2, with a role that may queue runs of three DAGs."""
    door = Password("airflow", url, user, user)
    return AirflowActuator("airflow", url, door, DAGS, patience=patience)


def a_run_of(dag: str, **params: object) -> Step:
    return a_step(connection="airflow", action="run_dag", params={"job": dag, **params})


async def act(actuator: AirflowActuator, step: Step, key: str) -> Run:
    return await actuator.act(step, approved(a_plan(step)), key=key, now=NOW)


async def to_the_end(reader: AirflowReader, run: Run) -> Run:
    while not run.state.ended:
        await asyncio.sleep(0.5)
        run = await reader.run(run.id)
    return run


def by_owner(server: Airflow, dag: str, **body: Any) -> str:
    """What the owner does in Airflow's own way: starts a run. Gives its id."""
    more = {"logical_date": None} if server.major == 3 else {}
    answer = asked(server, "POST", f"dags/{dag}/dagRuns", {"conf": {}, **more, **body})
    return f"{dag}/{answer['dag_run_id']}"


def asked(server: Airflow, method: str, path: str, body: Any = None) -> Any:
    """One request as the administrator."""
    with httpx.Client(trust_env=False, timeout=60) as client:
        pair = ("admin", "admin")
        headers = {}
        if server.major == 3:
            login = dict(zip(("username", "password"), pair, strict=True))
            token = client.post(f"{server.url}/auth/token", json=login).json()["access_token"]
            headers = {"Authorization": f"Bearer {token}"}
        auth = pair if server.major == 2 else None
        url = f"{server.api}/{path}"
        answer = client.request(method, url, json=body, headers=headers, auth=auth)
        answer.raise_for_status()
        return answer.json()


async def _all_ended(servers: dict[int, Airflow]) -> dict[int, dict[str, Run]]:
    """The scheduled run of the day fails by itself; the others are started here."""
    for server in servers.values():
        for dag in RUNS:
            by_owner(server, dag)
    return {n: await _ended(server) for n, server in servers.items()}


async def _ended(server: Airflow) -> dict[str, Run]:
    reader, deadline = reading(server), time.monotonic() + 120
    found: dict[str, Run] = {}
    while found.keys() != {*RUNS, "usage_billing_daily"}:
        assert time.monotonic() < deadline, f"only {sorted(found)} ended on {server}"
        await asyncio.sleep(0.5)
        for run in await reader.runs_since(LONG_AGO):
            if run.state.ended:
                found[run.job] = run
    await reader.close()
    return found

"""One real Prefect for everybody, with deployments made by REST and runs that have ended."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from connectors.errors import Broken
from connectors.prefect import PrefectActuator, PrefectReader
from policies.plan import Step
from policies.run import Run
from tests.building import NOW, a_plan, a_step, approved
from tests.live.prefect.server import BIN, LOGIN, Prefect, running

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
JOBS = frozenset(
    {
        "rollups/prod",
        "rollups/staging",
        "rollups/held",
        "sessions/prod",
        "checks-itself/prod",
        "gone/prod",
    }
)
BUILDS = {"sessions/prod": ["raw_sessions"]}
DAY = {"type": "object", "properties": {"day": {"type": "string"}}}


@dataclass(frozen=True, kw_only=True)
class World:
    """The server, and runs that a real runner brought to their end on it."""

    server: Prefect
    good: Run
    failed: Run
    failed_itself: Run
    late: str


@pytest.fixture(scope="session")
def prefect_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    if not (BIN / "prefect").exists():
        pytest.skip("there is no .venv-prefect; `make live` makes it")
    with running(tmp_path_factory.mktemp("prefect_home")) as server:
        flow = server.ask("POST", "/flows/", name="rollups")["id"]
        for name, paused in (("prod", False), ("staging", False), ("held", True)):
            known = {"name": name, "flow_id": flow, "paused": paused, "version": f"{name}-1"}
            made = {**known, "parameters": {"day": "2026-09-28"}, "parameter_openapi_schema": DAY}
            server.ask("POST", "/deployments/", **made)
        late = by_hand(server, "rollups/staging")["id"]
        yield asyncio.run(_runs(server, late))


def by_hand(server: Prefect, job: str, **body: object) -> dict:
    """A run as a person would start it."""
    deployment = server.ask("GET", f"/deployments/name/{job}")["id"]
    return server.ask("POST", f"/deployments/{deployment}/create_flow_run", **body)


def a_run_of(job: str, partition: str | None = None, **config: object) -> Step:
    about = {"partition": partition} if partition else {}
    return a_step(
        connection="prefect",
        action="run_deployment",
        params={"job": job, "config": config, **about},
    )


async def act(actuator: PrefectActuator, step: Step, key: str) -> Run:
    """As the worker does it: after a fault of the server (SQLite is locked now and then) look again."""
    for _ in range(10):
        try:
            return await actuator.act(step, approved(a_plan(step)), key=key, now=NOW)
        except Broken:
            await asyncio.sleep(0.3)
    msg = "the server stumbled ten times in a row"
    raise AssertionError(msg)


async def _runs(server: Prefect, late: str) -> World:
    """Started by the actuator itself, so that this is under test as well."""
    reader = PrefectReader("prefect", server.url, LOGIN)
    actuator = PrefectActuator("prefect", server.url, LOGIN, JOBS)
    day = "2026-09-27"
    started = [
        await act(actuator, a_run_of("sessions/prod", day, day=day), "DW-1:good:1"),
        await act(actuator, a_run_of("sessions/prod", fail=True), "DW-1:bad:1"),
        await act(actuator, a_run_of("checks-itself/prod"), "DW-1:itself:1"),
    ]
    good, failed, itself = [await _to_the_end(reader, run) for run in started]
    await reader.close()
    await actuator.close()
    return World(server=server, good=good, failed=failed, failed_itself=itself, late=late)


async def _to_the_end(reader: PrefectReader, run: Run) -> Run:
    while not run.state.ended:
        await asyncio.sleep(0.3)
        run = await reader.run(run.id)
    return run

"""One real Dagster for everybody, with three runs that every test may look at."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from connectors.dagster import DagsterActuator, DagsterReader
from policies.plan import Step
from policies.run import Run
from tests.building import NOW, a_plan, a_step, approved
from tests.live.dagster.server import BIN, Dagster, running

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
JOBS = frozenset(
    {
        "always_fails_job",
        "billing_job",
        "growth_rollups_job",
        "rest_job",
        "retried_job",
        "sessions_job",
        "strict_config_job",
        "untold_job",
    }
)
ROLLUPS_KEY = "DW-1:rollups:0123456789ab"


@dataclass(frozen=True, kw_only=True)
class World:
    """The server, and runs that have ended on it."""

    server: Dagster
    check_failed: Run
    step_failed: Run
    good: Run
    billing_failed: Run


@pytest.fixture(scope="session")
def dagster_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    if not (BIN / "dagster").exists():
        pytest.skip("there is no .venv-dagster; `make live` makes it")
    with running(tmp_path_factory.mktemp("dagster_home")) as server:
        yield asyncio.run(_runs(server))


def a_job(job: str, **params: object) -> Step:
    return a_step(params={"job": job, **params})


async def act(actuator: DagsterActuator, step: Step, key: str) -> Run:
    return await actuator.act(step, approved(a_plan(step)), key=key, now=NOW)


async def to_the_end(reader: DagsterReader, run: Run) -> Run:
    while not run.state.ended:
        await asyncio.sleep(0.3)
        run = await reader.run(run.id)
    return run


async def _runs(server: Dagster) -> World:
    """Started by the actuator itself, so that this is under test as well."""
    reader = DagsterReader("dagster", server.url)
    actuator = DagsterActuator("dagster", server.url, None, JOBS)
    started = [
        await act(actuator, a_job("sessions_job", partition="2026-09-28"), "DW-1:sessions:1"),
        await act(actuator, a_job("always_fails_job"), "DW-1:fails:1"),
        await act(actuator, a_job("growth_rollups_job"), ROLLUPS_KEY),
        await act(actuator, a_job("billing_job"), "DW-0:billing:1"),
    ]
    ended = [await to_the_end(reader, run) for run in started]
    await reader.close()
    await actuator.close()
    return World(
        server=server,
        check_failed=ended[0],
        step_failed=ended[1],
        good=ended[2],
        billing_failed=ended[3],
    )

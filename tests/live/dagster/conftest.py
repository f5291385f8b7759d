"""One real Dagster for the whole folder, with three runs that every test may look at."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

import pytest

from connectors.dagster import DagsterActuator, DagsterReader
from policies.plan import Step
from policies.run import Run
from tests.building import NOW, a_plan, a_step, approved
from tests.live.dagster.server import BIN, Dagster, running

JOBS = frozenset(
    {"sessions_job", "growth_rollups_job", "always_fails_job", "strict_config_job", "rest_job"}
)
ROLLUPS_KEY = "DW-1:rollups:0123456789ab"


@dataclass(frozen=True, kw_only=True)
class World:
    """The server, and runs that have ended on it."""

    server: Dagster
    check_failed: Run
    step_failed: Run
    good: Run


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    if not (BIN / "dagster").exists():
        pytest.skip("there is no .venv-dagster; `make live` makes it")
    with running(tmp_path_factory.mktemp("dagster_home")) as server:
        yield asyncio.run(_runs(server))


@pytest.fixture
async def reader(world: World) -> AsyncIterator[DagsterReader]:
    reader = DagsterReader("dagster", world.server.url)
    yield reader
    await reader.close()


@pytest.fixture
async def actuator(world: World) -> AsyncIterator[DagsterActuator]:
    actuator = DagsterActuator("dagster", world.server.url, None, JOBS)
    yield actuator
    await actuator.close()


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
    ]
    ended = [await to_the_end(reader, run) for run in started]
    await reader.close()
    await actuator.close()
    return World(server=server, check_failed=ended[0], step_failed=ended[1], good=ended[2])

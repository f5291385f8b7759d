"""What every test of the folder may ask for: the world, with a reader and an actuator."""

from collections.abc import AsyncIterator

import pytest

from connectors.dagster import DagsterActuator, DagsterReader
from tests.live.dagster.world import JOBS, World


@pytest.fixture(scope="session")
def world(dagster_world: World) -> World:
    return dagster_world


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

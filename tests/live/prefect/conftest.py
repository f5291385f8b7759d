"""What every test of the folder may ask for: the world, with a reader and an actuator."""

from collections.abc import AsyncIterator

import pytest

from connectors.prefect import PrefectActuator, PrefectReader
from tests.live.prefect.server import LOGIN
from tests.live.prefect.world import BUILDS, JOBS, World


@pytest.fixture(scope="session")
def world(prefect_world: World) -> World:
    return prefect_world


@pytest.fixture
async def reader(world: World) -> AsyncIterator[PrefectReader]:
    reader = PrefectReader("prefect", world.server.url, LOGIN, builds=BUILDS)
    yield reader
    await reader.close()


@pytest.fixture
async def actuator(world: World) -> AsyncIterator[PrefectActuator]:
    actuator = PrefectActuator("prefect", world.server.url, LOGIN, JOBS)
    yield actuator
    await actuator.close()

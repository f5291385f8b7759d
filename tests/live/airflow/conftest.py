"""What every test of the folder may ask for: the world, and one of its two servers with a reader."""

from collections.abc import AsyncIterator

import pytest

from connectors.airflow import AirflowReader
from tests.live.airflow.server import Airflow
from tests.live.airflow.world import World, reading


@pytest.fixture(scope="session")
def world(airflow_world: World) -> World:
    return airflow_world


@pytest.fixture(params=[2, 3], ids=["airflow2", "airflow3"])
def major(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def server(world: World, major: int) -> Airflow:
    return world.servers[major]


@pytest.fixture
async def reader(server: Airflow) -> AsyncIterator[AirflowReader]:
    reader = reading(server)
    yield reader
    await reader.close()

"""The demo's stack in a folder of its own, ended whatever happens."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bot.sandbox.demo import postgres
from bot.sandbox.demo.ports import free_ports
from bot.sandbox.demo.postgres import Pair
from bot.sandbox.demo.processes import Household
from bot.sandbox.demo.stack import Stack
from tests.live.demo.places import DAGSTER


@pytest.fixture
async def household(tmp_path: Path) -> AsyncIterator[Household]:
    found = Household(tmp_path)
    await found.open()
    yield found
    await found.close()


@pytest.fixture
def pair(tmp_path: Path, household: Household) -> Iterator[Pair]:
    primary, replica = free_ports(2)
    ports = postgres.Ports(primary=primary, replica=replica)
    found = Pair(tmp_path / "postgres", household, ports)
    yield found
    found.remove()


@pytest.fixture
async def stack(tmp_path: Path, household: Household) -> AsyncIterator[Stack]:
    found = Stack(tmp_path, DAGSTER, household, print)
    await found.start()
    yield found
    await found.close()

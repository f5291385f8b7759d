"""The world as a fixture."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.worker.world import World, a_world, sqlite_url
from tests.clock import FakeClock


@pytest.fixture
async def world(tmp_path: Path, clock: FakeClock) -> AsyncIterator[World]:
    async with a_world(sqlite_url(tmp_path), clock) as made:
        yield made

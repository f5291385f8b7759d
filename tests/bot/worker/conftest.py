"""The world as a fixture."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.log import configure
from tests.bot.worker.world import World, a_world, sqlite_url
from tests.clock import FakeClock


@pytest.fixture(autouse=True)
def _logged_as_in_production() -> None:
    """One line each: a pretty traceback of a whole world takes seconds."""
    configure("json")


@pytest.fixture
async def world(tmp_path: Path, clock: FakeClock) -> AsyncIterator[World]:
    async with a_world(sqlite_url(tmp_path), clock) as made:
        yield made

"""The site, and the world it stands in, as fixtures."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.worker.world import World, a_world, sqlite_url
from tests.clock import FakeClock
from tests.handlers.mail.site import Site, a_site


@pytest.fixture
async def site(tmp_path: Path, clock: FakeClock) -> AsyncIterator[Site]:
    async with a_site(tmp_path, clock) as made:
        yield made


@pytest.fixture
async def world(tmp_path: Path, clock: FakeClock) -> AsyncIterator[World]:
    async with a_world(sqlite_url(tmp_path), clock) as made:
        yield made

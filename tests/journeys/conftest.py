"""Every journey is played on a stage of its own, over each database."""

from collections.abc import AsyncIterator

import pytest

from tests.journeys.stage import Stage, a_stage


@pytest.fixture
async def stage(url: str) -> AsyncIterator[Stage]:
    """The house, open, and nothing has happened yet."""
    async with a_stage(url) as opened:
        yield opened

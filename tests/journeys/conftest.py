"""Every journey is played on a stage of its own, over each database."""

from collections.abc import AsyncIterator

import pytest

from bot.log import configure
from tests.journeys.stage import Stage, a_stage


@pytest.fixture(autouse=True)
def _logged_as_in_production() -> None:
    """One line each: pretty tracebacks take seconds, and Slack waits three."""
    configure("json")


@pytest.fixture
async def stage(url: str) -> AsyncIterator[Stage]:
    """The house, open, and nothing has happened yet."""
    async with a_stage(url) as opened:
        yield opened

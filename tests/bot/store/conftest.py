"""A store over each database."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.store import SqlStore, open_store
from tests.databases import BOTH, without_tables


@pytest.fixture(params=BOTH)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database without tables."""
    return without_tables(request, tmp_path)


@pytest.fixture
async def store(url: str) -> AsyncIterator[SqlStore]:
    opened = await open_store(url)
    yield opened
    await opened.close()

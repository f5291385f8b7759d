"""The strict workspace with our app in it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.handlers.room import Room, a_room


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    async with a_room(tmp_path) as open_room:
        yield open_room


@pytest.fixture
async def quiet_room(tmp_path: Path) -> AsyncIterator[Room]:
    """The same without a socket: for what we say, not for what we hear."""
    async with a_room(tmp_path, sockets=0) as open_room:
        yield open_room

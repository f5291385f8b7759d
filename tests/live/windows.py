"""What failed in a part of the time, asked of a real server: the end of the window is the server's to keep."""

from datetime import UTC, datetime

import pytest

from connectors.base import Orchestrator
from connectors.errors import TooMany

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


async def check(reader: Orchestrator) -> None:
    """Of the failures so far, the first stands in a window that ends before the last, and the last does not."""
    whole = await reader.failed_between(LONG_AGO)
    first, *_, last = [run for run in whole if run.ended_at]
    assert first.ended_at is not None
    assert last.ended_at is not None
    middle = first.ended_at + (last.ended_at - first.ended_at) / 2
    early = {run.id for run in await reader.failed_between(LONG_AGO, middle)}
    assert first.id in early
    assert last.id not in early
    with pytest.raises(TooMany):
        await reader.failed_between(LONG_AGO, most=1)

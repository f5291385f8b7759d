"""What failed in a part of the time, asked of a real server: the end of the window is the server's to keep."""

from datetime import UTC, datetime

import pytest

from connectors.base import Orchestrator
from connectors.errors import TooMany

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


async def check(reader: Orchestrator) -> None:
    """Of the failures so far, the first stands in a window that ends before the last, and the last does not."""
    ended = {run.ended_at: run.id for run in await reader.failed_between(LONG_AGO) if run.ended_at}
    first, *_, last = sorted(ended)
    early = {run.id for run in await reader.failed_between(LONG_AGO, first + (last - first) / 2)}
    assert ended[first] in early
    assert ended[last] not in early
    with pytest.raises(TooMany):
        await reader.failed_between(LONG_AGO, most=1)

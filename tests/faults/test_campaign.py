"""A slice of the fault campaign (`make faults`): few requests, and trouble all the while."""

from pathlib import Path

import pytest

from tests.faults.campaign.field import TAPS
from tests.faults.campaign.playing import PEOPLE, Plan, play

pytestmark = [pytest.mark.loopback, pytest.mark.timeout(300)]
REQUESTS = 8


async def test_clicks_are_counted_once_while_everything_goes_wrong(tmp_path: Path) -> None:
    plan = Plan(database="SQLite", requests=REQUESTS, pause=0.2, blows=8)
    outcome = await play(f"sqlite+aiosqlite:///{tmp_path / 'dw.db'}", tmp_path, plan)
    assert outcome.count.wrong == []
    assert outcome.count.decided == outcome.count.requests == REQUESTS
    assert outcome.count.clicks >= REQUESTS * PEOPLE * TAPS
    assert outcome.lives > 2

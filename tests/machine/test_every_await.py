"""A whole night in which the process dies at every await of desk, worker and store, once for each way there.

What was stored before a death makes the rest of that night go another way, so it takes several nights
until there is no place left in which nobody has died.
"""

import asyncio
from pathlib import Path

from tests.databases import emptied
from tests.machine.perilous import Perilous
from tests.machine.reaper import Reaper

#: in the nights after these nothing is shown in Slack, for nobody dies there any more
_SHOWN = 3
#: it must die in so many places at least, or the reaper looks for them in vain
_MANY = 300


def test_dying_at_every_await_loses_nothing_and_doubles_nothing(url: str, tmp_path: Path) -> None:
    reaper, before, nights = Reaper(), -1, 0
    while reaper.deaths > before:
        before, nights = reaper.deaths, nights + 1
        empty = emptied(url, tmp_path / str(nights))
        asyncio.run(_one(Perilous(empty, reaper, quiet=nights > _SHOWN)))
    assert reaper.deaths > _MANY, f"it died {reaper.deaths} times only"


async def _one(night: Perilous) -> None:
    async with night:
        await night.happens()

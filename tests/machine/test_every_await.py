"""A whole night in which the process dies at every await of desk, worker and store, by whichever calls it gets there.

What was stored before a death makes the rest of that night go another way, so it takes several nights
until there is no place left in which nobody has died. The same for a process that is stopped there for
longer than its lease, while another does its work, and that then goes on as if nothing had been.
"""

import asyncio
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.databases import address, emptied
from tests.machine.perilous import Perilous
from tests.machine.reaper import Reaper, Sandman
from tests.postgres_server import Server

pytestmark = pytest.mark.timeout(300)  # some seconds of work, on a machine that may do other things

#: in the nights after these nothing is shown in Slack, for nobody dies there any more
_SHOWN = 3
#: it must happen in so many places at least, or they are looked for in vain
_DEATHS, _SLEEPS = 300, 10


def nights(url: str, folder: Path, reaper: Reaper, *, shown: int = 0) -> Iterator[Perilous]:
    """As many as it takes until one of them has nothing new."""
    before = -1
    for number in itertools.count():
        if reaper.times == before:
            return
        before = reaper.times
        yield Perilous(emptied(url, folder / str(number)), reaper, quiet=number >= shown)


async def passes(night: Perilous) -> None:
    async with night:
        await night.happens()


def test_dying_at_every_await_loses_nothing_and_doubles_nothing(url: str, tmp_path: Path) -> None:
    reaper = Reaper()
    for night in nights(url, tmp_path, reaper, shown=_SHOWN):
        asyncio.run(passes(night))
    assert reaper.times > _DEATHS, f"it died {reaper.times} times only"


@pytest.mark.loopback
def test_sleeping_through_the_lease_at_every_await_loses_nothing_and_doubles_nothing(
    postgres: Server, tmp_path: Path
) -> None:
    """While it starts something; in the long campaign, whatever it does."""
    long = settings.get_current_profile_name() == "long"
    reaper = Sandman(only=frozenset() if long else frozenset({"act"}))
    for night in nights(address(postgres, "dw"), tmp_path, reaper):
        reaper.others = night.others
        asyncio.run(passes(night))
    assert reaper.times > _SLEEPS, f"it slept {reaper.times} times only"

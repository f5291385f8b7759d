"""Reads what failed at an orchestrator, in bounded steps when there is more of it than is read in one go.

After an outage thousands of runs may have failed. They are read from the oldest on, a piece a look, so that
every look ends and the mark moves on.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from connectors.base import Orchestrator
from connectors.errors import TooMany
from policies import sight as sights
from policies.run import Run
from policies.sight import Sight

#: runs that are read in one look, unless all of them ended within one minute
MOST = 1000
_SHORTEST = timedelta(minutes=1)


async def failures(
    system: Orchestrator, sight: Sight, now: datetime
) -> tuple[Sequence[Run], datetime | None]:
    """What failed since the mark; and up to when it was read, None when that is all of it."""
    try:
        return await system.failed_between(sight.since - sights.OVERLAP, most=MOST), None
    except TooMany:
        return await _a_piece(system, sight.since, now)


async def _a_piece(
    system: Orchestrator, since: datetime, now: datetime
) -> tuple[Sequence[Run], datetime]:
    """The oldest of them: of ever shorter times the longest in which no more failed than are read in one go."""
    span = max((now - since) / 2, _SHORTEST)
    while span > _SHORTEST:
        try:
            return await system.failed_between(since, since + span, most=MOST), since + span
        except TooMany:
            span = max(span / 2, _SHORTEST)
    return await system.failed_between(since, since + span), since + span

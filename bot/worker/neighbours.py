"""The troubles that may still turn out to be one with another: open ones, and those without a plan."""

from collections.abc import Sequence
from datetime import datetime

from bot.ports import IncidentLine
from bot.worker.context import Context
from policies.incident import Incident, Phase
from policies.joining import waits

_LISTED, _MOST = 200, 60


async def neighbours(
    context: Context, at: datetime, *, taken_over_only: bool = False
) -> Sequence[Incident]:
    """Those that began near `at`, as far apart as dw.yml lets one trouble be; the elder first.

    At most 60, the newest. With `taken_over_only` those that a person took over for want of a plan.
    """
    lines = await context.store.incidents(open_only=False, limit=_LISTED)
    within = context.rules.together_within
    near = [line for line in lines if abs(line.opened_at - at) <= within and _may_wait(line)]
    chosen = [x for x in near if x.phase is Phase.HANDED_OVER] if taken_over_only else near
    found = [await context.store.load(line.id) for line in reversed(chosen[:_MOST])]
    return [incident for incident in found if incident is not None and waits(incident)]


def _may_wait(line: IncidentLine) -> bool:
    return not line.phase.closed or line.phase is Phase.HANDED_OVER

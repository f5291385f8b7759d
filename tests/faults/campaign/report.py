"""docs/faults.md from what the campaigns came to."""

import os
import platform
from collections.abc import Sequence
from pathlib import Path

from tests.faults.campaign.counting import Count
from tests.faults.campaign.playing import Outcome

PAGE = Path(__file__).parents[3] / "docs/faults.md"
_HEAD = """\
<!-- Written by `make faults`. Run it again rather than change this page. -->
# Fault campaign

The whole house runs over the strict local workspace, as a process that is killed, again and again, while ten people at
a time tap on Approve and Reject, each twice: four who may decide and six who may not. Slack sends deliveries
twice and loses acks and answers, PostgreSQL is stopped (at once, without a goodbye) and started again, and the bot dies
at any moment, before any single change of its database, and just before and after a run is started.

In the end it is counted from the database, from the system that ran things, and from what stands in Slack:

* **lost**: an acknowledged click that is not stored, a request nobody's click decided, an approved step without its run, an
  alert without its incident;
* **doubled**: two decisions on one request, two runs of one step, two incidents of one alert, a message that stands twice;
* **unentitled**: a decision by somebody who may not decide, a run without an approval.
"""


def report(outcomes: Sequence[Outcome], command: str) -> str:
    """The whole page."""
    machine = (
        f"`{command}` on {platform.system()} {platform.machine()} with {os.cpu_count()} cores, "
        f"Python {platform.python_version()}."
    )
    return f"{_HEAD}\n{machine}\n\n{table(outcomes)}\n"


def table(outcomes: Sequence[Outcome]) -> str:
    """What was done, what went wrong meanwhile, and what came of it; a column for each database."""
    names = " | ".join(outcome.plan.database for outcome in outcomes)
    rows = [f"| | {names} |", "|---|" + "---:|" * len(outcomes)]
    rows += [_row(name, [figure(o.count) for o in outcomes]) for name, figure in _DONE.items()]
    rows.append(_row("seconds", [round(o.seconds) for o in outcomes]))
    rows.append(_row("processes started", [o.lives for o in outcomes]))
    kinds = sorted({kind for outcome in outcomes for kind in outcome.struck})
    rows += [_row(kind, [o.struck.get(kind, 0) for o in outcomes]) for kind in kinds]
    rows += [_row(f"**{name}**", [figure(o.count) for o in outcomes]) for name, figure in _WRONG]
    return "\n".join(rows)


def _row(name: str, figures: Sequence[int]) -> str:
    return f"| {name} | " + " | ".join(f"{figure:,}" for figure in figures) + " |"


def _clicks(count: Count) -> int:
    return count.clicks


_DONE = {
    "clicks": _clicks,
    "clicks acknowledged": lambda count: count.acked,
    "requests": lambda count: count.requests,
    "requests decided": lambda count: count.decided,
    "runs started": lambda count: count.runs,
}
_WRONG = (
    ("lost", lambda count: len(count.lost)),
    ("doubled", lambda count: len(count.doubled)),
    ("unentitled", lambda count: len(count.unentitled)),
)

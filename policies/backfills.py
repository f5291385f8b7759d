"""Several partitions of one backfill: which of them failed, and which are green again, each by itself.

The bot never runs a backfill: its owner does, in one go or one by one, and each partition is recognised alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from policies.alert import Alert
from policies.answers import names, text
from policies.facts import Facts
from policies.figures import day_of, listed
from policies.incident import Incident
from policies.plan import Step
from policies.run import Run, RunState

AGAIN = "rerun_partitions"
_RANGE = ("dagster/asset_partition_range_start", "dagster/asset_partition_range_end")
_NAMED, _EACH_TOLD = 5, 10


@dataclass(frozen=True, kw_only=True, slots=True)
class Green:
    """How far a backfill is. `last` is the run that made the newest of them green, None while none is."""

    partitions: tuple[str, ...]
    of: int
    last: Run | None
    why: str


def name_of(incident: Incident) -> str | None:
    """The backfill that the failed run is of, whoever told of it."""
    told = (alert.extra.get("backfill") for alert in Facts.of(incident).told)
    return next((name for name in told if name), None)


def failed(incident: Incident) -> tuple[str, ...]:
    """The partitions of that backfill that failed, sorted; none when it is no backfill."""
    name = name_of(incident)
    return tuple(
        sorted(
            {
                alert.partition
                for alert in incident.alerts
                if name and alert.partition and alert.kind.opens() and _is_of(alert, name, incident)
            }
        )
    )


def planned(steps: Iterable[Step]) -> tuple[str, ...]:
    """The partitions that these steps run again as one part; none when no step does."""
    return tuple(day for step in steps if step.action == AGAIN for day in _partitions(step))


def widens(incident: Incident, alert: Alert) -> bool:
    """True when the alert is one more partition of the backfill, and the plan does not name it yet."""
    name = name_of(incident)
    if incident.plan is None or incident.begun or incident.phase.closed or name is None:
        return False
    known = planned(incident.plan.steps)
    return alert.partition not in (None, *known) and _is_of(alert, name, incident)


def progress(step: Step, runs: Sequence[Run], since: datetime) -> Green:
    """Which partitions of the step have become green since then; `runs` are oldest first."""
    wanted = _partitions(step)
    mine = [run for run in runs if _began(run, since)]
    ends = {day: _end(step, day, mine) for day in wanted}
    green = {day: run for day, run in ends.items() if run and run.state is RunState.SUCCEEDED}
    last = max(green.values(), key=lambda run: (run.ended_at or since, run.id), default=None)
    failed_again = [
        f"{day} (its newest run {run.label} ended as {run.state.value})"
        for day, run in ends.items()
        if run and run.state is not RunState.SUCCEEDED
    ]
    left = [day for day in wanted if day not in green]
    why = _says(list(green), left, failed_again)
    return Green(partitions=tuple(green), of=len(wanted), last=last, why=why)


def stretches(partitions: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Days that follow on each other as `(first, last)`; anything else stands alone."""
    found: list[tuple[str, str]] = []
    for one in partitions:
        if found and _day_after(found[-1][1]) == one:
            found[-1] = (found[-1][0], one)
        else:
            found.append((one, one))
    return tuple(found)


def few(partitions: Sequence[str]) -> str:
    """`a, b and c`, or the first of many and how many more."""
    more = len(partitions) - _NAMED
    return listed([*partitions[:_NAMED], *([f"{more} more"] if more > 0 else [])])


def _is_of(alert: Alert, name: str, incident: Incident) -> bool:
    own = incident.alert
    if alert.connection != own.connection:
        return False
    return alert.extra.get("backfill") == name or alert is own


def _began(run: Run, since: datetime) -> bool:
    """Begun since then; a run that was cleared is the same one, begun once more."""
    return any(at is not None and at >= since for at in (run.created_at, run.started_at))


def _partitions(step: Step) -> tuple[str, ...]:
    return names(step.params.get("partitions"))


def _end(step: Step, day: str, runs: Sequence[Run]) -> Run | None:
    """The run that settles it: the newest that ended, once all that is wanted is built; else what failed."""
    mine = [run for run in runs if _covers(run, day) and _does(run, step) and run.state.ended]
    if not mine or mine[-1].state is not RunState.SUCCEEDED:
        return mine[-1] if mine else None
    built = {a for run in mine if run.state is RunState.SUCCEEDED for a in run.assets}
    return mine[-1] if set(names(step.params.get("assets"))) <= built else None


def _covers(run: Run, day: str) -> bool:
    if run.partition is not None:
        return run.partition == day
    start, end = (day_of(run.tags.get(tag)) for tag in _RANGE)
    return start is not None and end is not None and day_of(day) is not None and start <= day <= end


def _does(run: Run, step: Step) -> bool:
    assets, job = set(names(step.params.get("assets"))), text(step.params.get("job"))
    return bool(assets & set(run.assets)) if assets else run.job == job


def _says(green: Sequence[str], left: Sequence[str], failed_again: Sequence[str]) -> str:
    """Of many it is said by the tenth, so that a thread is not told of each."""
    of = len(green) + len(left)
    tenths = 10 * len(green) // of * of // 10 if of else 0
    told = f"{len(green)} of {of}" if of <= _EACH_TOLD else f"at least {tenths} of {of}"
    head = f"{told} partitions are green"
    if not left:
        return f"{head}: {few(green)}"
    named = f"; still to come: {few(left)}" if of <= _EACH_TOLD else ""
    bad = f"; not well: {few(failed_again)}" if failed_again else ""
    return f"{head}{named}{bad}"


def _day_after(day: str) -> str | None:
    if day_of(day) is None:
        return None
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat()

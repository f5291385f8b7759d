"""Is this the run a person was asked to start? Recognised by its effect, with the reason said."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from policies.plan import Step
from policies.run import Run, RunState

#: runs that the bot started carry this tag; they are never taken for a person's
OUR_TAG = "dw/step"


@dataclass(frozen=True, kw_only=True, slots=True)
class Recognised:
    """The run that is taken to be the person's, and why."""

    run: Run
    because: str


def recognise_run(step: Step, runs: Sequence[Run], since: datetime) -> Recognised | None:
    """The newest run that completes what the step asks for, for its partition, created after `since`.

    One run may build everything, or several one asset each: then the newest of them counts once all
    assets are covered, and the gates behind it judge the numbers. A run that failed or was cancelled is
    passed over: the person will start another. `runs` are oldest first.
    """
    wanted = _names(step)
    mine = [run for run in runs if _fits(run, step, wanted, since)]
    if not mine or not wanted <= {asset for run in mine for asset in run.assets}:
        return None
    partition = step.params.get("partition")
    what = ", ".join(sorted(wanted)) or mine[-1].job
    day = f" for partition {partition}" if partition else ""
    whole = wanted <= set(mine[-1].assets)
    how = "it builds" if whole else "together with the runs before it, it builds"
    return Recognised(
        run=mine[-1], because=f"{how} {what}{day} and was started after this plan was drafted"
    )


def _fits(run: Run, step: Step, wanted: set[str], since: datetime) -> bool:
    partition = step.params.get("partition")
    return (
        run.created_at is not None
        and run.created_at >= since
        and run.state not in (RunState.FAILED, RunState.CANCELLED)
        and (partition is None or run.partition == partition)
        and (not wanted or bool(wanted & set(run.assets)))
        and OUR_TAG not in run.tags
    )


def _names(step: Step) -> set[str]:
    assets = step.params.get("assets")
    return {str(asset) for asset in assets} if isinstance(assets, list) else set()

"""Is this the run a person was asked to start? Recognised by its effect, with the reason said."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from policies.plan import Step
from policies.run import Run, RunState


@dataclass(frozen=True, kw_only=True, slots=True)
class Recognised:
    """The run that is taken to be the person's, and why."""

    run: Run
    because: str


def recognise_run(step: Step, runs: Sequence[Run], since: datetime) -> Recognised | None:
    """The newest run that builds what the step asks for, for its partition, created after `since`.

    A run that has already failed or was cancelled is passed over: the person will start another.
    """
    assets = _names(step)
    partition = step.params.get("partition")
    fitting = [
        run
        for run in runs
        if run.created_at is not None
        and run.created_at >= since
        and run.state not in (RunState.FAILED, RunState.CANCELLED)
        and (partition is None or run.partition == partition)
        and assets <= set(run.assets)
    ]
    if not fitting:
        return None
    run = fitting[-1]
    what = ", ".join(sorted(assets)) or run.job
    day = f" for partition {partition}" if partition else ""
    return Recognised(
        run=run, because=f"it builds {what}{day} and was started after this plan was drafted"
    )


def _names(step: Step) -> set[str]:
    assets = step.params.get("assets")
    return {str(asset) for asset in assets} if isinstance(assets, list) else set()

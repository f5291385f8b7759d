"""Is this the run a person was asked to start? Recognised by its effect, with the reason said."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from policies import backfills
from policies.answers import record
from policies.dag_rerun import TRIGGER
from policies.evidence import Json
from policies.figures import clock, listed
from policies.plan import Step
from policies.run import Run, RunState

#: runs that the bot started carry this tag; they are never taken for a person's
OUR_TAG = "dw/step"


@dataclass(frozen=True, kw_only=True, slots=True)
class Recognised:
    """The run that is taken to be the person's, and why."""

    run: Run
    because: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Several:
    """More than one run fits: none is taken, and a person is asked."""

    runs: tuple[Run, ...]

    @property
    def why(self) -> str:
        """What is asked; what to do comes first, for a long list may be cut."""
        named = [f"{run.label} (started {_at(run)})" for run in self.runs]
        return (
            f"{len(self.runs)} runs fit and none is taken for it: press Mark done once the right one has "
            f"ended well. They are {listed(named)}"
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Partly:
    """Some of several partitions are green: how many, and which are still to come."""

    why: str


Found = Recognised | Several | Partly | None


def recognise_run(step: Step, runs: Sequence[Run], since: datetime) -> Found:
    """The run, created after `since`, that does what the step asks for; `runs` are oldest first.

    A run that failed or was cancelled is passed over: the person will start another.
    """
    live = [run for run in runs if _counts(run, since)]
    return _WAYS.get(step.action, _by_assets)(step, live)


def _by_assets(step: Step, runs: Sequence[Run]) -> Found:
    """The newest run that completes what the step asks for, for its partition.

    One run may build everything, or several one asset each: then the newest of them counts once all
    assets are covered, and the gates behind it judge the numbers.
    """
    wanted = _names(step)
    mine = [run for run in runs if _builds(run, step, wanted)]
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


def _by_conf(step: Step, runs: Sequence[Run]) -> Found:
    """The one run of this DAG that a person started with this configuration, for this day.

    What a run leaves open counts as the default. The failed run itself, cleared, counts as well.
    """
    mine = [run for run in runs if _runs_this(run, step)]
    if len(mine) > 1:
        return Several(runs=tuple(mine))
    return Recognised(run=mine[0], because=_because(step, mine[0])) if mine else None


def recognise_partitions(step: Step, runs: Sequence[Run], since: datetime) -> Found:
    """Each partition by itself; the step is recognised once all are green, by the run that came last."""
    far = backfills.progress(step, [run for run in runs if OUR_TAG not in run.tags], since)
    if far.last is None:
        return None
    if len(far.partitions) < far.of:
        return Partly(why=far.why)
    return Recognised(run=far.last, because=far.why)


_WAYS: Mapping[str, Callable[[Step, Sequence[Run]], Found]] = {TRIGGER: _by_conf}


def _counts(run: Run, since: datetime) -> bool:
    return (
        run.created_at is not None
        and run.created_at >= since
        and run.state not in (RunState.FAILED, RunState.CANCELLED)
        and OUR_TAG not in run.tags
    )


def _builds(run: Run, step: Step, wanted: set[str]) -> bool:
    partition = step.params.get("partition")
    fits = partition is None or run.partition == partition
    return fits and (not wanted or bool(wanted & set(run.assets)))


def _runs_this(run: Run, step: Step) -> bool:
    asked = step.params
    by_hand = run.tags.get("run_type") == "manual" or run.id == asked.get("replaces")
    day = "interval" not in asked or run.partition == asked.get("partition")
    return run.job == asked.get("job") and by_hand and day and _conf(step, run) == _conf(step)


def _conf(step: Step, run: Run | None = None) -> dict[str, Json]:
    """What really applies: the defaults, and what was set over them."""
    own = record(step.params.get("config")) if run is None else run.conf or {}
    return {**record(step.params.get("defaults")), **own}


def _because(step: Step, run: Run) -> str:
    conf = ", ".join(f"{key}={value}" for key, value in record(step.params.get("config")).items())
    how = f" with {conf}" if conf else ""
    day = f" for {run.partition}" if "interval" in step.params else ""
    again = (
        "the failed run itself was cleared and" if run.id == step.params.get("replaces") else "it"
    )
    return f"{again} runs {run.job}{how}{day}, started by hand at {_at(run)}, after this step was ready"


def _at(run: Run) -> str:
    return f"{clock(run.created_at)} UTC" if run.created_at else "at an unknown time"


def _names(step: Step) -> set[str]:
    assets = step.params.get("assets")
    return {str(asset) for asset in assets} if isinstance(assets, list) else set()

"""What a plan would have needed at a level where nobody is asked, and whether it was done by hand later."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from policies import events as e
from policies.incident import Incident
from policies.plan import Plan, Step
from policies.run import Run


@dataclass(frozen=True, kw_only=True, slots=True)
class Tally:
    """How many runs would have been queued, and how many of them people then started themselves."""

    would: int
    by_hand: int


def would(plan: Plan) -> tuple[tuple[str, str], ...]:
    """Step id and what it would have needed, without anybody being mentioned."""
    return tuple((step.id, _would(step)) for step in plan.steps if not step.follow_up)


def _would(step: Step) -> str:
    asks = f"would ask {step.owner}"
    if step.doer == "person":
        return f"{asks} to do “{step.title}”"
    partition = step.params.get("partition")
    what = step.params.get("job") or step.title
    return f"{asks}; would queue {what}" + (f" for {partition}" if partition else "")


def queued(incident: Incident) -> tuple[Step, ...]:
    """The steps that the bot would have queued here."""
    steps = incident.plan.steps if incident.plan else ()
    return tuple(step for step in steps if step.doer == "bot" and not step.follow_up)


def by_hand(step: Step, runs: Sequence[Run]) -> Run | None:
    """The first run of the step's job for its partition that is not one of ours."""
    job, partition = step.params.get("job"), step.params.get("partition")
    for run in runs:
        same = run.job == job and partition in (None, run.partition)
        if same and "dw/step" not in run.tags:
            return run
    return None


def tally(seen: Iterable[e.ShadowSeen], change_class: str) -> Tally:
    """Count the looks at one class."""
    looks = [event for event in seen if event.change_class == change_class]
    return Tally(would=len(looks), by_hand=sum(event.run is not None for event in looks))

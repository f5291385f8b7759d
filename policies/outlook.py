"""What an incident's steps add up to: still going, time to measure, or beyond what the bot may do."""

from dataclasses import dataclass

from policies.incident import Incident, StepPhase
from policies.plan import Step

_DEAD = (StepPhase.REFUSED, StepPhase.EXPIRED, StepPhase.FAILED, StepPhase.UNCERTAIN)


@dataclass(frozen=True, kw_only=True, slots=True)
class Going:
    """Something can still happen."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadyToVerify:
    """Every step that holds the receipt is done."""

    step_ids: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Stuck:
    """A step that holds the receipt can't be done any more, and nothing is under way."""

    why: str


Outlook = Going | ReadyToVerify | Stuck


def outlook(incident: Incident) -> Outlook:
    """Look at the steps that hold the receipt."""
    if incident.plan is None:
        return Going()
    holding = tuple(step for step in incident.plan.steps if not step.follow_up)
    phases = {step.id: incident.steps[step.id].phase for step in holding}
    if all(phase is StepPhase.DONE for phase in phases.values()):
        return ReadyToVerify(step_ids=tuple(phases))
    dead = {step.id for step in holding if phases[step.id] in _DEAD}
    if dead and not any(_alive(step, phases, dead) for step in holding):
        reasons = [_says(incident, step) for step in holding if step.id in dead]
        return Stuck(why="; ".join(dict.fromkeys(reasons)))
    return Going()


def blocked(step: Step, dead: set[str]) -> bool:
    """True when something this step waits for will never be done."""
    return any(before in dead for before in step.after)


def _alive(step: Step, phases: dict[str, StepPhase], dead: set[str]) -> bool:
    phase = phases[step.id]
    if phase in _DEAD or phase is StepPhase.DONE:
        return False
    return phase is StepPhase.STARTED or not blocked(step, dead)


def _says(incident: Incident, step: Step) -> str:
    state = incident.steps[step.id]
    asked = incident.request_of(step.id)
    words = {
        StepPhase.REFUSED: "was refused; nothing of it ran",
        StepPhase.EXPIRED: "was not answered by anybody in the chain; that is a no, and nothing of it ran",
        StepPhase.FAILED: f"failed: {state.why}",
        StepPhase.UNCERTAIN: f"has an unknown outcome: {state.why}",
    }[state.phase]
    by = ""
    if state.phase is StepPhase.REFUSED and asked and asked.decisions:
        last = asked.decisions[-1]
        by = f" by {last.name}" + (f" ({last.reason})" if last.reason else "")
    return f"“{step.title}” {words.replace('refused', 'refused' + by, 1)}"

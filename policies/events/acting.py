"""What was started, by whom, and how it ended."""

from dataclasses import dataclass

from policies.checks import CheckResult
from policies.run import Run


@dataclass(frozen=True, kw_only=True, slots=True)
class StepReady:
    """Everything before this step is done and its gate passed."""

    step_id: str
    results: tuple[CheckResult, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class StepHeld:
    """A step that could have started did not, and why (a stop, a gate that does not pass yet)."""

    step_id: str
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ActionStarted:
    """Committed before the call: from here on the outcome is looked up, never blindly repeated.

    `less` is what was shown as reached and is not any more.
    """

    step_id: str
    key: str
    approved_by: tuple[str, ...]
    digest: str
    less: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class RunStarted:
    """The system accepted the run, or already had one with our key (`adopted`)."""

    step_id: str
    run: Run
    adopted: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class RunRecognised:
    """A person's own run was recognised by its effect, and why it is taken to be that one."""

    step_id: str
    run: Run
    because: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PersonRunFailed:
    """A run that a person started did not end well; theirs to start again, and it is still watched."""

    step_id: str
    run: Run
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class StepDone:
    """The step ended well; `run` is its last state where there is one."""

    step_id: str
    run: Run | None = None
    by: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class StepFailed:
    """The step ended badly, or was refused by the system: what happened, what did not."""

    step_id: str
    why: str
    run: Run | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ActionUncertain:
    """It was started and cannot be known how it ended. It is not repeated; a person is asked."""

    step_id: str
    why: str

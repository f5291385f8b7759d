"""An incident's facts, one class each, past tense. The journal is a list of these and of nothing else.

To add one: a class here, its row in `lifecycle`, its line in `handlers.views.journal`.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from policies.alert import Alert
from policies.approval import ApprovalRequest, Decision, Refusal
from policies.checks import CheckResult
from policies.evidence import Diagnosis, Evidence
from policies.lineage import BlastRadius
from policies.people import Seat
from policies.plan import Plan
from policies.run import Run


@dataclass(frozen=True, kw_only=True, slots=True)
class IncidentOpened:
    """The first alert of a new trouble. `channel` is where it will be talked about."""

    alert: Alert
    domain: str
    level: str
    channel: str


@dataclass(frozen=True, kw_only=True, slots=True)
class AlertMatched:
    """One more alert of the same trouble, and why it is the same."""

    alert: Alert
    because: str


@dataclass(frozen=True, kw_only=True, slots=True)
class EvidenceFound:
    """A probe was answered, or could not be."""

    evidence: Evidence


@dataclass(frozen=True, kw_only=True, slots=True)
class Diagnosed:
    """The causes were ranked."""

    diagnosis: Diagnosis


@dataclass(frozen=True, kw_only=True, slots=True)
class RadiusDrawn:
    """What the trouble reaches was worked out."""

    radius: BlastRadius


@dataclass(frozen=True, kw_only=True, slots=True)
class Planned:
    """A plan was drafted; a later one replaces it."""

    plan: Plan


@dataclass(frozen=True, kw_only=True, slots=True)
class ApprovalRequested:
    """An owner was asked."""

    request: ApprovalRequest


@dataclass(frozen=True, kw_only=True, slots=True)
class PeopleAsked:
    """Who really sits in the seat whose turn it is, by Slack id, or the problem with finding them."""

    request_id: str
    hop: int
    people: tuple[str, ...]
    problem: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Reminded:
    """Half of the time is gone and nobody answered."""

    request_id: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Escalated:
    """Nobody decided in time: the next in the chain is asked. Never a yes."""

    request_id: str
    hop: int
    to: Seat
    deadline: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class DecisionMade:
    """One entitled person said yes or no."""

    request_id: str
    decision: Decision


@dataclass(frozen=True, kw_only=True, slots=True)
class DecisionRefused:
    """Somebody tried to decide and it did not count; they were told why and who may."""

    request_id: str
    key: str
    refusal: Refusal


@dataclass(frozen=True, kw_only=True, slots=True)
class ApprovalGranted:
    """The quorum is full."""

    request_id: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RequestRefused:
    """An entitled no. Nothing of this request runs."""

    request_id: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RequestExpired:
    """The last of the chain did not answer: that is a no. Nothing of this request runs."""

    request_id: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RequestVoided:
    """What was shown is not what would run any more."""

    request_id: str
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class QuestionAsked:
    """Somebody asked something instead of deciding; the clock goes on."""

    request_id: str
    person: str
    text: str


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
    """Committed before the call: from here on the outcome is looked up, never blindly repeated."""

    step_id: str
    key: str
    approved_by: tuple[str, ...]
    digest: str


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


@dataclass(frozen=True, kw_only=True, slots=True)
class VerificationStarted:
    """Every step that holds the receipt is done; the numbers are measured again."""

    step_ids: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ChecksRun:
    """Measurements, before or after."""

    results: tuple[CheckResult, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ReceiptIssued:
    """The closing record was written: its number and hash."""

    number: int
    hash: str


@dataclass(frozen=True, kw_only=True, slots=True)
class IncidentResolved:
    """The numbers are right again, and there is a receipt."""

    receipt: int


@dataclass(frozen=True, kw_only=True, slots=True)
class HandedOver:
    """The bot can't go on; a person takes it from here. `to` names who, `why` says what is known."""

    to: str
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Dismissed:
    """A person said this is no trouble."""

    by: str
    reason: str


Event: TypeAlias = (
    IncidentOpened
    | AlertMatched
    | EvidenceFound
    | Diagnosed
    | RadiusDrawn
    | Planned
    | ApprovalRequested
    | PeopleAsked
    | Reminded
    | Escalated
    | DecisionMade
    | DecisionRefused
    | ApprovalGranted
    | RequestRefused
    | RequestExpired
    | RequestVoided
    | QuestionAsked
    | StepReady
    | StepHeld
    | ActionStarted
    | RunStarted
    | RunRecognised
    | PersonRunFailed
    | StepDone
    | StepFailed
    | ActionUncertain
    | VerificationStarted
    | ChecksRun
    | ReceiptIssued
    | IncidentResolved
    | HandedOver
    | Dismissed
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One line of the journal: the `seq`-th fact of its incident, from 1, and when it was stored."""

    seq: int
    at: datetime
    event: Event

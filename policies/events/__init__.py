"""An incident's facts, one class each, past tense. The journal is a list of these and of nothing else.

To add one: a class in one of these rooms, its row in `lifecycle`, its fold, its line in `handlers.views.journal`.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from policies.events.acting import (
    ActionStarted,
    ActionUncertain,
    PersonRunFailed,
    RunRecognised,
    RunStarted,
    StepDone,
    StepFailed,
    StepHeld,
    StepReady,
)
from policies.events.asking import (
    ApprovalGranted,
    ApprovalRequested,
    DecisionMade,
    DecisionRefused,
    DecisionRevoked,
    Escalated,
    HandedOn,
    MailRefused,
    PeopleAsked,
    QuestionAsked,
    Reminded,
    RequestExpired,
    RequestRefused,
    RequestVoided,
)
from policies.events.closing import (
    ChecksRun,
    Dismissed,
    HandedOver,
    IncidentResolved,
    ReceiptIssued,
    Reopened,
    Settled,
    VerificationStarted,
)
from policies.events.investigating import (
    AlertMatched,
    Diagnosed,
    EvidenceFound,
    IncidentOpened,
    Planned,
    RadiusDrawn,
)
from policies.events.joining import Joined, Linked, TookIn
from policies.events.levels import LevelLowered, Observed, ShadowSeen

Event: TypeAlias = (
    IncidentOpened
    | AlertMatched
    | EvidenceFound
    | Diagnosed
    | RadiusDrawn
    | Planned
    | ApprovalRequested
    | PeopleAsked
    | MailRefused
    | Reminded
    | Escalated
    | HandedOn
    | DecisionMade
    | DecisionRefused
    | DecisionRevoked
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
    | Settled
    | Reopened
    | Joined
    | TookIn
    | Linked
    | Observed
    | ShadowSeen
    | LevelLowered
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One line of the journal: the `seq`-th fact of its incident, from 1, and when it was stored."""

    seq: int
    at: datetime
    event: Event


__all__ = [
    "ActionStarted",
    "ActionUncertain",
    "AlertMatched",
    "ApprovalGranted",
    "ApprovalRequested",
    "ChecksRun",
    "DecisionMade",
    "DecisionRefused",
    "DecisionRevoked",
    "Diagnosed",
    "Dismissed",
    "Entry",
    "Escalated",
    "Event",
    "EvidenceFound",
    "HandedOn",
    "HandedOver",
    "IncidentOpened",
    "IncidentResolved",
    "Joined",
    "LevelLowered",
    "Linked",
    "MailRefused",
    "Observed",
    "PeopleAsked",
    "PersonRunFailed",
    "Planned",
    "QuestionAsked",
    "RadiusDrawn",
    "ReceiptIssued",
    "Reminded",
    "Reopened",
    "RequestExpired",
    "RequestRefused",
    "RequestVoided",
    "RunRecognised",
    "RunStarted",
    "Settled",
    "ShadowSeen",
    "StepDone",
    "StepFailed",
    "StepHeld",
    "StepReady",
    "TookIn",
    "VerificationStarted",
]

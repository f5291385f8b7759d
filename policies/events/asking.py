"""Who was asked, and what they said, or that they said nothing."""

from dataclasses import dataclass
from datetime import datetime

from policies.approval import ApprovalRequest, Decision
from policies.deadline import Deadline
from policies.difference import Difference
from policies.people import Away, Seat
from policies.standing import Refusal


@dataclass(frozen=True, kw_only=True, slots=True)
class ApprovalRequested:
    """An owner was asked."""

    request: ApprovalRequest


@dataclass(frozen=True, kw_only=True, slots=True)
class PeopleAsked:
    """Who really sits in the seat whose turn it is, by Slack id, or the problem with finding them.

    `away` is what was known of absences then; `until` how long they have, where their turn began with this.
    """

    request_id: str
    hop: int
    people: tuple[str, ...]
    problem: str | None = None
    until: Deadline | None = None
    away: tuple[Away, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class MailRefused:
    """The email to somebody who was asked could not be delivered, and why; they are asked in Slack all the same."""

    request_id: str
    person: str
    why: str


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
class HandedOn:
    """Somebody entitled gave their seat to somebody else, by Slack id; the time goes on until `deadline`."""

    request_id: str
    by: str
    to: str
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
class DecisionRevoked:
    """Whoever made this decision took it back before anything started. The turn begins again, until then."""

    request_id: str
    key: str
    person: str
    deadline: datetime


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
    lines: tuple[Difference, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class QuestionAsked:
    """Somebody asked something instead of deciding; the clock goes on."""

    request_id: str
    person: str
    text: str

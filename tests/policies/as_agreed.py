"""What may follow what, written down a second time and by hand: the tables of the code are held against this.

A phase alone stays; `a>b` leads on. What is not listed is refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from policies import events as e

Row: TypeAlias = Mapping[str, str]
_LIVE = "open diagnosed planned repairing verifying"
_KNOWN = f"{_LIVE} handed_over"
_ASKING = "planned repairing"
_ALL = f"{_KNOWN} resolved dismissed"


def _each(names: str, row: str) -> dict[str, str]:
    return dict.fromkeys(names.split(), row)


_INCIDENTS: Final = {
    "AlertMatched": _KNOWN,
    "EvidenceFound": _KNOWN,
    "Diagnosed": "open>diagnosed diagnosed planned repairing",
    "RadiusDrawn": "diagnosed planned repairing",
    "Planned": "diagnosed>planned planned repairing",
    "DecisionRefused": _ALL,
    "ApprovalGranted": "planned>repairing repairing",
    "StepDone": "planned repairing verifying resolved handed_over",
    "VerificationStarted": "repairing>verifying",
    "ChecksRun": _LIVE,
    "ReceiptIssued": "verifying handed_over dismissed",
    "IncidentResolved": "verifying>resolved",
    "HandedOver": " ".join(f"{phase}>handed_over" for phase in _LIVE.split()),
    "Dismissed": " ".join(f"{phase}>dismissed" for phase in _LIVE.split()),
    "Settled": " ".join(f"{phase}>dismissed" for phase in _LIVE.split()),
    "Reopened": "handed_over>open",
    "Joined": "open>dismissed diagnosed>dismissed planned>dismissed handed_over>dismissed",
    "Observed": f"open {_ASKING}",
    "LevelLowered": "verifying handed_over",
    **_each("ApprovalRequested PeopleAsked MailRefused Reminded Escalated HandedOn", _ASKING),
    **_each("DecisionMade DecisionRevoked RequestRefused RequestExpired RequestVoided", _ASKING),
    **_each("QuestionAsked ShadowSeen", _ASKING),
    **_each("TookIn Linked", _KNOWN),
    **_each("StepReady StepHeld ActionStarted RunStarted RunRecognised", "repairing"),
    **_each("PersonRunFailed StepFailed ActionUncertain", "repairing"),
}
_STEPS: Final = {
    "ApprovalRequested": "proposed>asked void>asked",
    "ApprovalGranted": "asked>approved",
    "DecisionRevoked": "asked approved>asked ready>asked refused>asked",
    "RequestRefused": "asked>refused",
    "RequestExpired": "asked>expired",
    "RequestVoided": "asked>void approved>void ready>void",
    "StepReady": "approved>ready",
    "StepHeld": "approved ready",
    "ActionStarted": "ready>started",
    "RunStarted": "started uncertain>started",
    "RunRecognised": "ready>started",
    "PersonRunFailed": "started>ready",
    "StepDone": "proposed>done approved>done ready>done started>done uncertain>done",
    "StepFailed": "ready>failed started>failed uncertain>failed",
    "ActionUncertain": "started>uncertain",
}
_REQUESTS: Final = {
    "MailRefused": "open approved refused expired void",
    "DecisionRevoked": "open approved>open refused>open",
    "ApprovalGranted": "open>approved",
    "RequestRefused": "open>refused",
    "RequestExpired": "open>expired",
    "RequestVoided": "open>void approved>void",
    **_each("PeopleAsked Reminded Escalated HandedOn DecisionMade QuestionAsked", "open"),
}
#: whose step it must be: nobody's word ends what the bot runs, and the bot starts nothing of a person's
_DOER: Final = {
    "ActionStarted": "bot",
    "RunStarted": "bot",
    "ActionUncertain": "bot",
    "RunRecognised": "person",
    "PersonRunFailed": "person",
}
#: what was set going is never taken away
_BEGUN: Final = {"started", "done", "failed", "uncertain"}


@dataclass(frozen=True)
class Standing:
    """What is asked about: the incident's phase, each step's, and how its one request stands."""

    phase: str
    steps: tuple[tuple[str, str], ...]
    outcome: str
    yes: bool = True


def after(before: Standing, event: e.Event, doers: Mapping[str, str]) -> Standing | None:
    """Where this event leads, or None where it is refused. Every step is in the one request."""
    name = type(event).__name__
    phase = _row(_INCIDENTS, name).get(before.phase)
    outcome = _row(_REQUESTS, name).get(before.outcome) if name in _REQUESTS else before.outcome
    steps = _steps(before, event, doers)
    if name == "ApprovalRequested":
        outcome = "open"
    if name == "ApprovalGranted" and not before.yes:
        return None
    if name == "Joined" and _BEGUN & {phase for _, phase in before.steps}:
        return None
    if phase is None or outcome is None or steps is None:
        return None
    return Standing(phase, steps, outcome, before.yes)


def _steps(
    before: Standing, event: e.Event, doers: Mapping[str, str]
) -> tuple[tuple[str, str], ...] | None:
    name, row = type(event).__name__, _row(_STEPS, type(event).__name__)
    one = getattr(event, "step_id", None)
    if not row:
        return before.steps
    if one is not None and _not_theirs(event, doers[one]):
        return None
    moved: list[tuple[str, str]] = []
    for step, phase in before.steps:
        touched = one in (None, step)
        if touched and phase not in row and name != "RequestVoided":
            return None
        moved.append((step, row.get(phase, phase) if touched else phase))
    return tuple(moved)


def _not_theirs(event: e.Event, doer: str) -> bool:
    if isinstance(event, e.StepDone) and event.run is None:
        return doer != "person"
    return _DOER.get(type(event).__name__, doer) != doer


def _row(table: Mapping[str, str], name: str) -> Row:
    moves = (word.partition(">") for word in table.get(name, "").split())
    return {a: b or a for a, _, b in moves}

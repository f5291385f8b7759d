"""One trouble, from first alert to receipt: the state that its journal adds up to."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from policies.alert import Alert
from policies.approval import ApprovalRequest, Decision
from policies.checks import CheckResult
from policies.events.levels import Observed
from policies.evidence import Diagnosis, Evidence
from policies.lineage import BlastRadius
from policies.people import Away
from policies.plan import Plan, Step
from policies.recurrence import Recurrence
from policies.run import Run


class Phase(StrEnum):
    """Where an incident stands."""

    OPEN = "open"
    DIAGNOSED = "diagnosed"
    PLANNED = "planned"
    REPAIRING = "repairing"
    VERIFYING = "verifying"
    RESOLVED = "resolved"
    HANDED_OVER = "handed_over"
    DISMISSED = "dismissed"

    @property
    def closed(self) -> bool:
        """True when nothing more will happen by itself."""
        return self in (Phase.RESOLVED, Phase.HANDED_OVER, Phase.DISMISSED)


class StepPhase(StrEnum):
    """Where a step stands."""

    PROPOSED = "proposed"
    ASKED = "asked"
    APPROVED = "approved"
    READY = "ready"
    STARTED = "started"
    DONE = "done"
    REFUSED = "refused"
    EXPIRED = "expired"
    VOID = "void"
    FAILED = "failed"
    UNCERTAIN = "uncertain"


#: a step in one of these may have changed something
BEGUN = (StepPhase.STARTED, StepPhase.DONE, StepPhase.FAILED, StepPhase.UNCERTAIN)


@dataclass(frozen=True, kw_only=True, slots=True)
class StepState:
    """A step's phase, its run and why it is held, where there is one. `key` is the external id."""

    phase: StepPhase = StepPhase.PROPOSED
    since: datetime
    run: Run | None = None
    key: str | None = None
    held: str | None = None
    why: str | None = None
    by: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class RequestState:
    """An approval request with the decisions that count so far, and how it ended, if it did.

    `shown` are its steps as they were on the screen. `revoked` are those decisions that were taken back. `asked` are the Slack ids of all who were asked so far, each with the hop at which they were; `away`
    is what was known of absences at the last asking. `reminders` are the numbers of those entries in the
    journal, each with the hop whose time was half gone.
    """

    request: ApprovalRequest
    shown: tuple[Step, ...] = ()
    decisions: tuple[Decision, ...] = ()
    revoked: tuple[Decision, ...] = ()
    outcome: str | None = None
    why: str | None = None
    decided_at: datetime | None = None
    reminded: bool = False
    asked: tuple[tuple[str, int], ...] = ()
    away: tuple[Away, ...] = ()
    reminders: tuple[tuple[int, int], ...] = ()

    @property
    def open(self) -> bool:
        """True while a decision still counts."""
        return self.outcome is None


@dataclass(frozen=True, kw_only=True, slots=True)
class Incident:
    """The state that the journal adds up to. `version` is the number of its entries.

    `observed`: nobody was asked, at which level, and what each step would have needed. `root` is the place
    in `alerts` of the one the trouble began with, and `known_before` how much evidence was about another;
    `plan_root` and `radius_root` are that place when the plan was drafted and the reach was drawn.
    `joined` is the incident it is part of by now, `took_in` those that joined it, `linked` those of the same
    cause whose repair goes on beside it.
    `named`: what those are called whom dw.yml and the systems write as addresses or ids.
    """

    id: str
    version: int
    phase: Phase
    domain: str
    level: str
    channel: str
    title: str
    opened_at: datetime
    updated_at: datetime
    alerts: tuple[Alert, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    diagnosis: Diagnosis | None = None
    radius: BlastRadius | None = None
    plan: Plan | None = None
    steps: dict[str, StepState] = field(default_factory=dict)
    requests: dict[str, RequestState] = field(default_factory=dict)
    checks: tuple[CheckResult, ...] = ()
    receipt: int | None = None
    receipt_hash: str | None = None
    closed_because: str | None = None
    observed: Observed | None = None
    root: int = 0
    known_before: int = 0
    again: Recurrence | None = None
    plan_root: int = 0
    radius_root: int = 0
    joined: str | None = None
    took_in: tuple[str, ...] = ()
    linked: tuple[str, ...] = ()
    named: tuple[tuple[str, str], ...] = ()

    @property
    def alert(self) -> Alert:
        """The alert the trouble began with: the one that opened it, or one further up that came later."""
        return self.alerts[self.root]

    @property
    def reach(self) -> BlastRadius | None:
        """The radius around what is known by now as where it began; None until that is drawn."""
        return self.radius if self.radius_root == self.root else None

    @property
    def unplanned(self) -> bool:
        """True when there is no plan against what is known by now as where it began."""
        return self.plan is None or self.plan_root != self.root

    @property
    def begun(self) -> bool:
        """True once a step of its plan was started, whatever came of it."""
        return any(state.phase in BEGUN for state in self.steps.values())

    def step(self, step_id: str) -> Step:
        """The step of that id in the plan as it stands; KeyError without a plan or step."""
        if self.plan is None:
            raise KeyError(step_id)
        return self.plan.step(step_id)

    def open_requests(self) -> tuple[RequestState, ...]:
        """Requests that still wait for a decision."""
        return tuple(state for state in self.requests.values() if state.open)

    def known_as(self, ref: str) -> str | None:
        """The Slack id of whoever dw.yml or the orchestrator calls `ref`, once they were asked in that seat."""
        for state in self.requests.values():
            for hop, link in enumerate(state.request.rule.chain):
                sitting = [person for person, at in state.asked if at == hop]
                if link.seat.ref == ref and link.seat.kind == "person" and len(sitting) == 1:
                    return sitting[0]
        return None

    def request_of(self, step_id: str) -> RequestState | None:
        """The newest request that carries this step, decided or not."""
        found = [s for s in self.requests.values() if step_id in s.request.step_ids]
        return found[-1] if found else None


def names(incident: Incident) -> set[str]:
    """Every name this incident goes by, in lower case."""
    found = {incident.id}
    for alert in incident.alerts:
        said = (alert.asset, alert.job, alert.run_id, alert.check)
        found |= {name for name in said if name is not None}
    if incident.radius is not None:
        found |= {hit.asset for hit in incident.radius.hits}
    return {name.lower() for name in found}

"""How a change class has done in a domain, from receipts alone; and which classes have just lost it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from policies.autonomy.budget import RecordRule
from policies.incident import Incident, StepPhase

Body = Mapping[str, Any]
_BAD = (StepPhase.FAILED, StepPhase.UNCERTAIN)


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """`clean` receipts of a class in a domain, and the incidents in which it ended `badly`."""

    clean: int
    badly: tuple[str, ...]
    rule: RecordRule

    @property
    def good(self) -> bool:
        """True when it may be trusted at L3."""
        return not self.badly and self.clean >= self.rule.receipts

    @property
    def says(self) -> str:
        """`4 of 10 clean receipts in 90 days`."""
        told = f"{self.clean} of {self.rule.receipts} clean receipts in {self.rule.days} days"
        return told + (f", and it ended badly in {', '.join(self.badly)}" if self.badly else "")


def record(
    bodies: Iterable[Body], domain: str, change_class: str, now: datetime, rule: RecordRule
) -> Record:
    """Count what the receipts of the last days tell of runs that the bot started."""
    since = now - timedelta(days=rule.days)
    ends = {
        body["incident"]["id"]: _ended_well(body, change_class)
        for body in bodies
        if _about(body, domain, since)
    }
    return Record(
        clean=sum(well is True for well in ends.values()),
        badly=tuple(name for name, well in ends.items() if well is False),
        rule=rule,
    )


def fallen(incident: Incident) -> dict[str, str]:
    """Change classes whose step the bot started here and that ended badly: class → why."""
    late = [r for r in incident.checks if r.moment == "after" and r.passed is not True]
    wrong = f"the check {late[0].check} did not pass afterwards: {late[0].measured}" if late else ""
    found: dict[str, str] = {}
    for step in incident.plan.steps if incident.plan else ():
        state = incident.steps[step.id]
        if step.doer != "bot" or state.key is None:
            continue
        why = f"“{step.title}” {state.phase.value}: {state.why}" if state.phase in _BAD else wrong
        if why:
            found.setdefault(step.change_class, why)
    return found


def _about(body: Body, domain: str, since: datetime) -> bool:
    told = body.get("incident")
    if not told or told["domain"] != domain:
        return False
    return datetime.fromisoformat(told["closed_at"]) >= since


def _ended_well(body: Body, change_class: str) -> bool | None:
    """None when nothing of the class was started, or nothing proves how it ended."""
    steps = (body["plan"] or {}).get("steps", ())
    mine = {s["id"] for s in steps if s["doer"] == "bot" and s["change_class"] == change_class}
    phases = {run["phase"] for run in body["runs"] if run["step"] in mine and run["key"]}
    passed = [check["passed"] for check in body["checks"]["after"]]
    if not phases:
        return None
    if not phases.isdisjoint(_BAD) or any(one is not True for one in passed):
        return False
    return True if passed and phases == {StepPhase.DONE} else None

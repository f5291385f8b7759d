"""A run that a schedule promised never came: nothing failed, nothing began."""

from policies.alert import AlertKind
from policies.answers import moment, text
from policies.evidence import Cause, Finding
from policies.facts import Facts
from policies.figures import clock
from policies.rules import Rules

NAME = "run_absent"
_SURE, _LIKELY = 0.9, 0.6


def rank(facts: Facts, _rules: Rules) -> Cause | None:
    """Only for a run that is missing; what its system says of its scheduler makes it surer."""
    found = facts.answer("expected")
    if facts.alert.kind is not AlertKind.RUN_ABSENT or found is None:
        return None
    due, why = moment(found.value.get("due_at")), text(found.value.get("says"))
    told = (
        f"a run was due at {clock(due)} and has not begun" if due else "no run is missing any more"
    )
    findings = [Finding(evidence_id=found.id, says=told)]
    findings += [Finding(evidence_id=found.id, says=why)] if why else []
    return Cause(
        name=NAME,
        says=f"{facts.job} did not start" + (f": {why}" if why else ""),
        confidence=_SURE if why else _LIKELY,
        for_=tuple(findings),
    )

"""An asset is late and no failed run is known: nobody built it in time."""

from policies.alert import AlertKind
from policies.answers import moment, text
from policies.evidence import Cause, Finding
from policies.facts import Facts
from policies.figures import clock
from policies.rules import Rules

NAME = "asset_stale"
_LIKELY = 0.5


def rank(facts: Facts, _rules: Rules) -> Cause | None:
    """Only for a freshness alert; says when the asset was built last."""
    made = facts.answer("materialization")
    if facts.alert.kind is not AlertKind.ASSET_STALE or made is None:
        return None
    at = moment(made.value.get("at"))
    says = (
        f"{facts.asset} was last built on {at.date().isoformat()} at {clock(at)}"
        if at
        else f"{facts.asset} was never built"
    )
    return Cause(
        name=NAME,
        says=f"nobody built {facts.asset} in time",
        confidence=_LIKELY,
        for_=(Finding(evidence_id=made.id, says=says), *_policy(facts, fresh=False)),
        against=_policy(facts, fresh=True),
    )


def _policy(facts: Facts, *, fresh: bool) -> tuple[Finding, ...]:
    """What its orchestrator says of the asset's own policy; that it is fresh again speaks against."""
    found = facts.answer("freshness")
    policy = text(found.value.get("policy")) if found else None
    if found is None or policy is None or (found.value.get("state") == "fresh") is not fresh:
        return ()
    says = f"its freshness policy demands: {policy}; now it is {found.value.get('state')}"
    return (Finding(evidence_id=found.id, says=says),)

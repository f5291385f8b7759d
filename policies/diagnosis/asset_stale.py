"""An asset is late and no failed run is known: nobody built it in time."""

from policies.alert import AlertKind
from policies.answers import moment
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
    finding = Finding(evidence_id=made.id, says=says)
    return Cause(
        name=NAME,
        says=f"nobody built {facts.asset} in time",
        confidence=_LIKELY,
        for_=(finding,),
    )

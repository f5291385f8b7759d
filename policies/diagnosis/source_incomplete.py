"""The source itself holds fewer rows than it usually does: loading it again brings nothing."""

from policies.diagnosis import rows
from policies.evidence import Cause, Finding
from policies.facts import Facts
from policies.figures import count, share
from policies.rules import Rules

NAME = "source_incomplete"
#: a day with a smaller share of the usual rows is short
USUAL_SHARE = 0.9
_LIKELY, _RULED_OUT = 0.8, 0.05


def rank(facts: Facts, rules: Rules) -> Cause | None:
    """Holds the source's rows against the trailing median of what was loaded on the days before."""
    whole, usual = rows.primary(facts, rules), rows.usual(facts)
    if whole is None or usual is None:
        return None
    finding = Finding(
        evidence_id=whole.evidence.id,
        says=(
            f"the source has {count(whole.rows)} rows for {facts.day}, {share(whole.rows, usual.rows)} "
            f"of the trailing median of {count(usual.rows)} ({usual.days} days)"
        ),
    )
    says = f"the source of {facts.asset} is short itself"
    if whole.rows >= usual.rows * USUAL_SHARE:
        return Cause(name=NAME, says=says, confidence=_RULED_OUT, against=(finding,))
    return Cause(name=NAME, says=says, confidence=_LIKELY, for_=(finding,))

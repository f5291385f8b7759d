"""Whether the failed run used the same code as the last good one."""

from dataclasses import dataclass

from policies.answers import text
from policies.evidence import Finding
from policies.facts import Facts


@dataclass(frozen=True, kw_only=True, slots=True)
class Same:
    """The answer, with the evidence it rests on."""

    unchanged: bool
    finding: Finding


def same(facts: Facts) -> Same | None:
    """None when one of the two runs does not tell its code version."""
    good = facts.answer("last_success")
    before = text(good.value.get("code_version")) if good else None
    now = text(facts.run.get("code_version"))
    if good is None or before is None or now is None:
        return None
    says = (
        f"asset code and check unchanged: version {now[:12]}, as in the last good run"
        if now == before
        else f"the code changed: {before[:12]} in the last good run, {now[:12]} in this one"
    )
    return Same(unchanged=now == before, finding=Finding(evidence_id=good.id, says=says))

"""Whether the failed run used the same code as the last good one."""

from dataclasses import dataclass

from policies.answers import text
from policies.diagnosis import changes
from policies.evidence import Finding
from policies.facts import Facts


@dataclass(frozen=True, kw_only=True, slots=True)
class Same:
    """The answer, with the evidence it rests on."""

    unchanged: bool
    finding: Finding


def same(facts: Facts) -> Same | None:
    """None when one of the two runs does not tell its code version.

    What a repository says of the paths of dw.yml counts most, then equal commits, then the versions: a DAG
    may have a new version without a change of code, and changed code without a new version.
    """
    known = changes.read(facts)
    if known is not None and (known.paths or known.none):
        return Same(unchanged=known.none, finding=changes.findings(facts, known)[0])
    told, good = changes.commits(facts), facts.answer("last_success")
    if good is not None and told is not None and changes.alike(*told):
        says = f"the code did not change: commit {told[1][:7]}, as in the last good run"
        return Same(unchanged=True, finding=Finding(evidence_id=good.id, says=says))
    return _by_version(facts)


def moved_on(facts: Facts, now: str | None) -> bool:
    """True when a run would surely use other code now than the failed one did.

    Only words of one kind can be held against each other: an image says nothing of a commit.
    """
    failed = text(facts.run.get("code_version"))
    if failed is None or now is None or failed == now:
        return False
    return _kind(failed) == _kind(now)


def _kind(version: str) -> str:
    first, space, _ = version.partition(" ")
    return first if space else ""


def _by_version(facts: Facts) -> Same | None:
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

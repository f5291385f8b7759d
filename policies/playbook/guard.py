"""The change that keeps it from happening again: drafted as a diff, opened and merged by a person."""

from policies.plan import Step
from policies.playbook.case import Case
from policies.playbook.owners import Owner, owner_of


def steps(case: Case) -> tuple[Step, ...]:
    """One follow-up when dw.yml holds a guard for the asset; it never holds the receipt."""
    asset = case.facts.asset
    rule = case.rules.assets.get(asset or "")
    if asset is None or rule is None or rule.guard is None:
        return ()
    owner = (
        Owner(who=rule.code_owner, because=f"code owner of {rule.code or asset}, from dw.yml")
        if rule.code_owner
        else owner_of(case, asset)
    )
    return (_step(case, asset, owner, rule.code, rule.guard),) if owner else ()


def _step(case: Case, asset: str, owner: Owner, path: str | None, diff: str) -> Step:
    return Step(
        id="guard",
        title=f"Guard {asset} against loading from a replica that is behind",
        change_class="open_pull_request",
        doer="person",
        owner=owner.who,
        owner_because=owner.because,
        connection=case.connection,
        action="open_pull_request",
        params={"path": path} if path else {},
        undo="revert the commit",
        risk="the load fails early while the replica is behind, instead of loading a part",
        why="so that the same night does not come again",
        diff=diff,
        follow_up=True,
    )

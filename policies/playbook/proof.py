"""Which measurements prove at the end that the numbers are right again."""

from policies.checks import Check, asset_check, checks_for
from policies.playbook.case import Case


def proofs(case: Case) -> tuple[Check, ...]:
    """The domain's checks on what the trouble reaches; without any, the check that failed."""
    reach = set(case.reach)
    told = checks_for(case.domain, case.facts.partition)
    found = tuple(check for check in told if check.params.get("asset") in reach)
    asset, check = case.facts.asset, case.facts.check
    if found or asset is None or check is None:
        return found
    return (asset_check(case.connection, asset, check, case.facts.partition),)

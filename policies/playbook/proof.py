"""Which measurements prove at the end that the numbers are right again."""

from collections.abc import Sequence
from dataclasses import replace

from policies.checks import Check, asset_check, checks_for
from policies.playbook.case import Case

#: of more partitions than these the first are measured, so that a proof ends
_MOST = 31


def proofs(case: Case, partitions: Sequence[str] = ()) -> tuple[Check, ...]:
    """The domain's checks on what the trouble reaches; without any, the check that failed.

    For each of these partitions where the plan runs several again, each under a name of its own.
    """
    found = list(_of(case, case.facts.partition))
    for day in partitions[:_MOST]:
        known = [dict(check.params) for check in found]
        more = (check for check in _of(case, day) if dict(check.params) not in known)
        found += [replace(check, name=f"{check.name} {day}") for check in more]
    return tuple(found)


def _of(case: Case, partition: str | None) -> tuple[Check, ...]:
    reach = set(case.reach)
    told = checks_for(case.domain, partition)
    found = tuple(check for check in told if check.params.get("asset") in reach)
    asset, check = case.facts.asset, case.facts.check
    if found or asset is None or check is None:
        return found
    return (asset_check(case.connection, asset, check, partition),)

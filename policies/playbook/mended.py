"""A change broke it: nothing is run on the same code, and what was mended or taken back since is run again."""

from dataclasses import replace

from policies.diagnosis import code
from policies.plan import Step
from policies.playbook import hand_over, rerun
from policies.playbook.case import Case, NoPlan


def steps(case: Case) -> tuple[Step, ...] | NoPlan:
    """The same job again, once a run would surely use other code than the failed one did."""
    now = case.code_versions.get(case.facts.job or "")
    if not code.moved_on(case.facts, now):
        return hand_over.code(case)
    again = rerun.steps(case)
    if isinstance(again, NoPlan):
        return again
    why = f"the code was changed again since it failed: a run would use {now} now"
    return tuple(replace(step, why=why) for step in again)

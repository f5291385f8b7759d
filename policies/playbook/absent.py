"""A run that never came is nothing to run again: its owner looks why, and the incident waits for the run."""

from policies.plan import Step
from policies.playbook import hand_over
from policies.playbook.case import Case, NoPlan
from policies.playbook.owners import owner_of


def steps(case: Case) -> tuple[Step, ...] | NoPlan:
    """One step of the job's owner, that nothing waits for: the run may come by itself."""
    job = case.facts.job or "the job"
    owner = owner_of(case, job)
    if owner is None:
        return hand_over.nobody(case, job)
    return (
        Step(
            id=f"look-{job}",
            title=f"See why {job} did not start; start it there if it must run today",
            change_class="start_missing_run",
            doer="person",
            owner=owner.who,
            owner_because=owner.because,
            connection=case.connection,
            action="start_missing_run",
            params={"job": job},
            undo="nothing is changed by looking; a run you start is yours to take back",
            risk="the scheduler may still start it too: look at its queue before you start one",
            why=case.cause.says if case.cause else f"no run of {job} began when one was due",
            link=case.facts.alert.url,
            follow_up=True,
        ),
    )

"""Nothing is known that must be mended first: the failed job may be run again, if dw.yml names it."""

from policies import job_rerun
from policies.answers import text
from policies.plan import Step
from policies.playbook import airflow_dag, hand_over, whole_job
from policies.playbook.case import Case, NoPlan
from policies.playbook.named_job import job_step
from policies.systems import Job


def steps(case: Case) -> tuple[Step, ...] | NoPlan:
    """One run of the same job, or of the job that builds the late asset; else a person takes over."""
    if case.kind == "airflow":
        return airflow_dag.steps(case)
    if case.kind in job_rerun.ACTIONS:
        return whole_job.steps(case)
    name = _job(case)
    if name is None:
        return hand_over.failed(case)
    told = case.facts.answer("can_run", job=name)
    if told is not None and told.value.get("may") is False:
        return hand_over.blocked(case, name, text(told.value.get("why")) or "no reason is told")
    step = job_step(case, name, why=_why(case))
    return (step,) if step else hand_over.nobody(case, name)


def _job(case: Case) -> str | None:
    job, asset = case.facts.job, case.facts.asset
    if job is not None and job in case.jobs and _there(case, case.jobs[job]):
        return job
    return case.job_building(asset) if asset and not case.facts.run_id else None


def _there(case: Case, job: Job) -> bool:
    """False for a namesake: the run that failed is of another code location than the job that may be run."""
    return job.location is None or case.facts.run.get("location") in (None, job.location)


def _why(case: Case) -> str:
    if case.cause is None:
        return "no cause is known; a passing fault is possible, and it may fail again"
    return f"{case.cause.says}; if that was a passing fault, running it again is enough"

"""A failed Prefect deployment or dbt Cloud job is run again by the bot, with the parameters it had."""

from policies import job_rerun
from policies.alert import AlertKind
from policies.answers import Answer, record, text
from policies.filling import open_blanks
from policies.job_rerun import JobRerun
from policies.plan import Step
from policies.playbook import hand_over
from policies.playbook.case import Case, NoPlan
from policies.playbook.owners import Owner, decider_of

_STILL = frozenset({"SCHEDULED", "PENDING", "RUNNING", "PAUSED", "CANCELLING", "queued", "running"})
_WITHHELD = "its parameters hold what looks like a secret, which is not passed through here"


def steps(case: Case) -> tuple[Step, ...] | NoPlan:
    """One run, when it would start; else why not, and a person takes over."""
    if case.facts.alert.kind is AlertKind.RUN_SLOW or case.facts.run.get("status") in _STILL:
        return hand_over.going(case)
    rerun = job_rerun.of(case.facts, case.rules)
    if rerun is None:
        return _none(case)
    told = case.facts.value("can_run")
    why = _not_now(rerun, told)
    if why:
        return hand_over.blocked(case, rerun.job, why)
    owner = decider_of(case, rerun.job, *case.jobs[rerun.job].builds)
    if owner is None:
        return hand_over.nobody(case, rerun.job)
    return (_step(case, rerun, told, owner),)


def _none(case: Case) -> NoPlan:
    if case.facts.job in case.jobs and case.facts.run.get("conf_withheld") is True:
        return hand_over.blocked(case, case.facts.job or "", _WITHHELD)
    return hand_over.failed(case)


def _not_now(rerun: JobRerun, told: Answer) -> str | None:
    if open_blanks(record(rerun.params.get("config"))):
        return "dw.yml runs it with a day, and the day in trouble is not known"
    if not told:
        return "whether it can be run could not be read"
    return None if told.get("may") is True else text(told.get("why")) or "no reason is told"


def _step(case: Case, rerun: JobRerun, told: Answer, owner: Owner) -> Step:
    job, but = case.jobs[rerun.job], text(told.get("but"))
    return Step(
        id=f"run_{rerun.job}",
        title=f"Run {rerun.job} again{case.for_day}",
        change_class="run_job",
        doer="bot",
        owner=owner.who,
        owner_because=owner.because,
        connection=case.connection,
        action=rerun.action,
        params=rerun.params,
        undo=job.undo,
        risk=f"{job.risk}; {but}" if but else job.risk,
        why=_why(case),
        link=text(told.get("link")),
        code_version=case.code_versions.get(rerun.job),
    )


def _why(case: Case) -> str:
    if case.cause is None:
        return "no cause is known; a passing fault is possible, and it may fail again"
    return f"{case.cause.says}; if that was a passing fault, running it again is enough"

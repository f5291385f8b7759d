"""A failed DAG is run again: on Airflow 2 by the bot, on Airflow 3 by its owner, for the same day both."""

from policies import dag_rerun
from policies.alert import AlertKind
from policies.answers import Answer, record, text
from policies.dag_rerun import DagRerun
from policies.evidence import Json
from policies.filling import open_blanks
from policies.plan import Step
from policies.playbook import hand_over
from policies.playbook.case import Case, NoPlan
from policies.playbook.owners import Owner, decider_of

_STILL = ("running", "queued")


def steps(case: Case) -> tuple[Step, ...] | NoPlan:
    """One run, when it would start and is surely the same; else why not, and a person takes over."""
    if case.facts.alert.kind is AlertKind.RUN_SLOW or case.facts.run.get("status") in _STILL:
        return hand_over.going(case)
    rerun = dag_rerun.of(case.facts, case.rules)
    if rerun is None:
        return hand_over.failed(case)
    told = case.facts.value("can_run")
    why = _green(case) or _not_now(rerun, told)
    if why:
        return hand_over.blocked(case, rerun.dag, why)
    owner = decider_of(case, rerun.dag, *case.jobs[rerun.dag].builds)
    if owner is None:
        return hand_over.nobody(case, rerun.dag)
    return (_step(case, rerun, told, owner),)


def _green(case: Case) -> str | None:
    if case.facts.run.get("status") != "success":
        return None
    return "the run as a whole ended green, and a second one would repeat what worked"


def _not_now(rerun: DagRerun, told: Answer) -> str | None:
    if open_blanks(rerun.config):
        return "dw.yml runs it with a day, and the day in trouble is not known"
    if not told:
        return "whether it can be run could not be read"
    return None if told.get("may") is True else text(told.get("why")) or "no reason is told"


def _step(case: Case, rerun: DagRerun, told: Answer, owner: Owner) -> Step:
    job = case.jobs[rerun.dag]
    ours = _ours(case, told)
    verb = "Run" if ours else "Start"
    return Step(
        id=f"run_{rerun.dag}",
        title=f"{verb} {rerun.dag} again{case.for_day}",
        change_class="rerun_dag",
        doer="bot" if ours else "person",
        owner=owner.who,
        owner_because=owner.because,
        connection=case.connection,
        action=dag_rerun.RUN if ours else dag_rerun.TRIGGER,
        params=_params(rerun, told),
        undo=job.undo,
        risk=job.risk,
        why=_why(case),
        link=text(told.get("link")),
        command=None if ours else text(told.get("command")),
        press=None if ours else text(told.get("press")),
        code_version=case.code_versions.get(rerun.dag),
    )


def _ours(case: Case, told: Answer) -> bool:
    """Never Airflow 3, whatever dw.yml calls it."""
    old = (text(told.get("airflow")) or "").startswith("2.")
    return old and dag_rerun.bots(case.rules.connections[case.connection])


def _params(rerun: DagRerun, told: Answer) -> dict[str, Json]:
    """Also the defaults of what the configuration leaves open: they run too."""
    left = {k: v for k, v in record(told.get("defaults")).items() if k not in rerun.config}
    params = rerun.params() | {"replaces": rerun.replaces}
    if rerun.partition:
        params["partition"] = rerun.partition
    return params | ({"defaults": left} if left else {})


def _why(case: Case) -> str:
    if case.cause is None:
        return "no cause is known; a passing fault is possible, and it may fail again"
    return (
        f"{case.cause.says}; it runs for the same day once that is mended, or was a passing fault"
    )

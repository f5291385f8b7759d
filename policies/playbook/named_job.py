"""Steps the bot does itself: jobs that dw.yml names, and only those."""

from policies.checks import Check, asset_check
from policies.evidence import Json
from policies.figures import listed
from policies.filling import filled
from policies.plan import Step
from policies.playbook.case import Case
from policies.playbook.owners import decider_of
from policies.systems import Job


def run_jobs(case: Case, after: tuple[str, ...]) -> tuple[Step, ...]:
    """One step for each named job that builds something the trouble reaches, gated by the check."""
    jobs = case.built_by_jobs(case.radius.hits)
    made: list[Step] = []
    for name in sorted(jobs, key=lambda one: _depth(case, one)):
        built = case.jobs[name].builds
        waits = (*after, *(_id(one) for one in jobs if one != name and _feeds(case, one, name)))
        why = f"{listed(built)} {'is' if len(built) == 1 else 'are'} built by this job only"
        step = job_step(case, name, why=why, after=waits, gate=_gate(case))
        made += [step] if step else []
    return tuple(made)


def job_step(
    case: Case, name: str, *, why: str, after: tuple[str, ...] = (), gate: tuple[Check, ...] = ()
) -> Step | None:
    """The run of one named job; None when nobody can be asked for it."""
    job, owner = case.jobs[name], decider_of(case, name, *case.jobs[name].builds)
    if owner is None:
        return None
    return Step(
        id=_id(name),
        title=f"Run {name}{case.for_day}",
        change_class="run_job",
        doer="bot",
        owner=owner.who,
        owner_because=owner.because,
        connection=case.connection,
        action="run_job",
        params=_params(case, name, job),
        after=after,
        gate=gate,
        undo=job.undo,
        risk=job.risk,
        why=why,
        link=case.asset_link(job.builds[0]) if job.builds else None,
        code_version=case.code_versions.get(name),
        dangerous=job.dangerous,
        reason_needed=job.reason_needed,
    )


def _id(name: str) -> str:
    return f"run_{name}"


def _params(case: Case, name: str, job: Job) -> dict[str, Json]:
    params: dict[str, Json] = {"job": name}
    if case.facts.partition:
        params["partition"] = case.facts.partition
    if job.config:
        params["config"] = filled(job.config, case.facts.partition)
    return params


def _gate(case: Case) -> tuple[Check, ...]:
    asset, check = case.facts.asset, case.facts.check
    if asset is None or check is None:
        return ()
    return (asset_check(case.connection, asset, check, case.facts.partition),)


def _feeds(case: Case, one: str, other: str) -> bool:
    return bool(set(case.jobs[one].builds) & set(case.jobs[other].after))


def _depth(case: Case, name: str) -> int:
    order = [hit.asset for hit in case.radius.hits]
    return max(order.index(built) for built in case.jobs[name].builds if built in order)

"""The load was partial and its source is whole now: load the day again, then what hangs on it."""

from collections.abc import Callable, Mapping
from graphlib import CycleError, TopologicalSorter

from policies import job_rerun
from policies.blast_radius import builds
from policies.diagnosis.source_replica_behind import caught_up
from policies.evidence import Json
from policies.figures import listed
from policies.lineage import Hit, Reach
from policies.plan import Step
from policies.playbook import airflow_dag, guard, hand_over, whole_job
from policies.playbook.case import Case, NoPlan
from policies.playbook.named_job import run_jobs
from policies.playbook.owners import Owner, owner_of

BACKFILL = "backfill"
#: kinds of system that build no single assets
_WHOLE: Mapping[str, Callable[[Case], tuple[Step, ...] | NoPlan]] = {
    "airflow": airflow_dag.steps,
    **dict.fromkeys(job_rerun.ACTIONS, whole_job.steps),
}


def steps(case: Case) -> tuple[Step, ...] | NoPlan:
    """A person's backfill in order, rebuilds, the named jobs, and a guard that holds nothing up.

    Where no single assets are built, the whole DAG or job is run again.
    """
    if case.kind in _WHOLE:
        again = _WHOLE[case.kind](case)
        return again if isinstance(again, NoPlan) else (*again, *guard.steps(case))
    asset = case.facts.asset or case.radius.root
    owner = owner_of(case, asset)
    if owner is None:
        return hand_over.nobody(case, asset)
    backfill = _backfill(case, asset, owner)
    rebuilds = tuple(_rebuild(case, hit.asset, owner) for hit in _tainted_elsewhere(case))
    jobs = run_jobs(case, after=(backfill.id, *(step.id for step in rebuilds)))
    return (backfill, *rebuilds, *jobs, *guard.steps(case))


def backfilled(case: Case, asset: str) -> tuple[str, ...]:
    """The asset and what its run was to build, each after what it reads."""
    wanted = [asset, *(hit.asset for hit in case.radius.hits if _in_the_run(case, hit))]
    reads = {
        one: sorted(p for p, c in case.lineage.edges if c == one and p in wanted) for one in wanted
    }
    try:
        return tuple(TopologicalSorter(reads).static_order())
    except CycleError:
        return tuple(wanted)


def _in_the_run(case: Case, hit: Hit) -> bool:
    planned = case.facts.planned
    return _rebuildable(case, hit) and (hit.asset in planned or not planned)


def _tainted_elsewhere(case: Case) -> tuple[Hit, ...]:
    return tuple(
        hit
        for hit in case.radius.hits
        if hit.reach is Reach.CONTAMINATED
        and _rebuildable(case, hit)
        and not _in_the_run(case, hit)
    )


def _rebuildable(case: Case, hit: Hit) -> bool:
    return builds(case.lineage.assets.get(hit.asset)) and not case.job_building(hit.asset)


def _backfill(case: Case, asset: str, owner: Owner) -> Step:
    assets = backfilled(case, asset)
    params: dict[str, Json] = {"assets": list(assets), "partition": case.facts.partition}
    return Step(
        id=BACKFILL,
        title=f"Backfill {listed(assets)}{case.for_day}, in this order",
        change_class="backfill",
        doer="person",
        owner=owner.who,
        owner_because=owner.because,
        connection=case.connection,
        action="backfill",
        params={key: value for key, value in params.items() if value is not None},
        undo=f"materialise {asset}{case.for_day} once more; each load replaces the rows of its partition",
        risk=_risk(case),
        why=case.cause.says if case.cause else "",
        link=case.asset_link(asset),
        code_version=case.code_versions.get(case.facts.job or ""),
    )


def _risk(case: Case) -> str:
    usual = "replaces the rows of that partition; until it ends readers see the partial load"
    done = caught_up(case.facts, case.rules)
    if done:
        return usual
    replica = (
        "the replica is still behind" if done is False else "nobody knows how far the replica is"
    )
    return f"{replica}: look first, or the same rows will be missing again; {usual}"


def _rebuild(case: Case, asset: str, fallback: Owner) -> Step:
    owner = owner_of(case, asset) or fallback
    return Step(
        id=f"rebuild_{asset}",
        title=f"Rebuild {asset}: it was built from the bad load",
        change_class="rebuild",
        doer="person",
        owner=owner.who,
        owner_because=owner.because,
        connection=case.connection,
        action="rebuild",
        params={"assets": [asset]},
        after=(BACKFILL,),
        undo=f"build {asset} again; each build replaces its own rows",
        risk="replaces its own rows only",
        why="it holds numbers from the partial load",
        link=case.asset_link(asset),
    )

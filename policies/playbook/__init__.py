"""From a diagnosis to a plan: which steps, whose, in which order, how each is taken back.

To add a book: one module with `steps(case)`, and its row in `BOOKS`.
"""

from collections.abc import Callable, Mapping

from policies import backfills
from policies.blast_radius import noted
from policies.diagnosis import (
    asset_stale,
    code_changed,
    run_absent,
    source_incomplete,
    source_replica_behind,
    step_error,
)
from policies.facts import Facts
from policies.incident import Incident
from policies.lineage import BlastRadius, Lineage
from policies.plan import Plan, Step
from policies.playbook import absent, backfill_again, hand_over, mended, reload, rerun
from policies.playbook.case import Case, NoPlan
from policies.playbook.proof import proofs
from policies.rules import Rules

__all__ = ["NoPlan", "draft"]

Book = Callable[[Case], tuple[Step, ...] | NoPlan]

#: cause → what is done about it; no cause, or one without a row: `rerun`
BOOKS: Mapping[str, Book] = {
    source_replica_behind.NAME: reload.steps,
    source_incomplete.NAME: hand_over.source,
    code_changed.NAME: mended.steps,
    step_error.NAME: rerun.steps,
    asset_stale.NAME: rerun.steps,
    run_absent.NAME: absent.steps,
}

#: the books that run again what failed
_RUNS = (reload.steps, rerun.steps)


def draft(
    incident: Incident,
    rules: Rules,
    lineage: Lineage,
    code_versions: Mapping[str, str | None],
    radius: BlastRadius | None = None,
) -> Plan | NoPlan:
    """The plan for the best-ranked cause, or why there is none: then a person takes it from here.

    `code_versions` are by job. Without `radius` the incident's own counts.
    """
    reach = radius or incident.radius or BlastRadius(root=incident.title)
    case = Case(
        facts=Facts.of(incident),
        rules=rules,
        lineage=lineage.merged(noted(rules.notes)),
        radius=reach,
        code_versions=code_versions,
    )
    cause = case.cause
    steps = _steps(case, cause.name if cause else "")
    if isinstance(steps, NoPlan):
        return steps
    return Plan(
        version=incident.plan.version + 1 if incident.plan else 1,
        cause=cause.says if cause else "not known",
        steps=steps,
        reach=case.reach,
        checks=proofs(case, backfills.planned(steps)),
        deadline=reach.next_due,
    )


def _steps(case: Case, cause: str) -> tuple[Step, ...] | NoPlan:
    if case.facts.run.get("retry"):
        return hand_over.retrying(case)
    book = BOOKS.get(cause, rerun.steps)
    return backfill_again.instead(case, book(case)) if book in _RUNS else book(case)

"""A backfill failed for several partitions: its owner runs exactly these again, in their own tool."""

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace
from urllib.parse import quote

from policies import backfills
from policies.answers import text
from policies.evidence import Json
from policies.figures import day_of
from policies.plan import Step
from policies.playbook import hand_over
from policies.playbook.case import Case, NoPlan
from policies.playbook.owners import Owner, owner_of
from policies.playbook.reload import BACKFILL

Days = tuple[str, ...]
_MINUTE = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}")


def instead(case: Case, found: tuple[Step, ...] | NoPlan) -> tuple[Step, ...] | NoPlan:
    """The owner's part in place of the run of one partition; what was found where this is no backfill.

    Of a backfill with one failed partition so far, a run that could be proposed still is.
    """
    days, what = backfills.failed(case.facts.incident), _what(case)
    alone = len(days) == 1 and not isinstance(found, NoPlan)
    if case.kind not in _WAYS or not days or not what or alone:
        return found
    owner = owner_of(case, *what)
    if owner is None:
        return hand_over.nobody(case, what[0])
    rest = () if isinstance(found, NoPlan) else found
    others = [s for s in rest if s.id != BACKFILL and s.params.get("job") != case.facts.job]
    return (_step(case, days, what, owner), *(_only(step) for step in others))


def _only(step: Step) -> Step:
    """A run of one partition says so, beside a part that is about several."""
    day = text(step.params.get("partition"))
    return replace(step, why=f"{step.why}; it runs for {day} only") if day else step


def _what(case: Case) -> tuple[str, ...]:
    """What it builds, else its job."""
    if case.kind == "dagster" and case.facts.planned:
        return case.facts.planned
    return (case.facts.job,) if case.facts.job else ()


def _step(case: Case, days: Days, what: tuple[str, ...], owner: Owner) -> Step:
    params: dict[str, Json] = (
        {"assets": list(what)}
        if case.kind == "dagster" and case.facts.planned
        else {"job": what[0]}
    )
    command, press = _WAYS[case.kind](case, days)
    how_many = "this partition" if len(days) == 1 else f"these {len(days)} partitions"
    return Step(
        id=BACKFILL,
        title=f"Run {how_many} of {backfills.few(what)} again: {backfills.few(days)}",
        change_class="backfill",
        doer="person",
        owner=owner.who,
        owner_because=owner.because,
        connection=case.connection,
        action=backfills.AGAIN,
        params={**params, "partitions": list(days)},
        undo="run a partition once more; each run replaces what the one before it wrote for its partition",
        risk="replaces what is there for these partitions; the others of the backfill are left alone",
        why=case.cause.says if case.cause else "no cause is known; they may fail again",
        link=_link(case),
        command=command,
        press=press,
        code_version=case.code_versions.get(case.facts.job or ""),
    )


def _link(case: Case) -> str | None:
    """The page of the backfill where that has one, else the run's."""
    connection = case.rules.connections.get(case.connection)
    name = backfills.name_of(case.facts.incident)
    if case.kind == "dagster" and connection and connection.url and name:
        base = connection.url.rstrip("/").removesuffix("/graphql")
        return f"{base}/runs/b/{quote(name, safe='')}"
    return case.facts.alert.url


def _dagster(case: Case, days: Days) -> tuple[str | None, str]:
    """Runs of picked assets are begun in Dagster's pages only; of a job there is a command, too."""
    picked = ", ".join(a if a == b else f"[{a}...{b}]" for a, b in backfills.stretches(days))
    how = f"Re-execute it from failure there, or materialize with the partitions {picked}"
    job = case.facts.job
    if job is None:
        return None, how
    told = shlex.join(["dagster", "job", "backfill", "-j", job, "--partitions", ",".join(days)])
    return f"{told} --noprompt", how


def _airflow(case: Case, days: Days) -> tuple[str | None, str]:
    connection, told = case.rules.connections.get(case.connection), case.facts.value("can_run")
    major = (text(told.get("airflow")) or "").partition(".")[0]
    known = major or str(connection.version or "" if connection else "")
    ways = [_AIRFLOWS[known]] if known in _AIRFLOWS else list(_AIRFLOWS.values())
    spans = [span for one in backfills.stretches(days) if (span := _span(*one))]
    lines = [way(case.facts.job or "", a, b) for way in ways for a, b in spans]
    if not lines:
        return (
            None,
            "Run these again from the page of the DAG: they are no dates that a command could name",
        )
    note = (
        ""
        if len(ways) == 1
        else "; what begins with airflow dags is for Airflow 2, the rest for Airflow 3"
    )
    return "\n".join(
        lines
    ), f"Type the command on a machine that has the command line of this Airflow{note}"


def _span(first: str, last: str) -> tuple[str, str] | None:
    """From the first moment to the last, with the zone: a run of 09:00 is not on its day's first moment."""
    if day_of(first):
        return f"{first}T00:00:00+00:00", f"{last}T23:59:59+00:00"
    if _MINUTE.fullmatch(first):
        return f"{first}:00+00:00", f"{last}:00+00:00"
    return None


def _two(dag: str, first: str, last: str) -> str:
    """The scheduler of Airflow 2 leaves runs of a backfill alone: cleared there, they wait for ever."""
    days = ["--start-date", first, "--end-date", last]
    return shlex.join(["airflow", "dags", "backfill", "--rerun-failed-tasks", "--yes", *days, dag])


def _three(dag: str, first: str, last: str) -> str:
    days = ["--from-date", first, "--to-date", last, "--reprocess-behavior", "failed"]
    return shlex.join(["airflow", "backfill", "create", "--dag-id", dag, *days])


_AIRFLOWS: Mapping[str, Callable[[str, str, str], str]] = {"2": _two, "3": _three}
_WAYS: Mapping[str, Callable[[Case, Days], tuple[str | None, str]]] = {
    "dagster": _dagster,
    "airflow": _airflow,
}

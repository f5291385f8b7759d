"""When two alerts are the same trouble: the fingerprints an open incident answers to, and why."""

from collections.abc import Iterable
from datetime import UTC, timedelta

from policies.alert import Alert, AlertKind
from policies.answers import moment
from policies.facts import Facts
from policies.incident import Incident
from policies.lineage import BlastRadius
from policies.recurrence import error_of
from policies.rules import Rules
from policies.run import ANONYMOUS_JOB, label_of

_ROUNDED = timedelta(minutes=1)
_NEVER_CAME = (AlertKind.RUN_ABSENT, AlertKind.RUN_CAME)


def keys(alert: Alert) -> tuple[str, ...]:
    """What this alert is about, surest first: run, when it ran, monitor, backfill, asset, job and partition.

    A run answers to its whole id and, where that is anonymous, to its first eight characters too, for
    some senders tell no more.
    """
    sure = [*_run_keys(alert), *_moment_keys(alert), *_monitor_keys(alert), *_backfill_keys(alert)]
    found = [*sure, *_asset_keys(alert), *_job_keys(alert)]
    return tuple(f"{alert.connection}:{key}" for key in dict.fromkeys(found))


def finds(alert: Alert) -> tuple[str, ...]:
    """What an open incident may answer to for this alert to be of it: a run that never came, at last, too."""
    late = (f"{alert.connection}:absent:{alert.job}",) if alert.job else ()
    return tuple(dict.fromkeys((*keys(alert), *late)))


def reach_keys(radius: BlastRadius) -> tuple[str, ...]:
    """What else the incident answers to once its reach is known, whichever system tells of it.

    What it reaches is a consequence; what fails later among that its asset is built from is where the
    trouble began.
    """
    reached = dict.fromkeys((radius.root, *(hit.asset for hit in radius.hits)))
    above = (asset for asset in radius.above if asset not in reached)
    return (*(f"reach:{asset}" for asset in reached), *(f"above:{asset}" for asset in above))


def error_keys(alert: Alert) -> tuple[str, ...]:
    """The same error, on whatever day: an open incident of it takes it up."""
    error = error_of(alert)
    return (f"error:{error}",) if error and alert.kind.opens() else ()


def downstream_keys(alert: Alert, rules: Rules) -> tuple[str, ...]:
    """What an incident answers to that reaches what this alert is about."""
    return tuple(f"reach:{asset}" for asset in about(alert, rules))


def upstream_keys(alert: Alert, rules: Rules) -> tuple[str, ...]:
    """What an incident answers to that is built from what this alert is about."""
    return tuple(f"above:{asset}" for asset in about(alert, rules)) if alert.kind.opens() else ()


def about(alert: Alert, rules: Rules) -> tuple[str, ...]:
    """The assets of an alert: the one it names, else those its job builds by dw.yml, whatever the system."""
    if alert.asset:
        return (alert.asset,)
    connection = rules.connections.get(alert.connection)
    job = connection.jobs.get(alert.job or "") if connection else None
    return tuple(job.builds) if job else ()


def same_occasion(alert: Alert, incident: Incident) -> bool:
    """True when it tells once more of a run, or of a moment, that the incident knows already.

    A run that was cleared and failed again is another time of it.
    """
    moments = {*_moment_keys(alert)}
    same = [other for other in incident.alerts if other.connection == alert.connection]
    of_run = [other for other in same if _run_of(other) and _run_of(other) == _run_of(alert)]
    if of_run:
        return any(not another_episode(alert, other) for other in of_run)
    of_job = [other for other in same if other.job == alert.job] if moments else ()
    return any(not moments.isdisjoint(_moment_keys(other)) for other in of_job)


def another_episode(one: Alert, other: Alert) -> bool:
    """True for two ends of one run: it was cleared in between. Some tell its end to the minute only."""
    ends = [moment(alert.extra.get("ended_at")) for alert in (one, other)]
    first, second = ends
    return first is not None and second is not None and abs(first - second) > _ROUNDED


def because(alert: Alert, incident: Incident, assets: Iterable[str] = ()) -> str:
    """Why this alert belongs to that incident, for its journal. `assets` are those it is about."""
    facts = Facts.of(incident)
    reached = [a for a in (alert.asset, *assets) if a and incident.radius]
    run = alert.run_id or alert.run_id_short
    if run and any(_same_run(run, other) for other in _runs(facts)):
        again = not same_occasion(alert, incident) and alert.kind.opens()
        once_more = ", which was started again and failed once more" if again else ""
        return f"the same run {label_of(run)}{once_more}"
    if any(same_backfill(alert, other) for other in incident.alerts):
        return f"the same backfill {label_of(alert.extra['backfill'])}"
    if alert.asset and alert.asset in _assets(facts):
        return f"the same asset {alert.asset}"
    for asset in reached:
        if incident.radius and _downstream(asset, incident.radius):
            return f"{asset} is downstream of {incident.radius.root}"
    if alert.job and alert.job == facts.job and alert.kind is AlertKind.RUN_CAME:
        return f"{alert.job}, whose run was missing"
    if alert.job and alert.job == facts.job and alert.partition in (None, facts.partition):
        return f"the same job {alert.job}" + (f" for {alert.partition}" if alert.partition else "")
    return "it answers to the same fingerprint"


def _run_keys(alert: Alert) -> list[str]:
    whole = [alert.run_id] if alert.run_id else []
    short = label_of(alert.run_id or alert.run_id_short or "")
    return [f"run:{run}" for run in (*whole, short) if run]


def _moment_keys(alert: Alert) -> list[str]:
    """For those who name no run: its logical date, which a DAG has once, or its whole span of time."""
    at = {
        name: moment(alert.extra.get(name)) for name in ("logical_date", "started_at", "ended_at")
    }
    told = {name: f"{time.astimezone(UTC):%Y-%m-%dT%H:%M:%S}" for name, time in at.items() if time}
    if alert.job is None:
        return []
    logical = [f"at:{alert.job}:{told['logical_date']}"] if "logical_date" in told else []
    whole = "started_at" in told and "ended_at" in told
    return [
        *logical,
        *([f"ran:{alert.job}:{told['started_at']}/{told['ended_at']}"] if whole else []),
    ]


def _monitor_keys(alert: Alert) -> list[str]:
    """What watches from outside knows its trouble by an id of its own, the same in its good news."""
    monitor = alert.extra.get("monitor")
    return [f"monitor:{alert.system}:{monitor}"] if monitor else []


def _backfill_keys(alert: Alert) -> list[str]:
    """One wish of one person, however many runs it takes."""
    backfill = alert.extra.get("backfill")
    return [f"backfill:{backfill}"] if backfill else []


def same_backfill(one: Alert, other: Alert) -> bool:
    """True for two failures of one backfill."""
    backfill = one.extra.get("backfill")
    mine, theirs = (one.connection, backfill), (other.connection, other.extra.get("backfill"))
    return backfill is not None and mine == theirs


def _asset_keys(alert: Alert) -> list[str]:
    return [f"asset:{alert.asset}"] if alert.asset else []


def _job_keys(alert: Alert) -> list[str]:
    if alert.job in (None, ANONYMOUS_JOB):
        return []
    late = [f"absent:{alert.job}"] if alert.kind in _NEVER_CAME else []
    return [f"job:{alert.job}:{alert.partition or '-'}", *late]


def _run_of(alert: Alert) -> str:
    return label_of(alert.run_id or alert.run_id_short or "")


def _same_run(one: str, other: str) -> bool:
    return label_of(one) == label_of(other)


def _runs(facts: Facts) -> set[str]:
    told = (a.run_id or a.run_id_short for a in facts.incident.alerts)
    return {run for run in (facts.run_id, *told) if run}


def _assets(facts: Facts) -> set[str]:
    return {a.asset for a in facts.incident.alerts if a.asset} | (
        {facts.asset} if facts.asset else set()
    )


def _downstream(asset: str, radius: BlastRadius) -> bool:
    return any(hit.asset == asset for hit in radius.hits)

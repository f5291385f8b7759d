"""When two alerts are the same trouble: the fingerprints an open incident answers to, and why."""

from datetime import UTC

from policies.alert import Alert
from policies.answers import moment
from policies.facts import ANONYMOUS_JOB, Facts
from policies.incident import Incident
from policies.lineage import BlastRadius
from policies.run import label_of


def keys(alert: Alert) -> tuple[str, ...]:
    """What this alert is about, surest first: its run, when it ran, its monitor, its asset, its job and partition.

    A run answers to its whole id and, where that is anonymous, to its first eight characters too, for
    some senders tell no more.
    """
    sure = [*_run_keys(alert), *_moment_keys(alert), *_monitor_keys(alert)]
    found = [*sure, *_asset_keys(alert), *_job_keys(alert)]
    return tuple(f"{alert.connection}:{key}" for key in dict.fromkeys(found))


def reach_keys(connection: str, radius: BlastRadius) -> tuple[str, ...]:
    """What else the incident answers to once its reach is known: later alerts downstream attach."""
    reached = (radius.root, *(hit.asset for hit in radius.hits))
    return tuple(f"{connection}:asset:{asset}" for asset in dict.fromkeys(reached))


def because(alert: Alert, incident: Incident) -> str:
    """Why this alert belongs to that incident, for its journal."""
    facts = Facts.of(incident)
    run = alert.run_id or alert.run_id_short
    if run and any(_same_run(run, other) for other in _runs(facts)):
        return f"the same run {label_of(run)}"
    if alert.asset and alert.asset in _assets(facts):
        return f"the same asset {alert.asset}"
    if alert.asset and incident.radius and _downstream(alert.asset, incident.radius):
        return f"{alert.asset} is downstream of {incident.radius.root}"
    if alert.job and alert.job == facts.job:
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


def _asset_keys(alert: Alert) -> list[str]:
    return [f"asset:{alert.asset}"] if alert.asset else []


def _job_keys(alert: Alert) -> list[str]:
    if alert.job in (None, ANONYMOUS_JOB):
        return []
    return [f"job:{alert.job}:{alert.partition or '-'}"]


def _same_run(one: str, other: str) -> bool:
    return label_of(one) == label_of(other)


def _runs(facts: Facts) -> set[str]:
    told = (facts.run_id, facts.short_id)
    return {run for run in told if run} | {a.run_id for a in facts.incident.alerts if a.run_id}


def _assets(facts: Facts) -> set[str]:
    return {a.asset for a in facts.incident.alerts if a.asset} | (
        {facts.asset} if facts.asset else set()
    )


def _downstream(asset: str, radius: BlastRadius) -> bool:
    return any(hit.asset == asset for hit in radius.hits)

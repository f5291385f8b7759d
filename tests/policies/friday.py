"""The Friday as data: what dw.yml says of an Airflow, and what it answers of a failed DAG run."""

from dataclasses import replace
from typing import Any

from policies.alert import Alert, AlertKind
from policies.blast_radius import from_jobs
from policies.incident import Incident
from policies.plan import Plan, Step
from policies.playbook import NoPlan, draft
from policies.rules import Rules
from tests.policies import night

DAG = "usage_billing_daily"
RUN = f"{DAG}/scheduled__2026-10-01T09:00:00+00:00"
DAY = "2026-10-01"
SPAN = "2026-10-01T09:00:00Z/2026-10-02T09:00:00Z"
LOGICAL = "2026-10-01T09:00:00Z"
BY_DATE = {"config": {"usage_date": "{partition}"}, "builds": ["fct_daily_usage"]}
BY_INTERVAL = {"builds": ["fct_daily_usage"]}


def rules(job: dict[str, Any] | None = None, **connection: Any) -> Rules:
    airflow = {
        "kind": "airflow",
        "url": "https://airflow.example.com",
        "jobs": {DAG: BY_DATE if job is None else job},
        **connection,
    }
    billing = {
        "level": "L2",
        "channels": ["#data-alerts"],
        "assets": ["fct_*", "Stripe"],
        "jobs": [DAG],
        "owners": {"fct_*": "ana@example.com"},
        "chain": [{"who": "owner", "within": "5m"}],
    }
    return night.rules(
        senders=[{"app_id": "A0ASTRO01", "system": "astro", "connection": "airflow"}],
        connections={"airflow": airflow},
        domains={"billing": billing},
        assets={},
        notes=[{"asset": "Stripe", "kind": "export", "reads": ["fct_daily_usage"], "due": "14:00"}],
    )


def an_alert(**changes: Any) -> Alert:
    known = {
        "signal_key": "Ev1",
        "system": "astro",
        "connection": "airflow",
        "kind": AlertKind.RUN_FAILED,
        "title": f"Run of {DAG} failed",
        "job": DAG,
        "run_id": RUN,
    }
    return Alert(**{**known, **changes})


def run_failure(**changes: Any) -> dict[str, Any]:
    known = {
        "run_id": RUN,
        "job": DAG,
        "status": "failed",
        "partition": DAY,
        "started_at": "2026-10-02T09:00:03Z",
        "ended_at": "2026-10-02T09:21:02Z",
        "code_version": "version 4",
        "logical_date": LOGICAL,
        "interval": SPAN,
        "conf": {},
        "conf_withheld": False,
        "steps_failed": [
            {"step": "stg_usage_events", "error": "ValueError: event ids are there twice"}
        ],
        "steps_not_run": ["push_usage_to_stripe"],
        "assets_planned": ["fct_daily_usage"],
        "assets_materialized": [],
        "checks": [],
        "error": None,
    }
    return {**known, **changes}


def can_run(**changes: Any) -> dict[str, Any]:
    known = {
        "may": True,
        "why": None,
        "airflow": "3.3.2",
        "defaults": {"usage_date": None, "batch": 100},
        "link": f"https://airflow.example.com/dags/{DAG}",
        "command": f"airflow dags trigger {DAG} --conf '…'",
    }
    return {**known, **changes}


def answers(**changes: Any) -> night.Answers:
    known: night.Answers = {
        ("airflow", "run_failure"): run_failure(),
        ("airflow", "find_run"): {"run_id": RUN, "matches": 1},
        ("airflow", "can_run"): can_run(),
        ("airflow", "last_success"): {"run_id": f"{DAG}/x", "code_version": "version 4"},
        ("airflow", "materialization"): {"at": None, "run_id": None, "metadata": {}},
        ("airflow", "asset_states"): {"assets": {}},
    }
    return known | {("airflow", name): told for name, told in changes.items()}


def diagnosed(known: Rules, alert: Alert | None = None, **told: Any) -> Incident:
    start = replace(night.incident(alert or an_alert()), domain="billing")
    diagnosis, evidence = night.think(start, answers(**told), known)
    return replace(start, evidence=evidence, diagnosis=diagnosis)


def drafted(known: Rules, alert: Alert | None = None, **told: Any) -> Plan | NoPlan:
    incident = diagnosed(known, alert, **told)
    lineage = from_jobs(known)
    return draft(night.with_radius(incident, lineage, known), known, lineage, {DAG: "version 4"})


def step(known: Rules, **told: Any) -> Step:
    plan = drafted(known, **told)
    assert isinstance(plan, Plan), plan
    [only] = plan.steps
    return only


def why(known: Rules, alert: Alert | None = None, **told: Any) -> str:
    found = drafted(known, alert, **told)
    assert isinstance(found, NoPlan)
    return found.why

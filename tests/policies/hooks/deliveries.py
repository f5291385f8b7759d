"""What each sender sends: a failure, its good news, and what is neither; and the facts in the failure.

Shapes are from the senders' documents and sources (docs/webhooks.md says which); names are of this project.
"""

from copy import deepcopy
from typing import Any

from policies.alert import Alert, AlertKind
from policies.recognise.hooks import Delivery, Hook, read
from policies.recognise.hooks.wire import Found

RUN = "9f5a2f5e-7a51-4d83-8c53-8d4a1e2f90ab"
AF_RUN = "scheduled__2026-09-28T02:00:00+00:00"
ASTRO_PAGE = (
    "https://cloud.astronomer.io/cw1/dags/cd1/orders_daily/c6fbe201-a3f1-39ad-9c5c-817cbf99d123"
)
MINUTES = "Start time: 2026-09-28 02:00:03 UTC. Failed at: 2026-09-28 02:07:41 UTC."
AT = "2026-09-28T02:07:41.120000+00:00"


def _astro(kind: str, message: str, **more: str) -> dict[str, Any]:
    return {"alertId": "al1", "alertType": kind, "dagName": "tell_dw", "message": message, **more}


def _grafana(status: str) -> dict[str, Any]:
    alert = {
        "status": status,
        "labels": {"alertname": "OrdersLate", "dag_id": "orders_daily", "run_id": AF_RUN},
        "annotations": {"summary": "orders_daily is 31 minutes late"},
        "startsAt": "2026-09-28T02:31:00Z",
        "endsAt": "0001-01-01T00:00:00Z",
        "generatorURL": "https://grafana.example.com/alerting/grafana/adk3j2/view",
        "fingerprint": "c6eadffa33fcdf37",
    }
    return {"version": "1", "status": status, "receiver": "dw", "alerts": [alert]}


def _lineage(event: str, **more: Any) -> dict[str, Any]:
    dag_run = {
        "dag_id": "orders_daily",
        "run_id": AF_RUN,
        "logical_date": "2026-09-28T02:00:00+00:00",
    }
    task = {"task_id": "load_orders", "retries": 2}
    facet = {"dagRun": dag_run, "task": task, "taskInstance": {"try_number": 3}, **more}
    return {
        "eventType": event,
        "eventTime": AT,
        "producer": "https://github.com/apache/airflow",
        "run": {"runId": RUN, "facets": {"airflow": facet}},
        "job": {"namespace": "prod", "name": "orders_daily.load_orders"},
        "outputs": [{"namespace": "postgres://db", "name": "shop.public.orders"}],
    }


def _whole_dag(event: str) -> dict[str, Any]:
    body = _lineage(event)
    facet = body["run"]["facets"].pop("airflow")
    body["run"]["facets"]["airflowDagRun"] = {"dagRun": facet["dagRun"]}
    return {**body, "job": {"namespace": "prod", "name": "orders_daily"}, "outputs": []}


def _pagerduty(kind: str) -> dict[str, Any]:
    incident = {
        "id": "Q2ABCDEF123456",
        "type": "incident",
        "html_url": "https://example.pagerduty.com/incidents/Q2ABCDEF123456",
        "number": 48213,
        "title": "Scheduler heartbeat missing",
        "service": {"id": "P1", "summary": "airflow-prod"},
        "urgency": "high",
    }
    event = {
        "id": f"01{kind[9:12].upper()}",
        "event_type": kind,
        "occurred_at": AT,
        "data": incident,
    }
    return {"event": event}


def _dbt(event: str, status: str) -> dict[str, Any]:
    run = {
        "jobId": "123",
        "jobName": "Daily build",
        "runId": "70403110001",
        "environmentName": "Production",
        "projectName": "Shop",
        "runStatus": status,
    }
    return {"accountId": 1, "eventId": f"wev_{event[8:]}", "eventType": event, "data": run}


def _airflow(state: str, **more: Any) -> dict[str, Any]:
    task = {"task_id": "load_orders", "try_number": 3, "map_index": -1}
    known = {
        "dag_id": "orders_daily",
        "run_id": AF_RUN,
        "logical_date": "2026-09-28T02:00:00+00:00",
    }
    page = "https://airflow.example.com/dags/orders_daily/grid"
    return {**known, **task, "state": state, "log_url": page, "at": AT, **more}


def _dagster(summary: str, **more: str) -> dict[str, Any]:
    known = {"alert_summary": summary, "is_sample": "false", "deployment_name": "prod"}
    left = {"asset_key": "{{asset_key}}", "partition_name": ""}
    return {**known, **left, **more}


def _prefect(kind: str, name: str) -> dict[str, Any]:
    return {
        "event_id": "0199-event-" + name,
        "flow": "orders-flow",
        "deployment": "prod",
        "flow_run_id": RUN,
        "flow_run": "amber-lynx",
        "state_type": kind,
        "state": name,
        "url": f"https://prefect.example.com/runs/flow-run/{RUN}",
    }


def _monte_carlo(kind: str) -> dict[str, Any]:
    incident = {
        "incident_id": "f83867b6-8f25-428b-807c-08518f63384c",
        "url": "https://getmontecarlo.com/incidents/f83867b6-8f25-428b-807c-08518f63384c",
        "event_list": [{"table_name": "prod:shop.orders", "data": {"rows": 42, "share": 0.5}}],
    }
    return {"version": "v0.1", "type": kind, "account": {"id": "9a"}, "payload": incident}


FAILED: dict[str, dict[str, Any]] = {
    "airflow": _airflow("failed"),
    "alertmanager": _grafana("firing"),
    "astro": _astro(
        "DAG_FAILURE",
        f"DAG run failed for DAG orders_daily. {MINUTES} {ASTRO_PAGE}",
        airflowDagRunId=AF_RUN,
    ),
    "dagsterplus": _dagster(
        "Job sessions_job failed", job_name="sessions_job", run_id=RUN, run_status="FAILURE"
    ),
    "dbt_cloud": _dbt("job.run.errored", "Errored"),
    "generic": {"kind": "run_failed", "job": "orders_daily", "run_id": RUN, "id": "news-1"},
    "grafana": _grafana("firing"),
    "monte_carlo": _monte_carlo("open_volume_anomaly_incident"),
    "openlineage": _lineage("FAIL"),
    "pagerduty": _pagerduty("incident.triggered"),
    "prefect": _prefect("FAILED", "Failed"),
}
GOOD: dict[str, dict[str, Any]] = {
    "airflow": _airflow("success"),
    "alertmanager": _grafana("resolved"),
    "astro": _astro("DAG_SUCCESS", "Pipeline success detected on DAG orders_daily"),
    "dagsterplus": _dagster(
        "Job sessions_job succeeded", job_name="sessions_job", run_id=RUN, run_status="SUCCESS"
    ),
    "dbt_cloud": _dbt("job.run.completed", "Success"),
    "generic": {"kind": "success", "job": "orders_daily", "run_id": RUN, "id": "news-2"},
    "grafana": _grafana("resolved"),
    "openlineage": _whole_dag("COMPLETE"),
    "pagerduty": _pagerduty("incident.resolved"),
    "prefect": _prefect("COMPLETED", "Completed"),
}
PASSED_OVER: dict[str, tuple[dict[str, Any], str]] = {
    "airflow": (_airflow("up_for_retry"), "a retry is pending"),
    "astro": (_astro("JOB_SCHEDULING_DISABLED", "on DAG x"), "not about a run"),
    "dagsterplus": (_dagster("Job x failed", is_sample="true"), "a sample"),
    "dbt_cloud": (_dbt("job.run.completed", "Cancelled"), "no end of a run"),
    "monte_carlo": (_monte_carlo("alert_feedback"), "opens no incident"),
    "openlineage": (_lineage("FAIL", taskInstance={"try_number": 2}), "a retry is pending"),
    "pagerduty": (_pagerduty("incident.acknowledged"), "neither opens nor resolves"),
    "prefect": (_prefect("SCHEDULED", "AwaitingRetry"), "no end of a run"),
}
ABOUT = {"dagsterplus": "dagster", "dbt_cloud": "dbt", "prefect": "prefect"}
"""The connection each speaks of; the others speak of an airflow."""


def hook(kind: str, **changes: Any) -> Hook:
    known = {"name": kind, "system": kind, "connection": ABOUT.get(kind, "airflow")}
    return Hook(**{**known, **changes})


def found(kind: str, body: object, **changes: Any) -> tuple[Found, ...]:
    return tuple(read(Delivery(hook=hook(kind, **changes), body=body, digest="d1")))


def alert(kind: str, body: object | None = None, **changes: Any) -> Alert:
    """The one alert of a delivery; the failure of its kind when no body is given."""
    (one,) = found(kind, deepcopy(FAILED[kind]) if body is None else body, **changes)
    assert isinstance(one, Alert), one
    return one


WANTED: dict[str, dict[str, Any]] = {
    "airflow": {
        "kind": AlertKind.OP_FAILED,
        "run_id": f"orders_daily/{AF_RUN}",
        "op": "load_orders",
    },
    "alertmanager": {"kind": AlertKind.CHECK_FAILED, "run_id": f"orders_daily/{AF_RUN}"},
    "astro": {"kind": AlertKind.RUN_FAILED, "run_id": f"orders_daily/{AF_RUN}", "url": ASTRO_PAGE},
    "dagsterplus": {
        "kind": AlertKind.RUN_FAILED,
        "run_id": RUN,
        "job": "sessions_job",
        "asset": None,
    },
    "dbt_cloud": {"kind": AlertKind.RUN_FAILED, "run_id": "70403110001", "job": "Daily build"},
    "generic": {"kind": AlertKind.RUN_FAILED, "run_id": RUN, "signal_key": "hook:generic:news-1"},
    "grafana": {"title": "OrdersLate: orders_daily is 31 minutes late", "job": "orders_daily"},
    "monte_carlo": {"asset": "orders", "title": "Monte Carlo: volume anomaly on prod:shop.orders"},
    "openlineage": {"run_id": f"orders_daily/{AF_RUN}", "op": "load_orders", "asset": "orders"},
    "pagerduty": {"title": "airflow-prod: Scheduler heartbeat missing", "run_id": None},
    "prefect": {"kind": AlertKind.RUN_FAILED, "run_id": RUN, "job": "orders-flow/prod"},
}

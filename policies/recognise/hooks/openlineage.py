"""OpenLineage run events. Their own run ids are nobody else's; Airflow's facets hold the ids Airflow knows.

Airflow's provider tells every try of a task, so a try that fails while others are left is no failure. Inside a run
of Dagster the parent is the run, and its id is Dagster's own.
"""

from collections.abc import Sequence
from typing import Literal

from pydantic import AwareDatetime, Field

from policies.alert import Alert, AlertKind
from policies.recognise.airflow_pages import moment_text
from policies.recognise.hooks.wire import (
    Count,
    Delivery,
    Found,
    Hook,
    Id,
    MaybeName,
    Name,
    Page,
    Wire,
    told,
)
from policies.recognise.reading import title
from policies.run import within


class Dataset(Wire):
    """What was read or written."""

    name: Name


class AirflowRun(Wire):
    """Airflow's `dagRun`."""

    dag_id: Name
    run_id: Name
    logical_date: MaybeName = None
    execution_date: MaybeName = None


class AirflowTask(Wire):
    """Airflow's `task`."""

    task_id: Name
    retries: Count = 0


class AirflowTry(Wire):
    """Airflow's `taskInstance`."""

    try_number: Count | None = None
    map_index: Count | None = None
    log_url: Page = None


class AirflowFacet(Wire):
    """Airflow's facets of a task, or of a whole run."""

    run: AirflowRun = Field(alias="dagRun")
    task: AirflowTask | None = None
    instance: AirflowTry = Field(default_factory=AirflowTry, alias="taskInstance")

    @property
    def retrying(self) -> bool:
        """True while a try is left."""
        tries = self.instance.try_number
        return self.task is not None and tries is not None and tries <= self.task.retries


class Job(Wire):
    """A job, or a task in one."""

    name: Name


class RunId(Wire):
    """A run, by OpenLineage's id."""

    id: Id = Field(alias="runId")


class Parent(Wire):
    """What it ran in."""

    job: Job
    run: RunId


class Facets(Wire):
    """Those that are read."""

    airflow: AirflowFacet | None = None
    dag_run: AirflowFacet | None = Field(None, alias="airflowDagRun")
    parent: Parent | None = None


class Run(RunId):
    """The run."""

    facets: Facets = Field(default_factory=Facets)


class Body(Wire):
    """One event."""

    event: Literal["START", "RUNNING", "COMPLETE", "ABORT", "FAIL", "OTHER"] = Field(
        "OTHER", alias="eventType"
    )
    at: AwareDatetime = Field(alias="eventTime")
    producer: MaybeName = None
    run: Run
    job: Job
    outputs: list[Dataset] = Field(default_factory=list)

    @property
    def airflow(self) -> AirflowFacet | None:
        """What Airflow tells of it."""
        return self.run.facets.airflow or self.run.facets.dag_run

    @property
    def of_dagster(self) -> bool:
        """True for a run whose id is Dagster's."""
        return "dagster" in (self.producer or "")


def read(delivery: Delivery) -> Sequence[Found]:
    """A run that failed, was broken off, or completed; beginnings and news in between are passed over."""
    body = Body.model_validate(delivery.body)
    if body.event not in ("FAIL", "ABORT", "COMPLETE"):
        return delivery.ignored(f"{body.event} is no end of a run")
    if body.event == "FAIL" and body.airflow and body.airflow.retrying:
        return delivery.ignored("a retry is pending")
    job, op, run_id = _named(body)
    if body.event == "COMPLETE" and op:
        return delivery.ignored("a part of a run completed")
    kind = _kind(body.event, op)
    alert = Alert(
        signal_key=delivery.key(f"{body.run.id}:{body.event}:{body.at.isoformat()}"),
        system=delivery.hook.system,
        connection=delivery.hook.connection,
        kind=kind,
        title=title(kind, job=job, asset=None, op=op),
        job=job,
        run_id=run_id,
        op=op,
        step_keys=(op,) if op and kind is AlertKind.OP_FAILED else (),
        asset=_asset(delivery.hook, body),
        url=body.airflow.instance.log_url if body.airflow else None,
        extra=_extra(body),
    )
    return (alert,)


def _kind(event: str, op: str | None) -> AlertKind:
    if event == "COMPLETE":
        return AlertKind.SUCCESS
    return AlertKind.OP_FAILED if op else AlertKind.RUN_FAILED


def _named(body: Body) -> tuple[str, str | None, str | None]:
    """Job, part of it, and the run as the orchestrator knows it."""
    airflow, parent = body.airflow, body.run.facets.parent
    if airflow is not None:
        run = airflow.run
        return (
            run.dag_id,
            airflow.task.task_id if airflow.task else None,
            within(run.dag_id, run.run_id),
        )
    if parent is not None:
        op = body.job.name.removeprefix(f"{parent.job.name}.")
        return parent.job.name, op, parent.run.id if body.of_dagster else None
    return body.job.name, None, body.run.id if body.of_dagster else None


def _asset(hook: Hook, body: Body) -> str | None:
    """What it would have written, where that is one thing."""
    return hook.asset(body.outputs[0].name) if len(body.outputs) == 1 else None


def _extra(body: Body) -> dict[str, str]:
    airflow = body.airflow
    if airflow is None:
        return {}
    return told(
        logical_date=moment_text(airflow.run.logical_date or airflow.run.execution_date),
        try_number=airflow.instance.try_number,
        map_index=airflow.instance.map_index,
    )

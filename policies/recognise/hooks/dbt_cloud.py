"""dbt Cloud's webhooks. A failed run may be told twice: once as errored, once as completed."""

from collections.abc import Sequence

from pydantic import Field

from policies.alert import Alert, AlertKind
from policies.recognise.hooks.wire import Delivery, Found, Id, MaybeName, Name, Wire, told
from policies.recognise.reading import title

_ERRORED = "job.run.errored"
_COMPLETED = "job.run.completed"
_ENDS = {
    "success": AlertKind.SUCCESS,
    "errored": AlertKind.RUN_FAILED,
    "error": AlertKind.RUN_FAILED,
}


class Run(Wire):
    """The run it is about."""

    job: Name = Field(alias="jobName")
    id: Id = Field(alias="runId")
    status: MaybeName = Field(None, alias="runStatus")
    environment: MaybeName = Field(None, alias="environmentName")
    project: MaybeName = Field(None, alias="projectName")


class Body(Wire):
    """One event."""

    id: Id = Field(alias="eventId")
    event: Name = Field(alias="eventType")
    run: Run = Field(alias="data")


def read(delivery: Delivery) -> Sequence[Found]:
    """A run that errored or succeeded. One that somebody cancelled is no trouble."""
    body = Body.model_validate(delivery.body)
    kind = _kind(body)
    if kind is None:
        return delivery.ignored(f"{body.event} with status {body.run.status} is no end of a run")
    alert = Alert(
        signal_key=delivery.key(body.id),
        system=delivery.hook.system,
        connection=delivery.hook.connection,
        kind=kind,
        title=title(kind, job=body.run.job, asset=None),
        job=body.run.job,
        run_id=body.run.id,
        deployment=body.run.environment,
        extra=told(project=body.run.project),
    )
    return (alert,)


def _kind(body: Body) -> AlertKind | None:
    if body.event == _ERRORED:
        return AlertKind.RUN_FAILED
    return _ENDS.get((body.run.status or "").lower()) if body.event == _COMPLETED else None

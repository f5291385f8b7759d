"""Automations of Prefect, by the body that docs/webhooks.md gives: what a template makes of a flow run's event."""

from collections.abc import Sequence

from policies.alert import Alert, AlertKind
from policies.recognise.hooks.wire import Delivery, Found, Id, MaybeName, Name, Page, Wire, told
from policies.recognise.reading import title

_LATE = "Late"
_KINDS = {
    "FAILED": AlertKind.RUN_FAILED,
    "CRASHED": AlertKind.RUN_FAILED,
    "COMPLETED": AlertKind.SUCCESS,
}


class Body(Wire):
    """One event. The type of a state is one of a few; its name is free, except for Late."""

    event_id: Id
    flow: Name
    deployment: MaybeName = None
    flow_run_id: Id
    flow_run: MaybeName = None
    state_type: Name
    state: MaybeName = None
    url: Page = None


def read(delivery: Delivery) -> Sequence[Found]:
    """A flow run that failed, crashed, is late, or completed. One that waits for its retry has not failed."""
    body = Body.model_validate(delivery.body)
    late = body.state == _LATE
    kind = AlertKind.RUN_SLOW if late else _KINDS.get(body.state_type.upper())
    if kind is None:
        return delivery.ignored(f"state {body.state or body.state_type} is no end of a run")
    job = f"{body.flow}/{body.deployment}" if body.deployment else body.flow
    alert = Alert(
        signal_key=delivery.key(body.event_id),
        system=delivery.hook.system,
        connection=delivery.hook.connection,
        kind=kind,
        title=f"A run of {job} is late: nobody takes it up"
        if late
        else title(kind, job=job, asset=None),
        job=job,
        run_id=body.flow_run_id,
        url=body.url,
        extra=told(flow_run=body.flow_run),
    )
    return (alert,)

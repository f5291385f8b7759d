"""What the callback in docs/connections/dw_callback.py sends from Airflow 2 and 3, for a task or a whole run."""

from collections.abc import Sequence
from typing import Literal

from policies.alert import Alert, AlertKind
from policies.recognise.airflow_pages import moment_text
from policies.recognise.hooks.wire import Count, Delivery, Found, MaybeName, Name, Page, Wire, told
from policies.recognise.reading import title
from policies.run import within

_RETRYING = ("up_for_retry", "up_for_reschedule")


class Body(Wire):
    """One task or run that ended. `try_number` and `at` tell one failure from the next of the same run."""

    dag_id: Name
    run_id: Name
    state: Literal["failed", "success", "up_for_retry", "up_for_reschedule"]
    task_id: MaybeName = None
    map_index: Count = -1
    try_number: Count | None = None
    logical_date: MaybeName = None
    log_url: Page = None
    at: Name


def read(delivery: Delivery) -> Sequence[Found]:
    """A run or a task that failed for good, or ended well. A task that will be tried again has not failed."""
    body = Body.model_validate(delivery.body)
    if body.state in _RETRYING:
        return delivery.ignored("a retry is pending")
    kind = _kind(body)
    alert = Alert(
        signal_key=delivery.key(),
        system=delivery.hook.system,
        connection=delivery.hook.connection,
        kind=kind,
        title=title(kind, job=body.dag_id, asset=None, op=body.task_id),
        job=body.dag_id,
        run_id=within(body.dag_id, body.run_id),
        op=body.task_id,
        step_keys=(body.task_id,) if body.task_id and kind is AlertKind.OP_FAILED else (),
        url=body.log_url,
        extra=told(
            logical_date=moment_text(body.logical_date),
            try_number=body.try_number,
            map_index=body.map_index if body.map_index >= 0 else None,
        ),
    )
    return (alert,)


def _kind(body: Body) -> AlertKind:
    if body.state == "success":
        return AlertKind.SUCCESS
    return AlertKind.OP_FAILED if body.task_id else AlertKind.RUN_FAILED

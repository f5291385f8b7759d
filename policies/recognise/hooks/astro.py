"""Alerts of Astro, as it hands them to a DAG (its "DAG trigger" channel) that sends them on unchanged.

`dagName` is the DAG that was triggered, not the one that failed: that one stands in the message only. Newer
alerts name Airflow's run; older ones tell when it started and failed, by which it is found.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from pydantic import Field

from policies.alert import Alert, AlertKind
from policies.recognise.hooks.wire import Delivery, Found, MaybeName, Name, Wire, Words, told
from policies.recognise.reading import title
from policies.run import within

_NAME = r"[\w.\-]{1,250}?"
_END = r"(?=[.,'\"]?(?:\s|$))"
_DAG = re.compile(rf"\b(?:on|for|in) DAG ['\"]?(?P<dag>{_NAME}){_END}", re.I)
_TASK = re.compile(rf"\b(?:on|for) task ['\"]?(?P<task>{_NAME}){_END}", re.I)
_TIME = re.compile(r"(?P<what>Start time|Failed at): (?P<at>[\d\-]{10} [\d:]{8}) UTC")
_LINK = re.compile(r"https://cloud\.astronomer\.io/[^\s\"'<>|\\]{1,500}")
_TIMES = {"Start time": "started_at", "Failed at": "ended_at"}
_KINDS = {
    "DAG_FAILURE": AlertKind.RUN_FAILED,
    "PIPELINE_FAILURE": AlertKind.RUN_FAILED,
    "DAG_SUCCESS": AlertKind.SUCCESS,
    "PIPELINE_SUCCESS": AlertKind.SUCCESS,
    "TASK_FAILURE": AlertKind.OP_FAILED,
    "TASK_DURATION": AlertKind.RUN_SLOW,
    "DAG_DURATION": AlertKind.RUN_SLOW,
    "DAG_TIMELINESS": AlertKind.RUN_SLOW,
    "ABSOLUTE_TIME": AlertKind.RUN_SLOW,
}


class Body(Wire):
    """What the triggered DAG finds in its `conf`."""

    type: Name = Field(alias="alertType")
    message: Words
    run: MaybeName = Field(None, alias="airflowDagRunId")


def read(delivery: Delivery) -> Sequence[Found]:
    """A DAG or task that failed, was slow, or ended well."""
    body = Body.model_validate(delivery.body)
    kind, dag = _KINDS.get(body.type.upper()), _DAG.search(body.message)
    if kind is None:
        return delivery.ignored(f"alerts of type {body.type} are not about a run")
    if dag is None:
        return delivery.ignored("its message names no DAG")
    job, found = dag["dag"], _TASK.search(body.message)
    op, link = found["task"] if found else None, _LINK.search(body.message)
    alert = Alert(
        signal_key=delivery.key(),
        system=delivery.hook.system,
        connection=delivery.hook.connection,
        kind=kind,
        title=title(kind, job=job, asset=None, op=op),
        job=job,
        run_id=within(job, body.run) if body.run else None,
        op=op,
        step_keys=(op,) if op and kind is AlertKind.OP_FAILED else (),
        url=link[0] if link else None,
        extra=_times(body.message),
    )
    return (alert,)


def _times(message: str) -> dict[str, str]:
    found = {}
    for match in _TIME.finditer(message):
        try:
            at = datetime.fromisoformat(match["at"]).replace(tzinfo=UTC)
        except ValueError:
            continue
        found[_TIMES[match["what"]]] = at.isoformat()
    return told(**found)

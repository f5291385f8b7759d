"""Alertmanager's webhook, and Grafana's, which has the same shape. One delivery may hold many alerts.

A rule says which run or asset it watches by its labels: `dag_id`, `dw_job`, `run_id`, `task_id`, `asset`,
`partition`. `job` is Prometheus' own word for what it scrapes, and is not read.
"""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import AwareDatetime, BeforeValidator, Field

from policies.alert import Alert, AlertKind
from policies.recognise.hooks.wire import (
    Delivery,
    Found,
    Id,
    Line,
    MaybeName,
    Name,
    Page,
    Wire,
    told,
)
from policies.run import within

_MOST = 100


def _empty(value: object) -> object:
    return {} if value is None else value


class Labels(Wire):
    """Those that are read."""

    alertname: Name = "an alert"
    dag_id: MaybeName = None
    dw_job: MaybeName = None
    run_id: MaybeName = None
    task_id: MaybeName = None
    asset: MaybeName = None
    partition: MaybeName = None
    severity: MaybeName = None


class Annotations(Wire):
    """The same."""

    summary: Line = ""


class One(Wire):
    """One alert. The same one fires again with a new `startsAt`: another episode."""

    status: Literal["firing", "resolved"]
    labels: Annotated[Labels, BeforeValidator(_empty)] = Field(default_factory=Labels)
    annotations: Annotated[Annotations, BeforeValidator(_empty)] = Field(
        default_factory=Annotations
    )
    since: AwareDatetime = Field(alias="startsAt")
    fingerprint: Id
    panel: Page = Field(None, alias="panelURL")
    dashboard: Page = Field(None, alias="dashboardURL")
    generator: Page = Field(None, alias="generatorURL")

    @property
    def url(self) -> str | None:
        """Where a person sees most of it."""
        return self.panel or self.dashboard or self.generator


class Body(Wire):
    """One group of alerts."""

    alerts: list[One] = Field(min_length=1, max_length=_MOST)


def read(delivery: Delivery) -> Sequence[Found]:
    """Each alert that fires or is resolved; what is repeated without news is the same signal."""
    return [_alert(delivery, one) for one in Body.model_validate(delivery.body).alerts]


def _alert(delivery: Delivery, one: One) -> Alert:
    labels, hook = one.labels, delivery.hook
    job = labels.dag_id or labels.dw_job
    firing = one.status == "firing"
    return Alert(
        signal_key=delivery.key(f"{one.fingerprint}:{one.since.isoformat()}:{one.status}"),
        system=hook.system,
        connection=hook.connection,
        kind=AlertKind.CHECK_FAILED if firing else AlertKind.RESOLVED,
        title=_title(one, firing=firing),
        job=job,
        run_id=within(job, labels.run_id)
        if labels.dag_id and job and labels.run_id
        else labels.run_id,
        op=labels.task_id,
        asset=hook.assets.get(labels.asset or "") or labels.asset,
        partition=labels.partition,
        url=one.url,
        extra=told(monitor=one.fingerprint, severity=labels.severity),
    )


def _title(one: One, *, firing: bool) -> str:
    name = one.labels.alertname
    words = f"{name}: {one.annotations.summary}" if one.annotations.summary else name
    return words if firing else f"{name} is resolved"

"""The webhook for whatever has no kind of its own. docs/webhooks.schema.json is made from its model."""

from collections.abc import Sequence
from typing import Literal

from pydantic import ConfigDict, Field, model_validator

from policies.alert import Alert, AlertKind
from policies.recognise.hooks.wire import Delivery, Found, Id, Line, MaybeName, Page, Wire, told
from policies.recognise.reading import title


class Body(Wire):
    """One piece of news about a job, an asset or a check."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal[
        "run_failed",
        "op_failed",
        "check_failed",
        "asset_stale",
        "run_slow",
        "success",
        "resolved",
    ] = Field(description="what happened; `success` and `resolved` are good news and open nothing")
    id: Id | None = Field(
        None,
        description="the sender's id of this news: the same id twice is one. Left out: what it says, within the hour",
    )
    title: Line = Field("", description="one line for people; left out: made from the rest")
    job: MaybeName = Field(None, description="the job, as the connection calls it")
    run_id: MaybeName = Field(
        None, description="the run, as the connection calls it (Airflow: `<dag>/<run id>`)"
    )
    op: MaybeName = Field(None, description="the task, op or model in it that failed")
    asset: MaybeName = Field(None, description="the asset, as dw.yml calls it")
    check: MaybeName = Field(None, description="the check on that asset")
    partition: MaybeName = Field(None, description="the partition, such as `2026-09-28`")
    monitor: MaybeName = Field(
        None, description="what watches, by an id of yours: its good news find its bad news by it"
    )
    url: Page = Field(None, description="a page where a person sees more; http or https")

    @model_validator(mode="after")
    def _about_something(self) -> "Body":
        if not any((self.job, self.run_id, self.asset, self.title)):
            msg = "it is about nothing → give a job, a run_id, an asset or a title"
            raise ValueError(msg)
        return self


def read(delivery: Delivery) -> Sequence[Found]:
    """What it says, as it says it."""
    body = Body.model_validate(delivery.body)
    kind = AlertKind(body.kind)
    made = title(
        kind, job=body.job, asset=body.asset, op=body.op, check=body.check, partition=body.partition
    )
    alert = Alert(
        signal_key=delivery.key(body.id),
        system=delivery.hook.system,
        connection=delivery.hook.connection,
        kind=kind,
        title=body.title or made,
        job=body.job,
        run_id=body.run_id,
        op=body.op,
        step_keys=(body.op,) if body.op and kind is AlertKind.OP_FAILED else (),
        asset=delivery.hook.assets.get(body.asset or "") or body.asset,
        check=body.check,
        partition=body.partition,
        url=body.url,
        extra=told(monitor=body.monitor),
    )
    return (alert,)

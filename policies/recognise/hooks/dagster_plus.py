"""Alert policies of Dagster+, by the body that docs/webhooks.md gives: tokens that Dagster fills in.

A token that does not belong to the event may be left as it is, or empty. What kind of alert it is, stands in its
one line of summary; ids come from the tokens, never from that line where there is one.
"""

from collections.abc import Mapping, Sequence

from policies.alert import Alert, AlertKind
from policies.recognise.dagster_plus import headline
from policies.recognise.hooks.wire import Delivery, Found, Line, MaybeName, Page, Wire
from policies.recognise.reading import title

_ENDS = {"FAILURE": AlertKind.RUN_FAILED, "SUCCESS": AlertKind.SUCCESS}
_FRESH = {"FAIL": AlertKind.ASSET_STALE, "PASS": AlertKind.RESOLVED, "OK": AlertKind.RESOLVED}


class Body(Wire):
    """One notification."""

    alert_summary: Line
    is_sample: MaybeName = None
    deployment_name: MaybeName = None
    job_name: MaybeName = None
    run_id: MaybeName = None
    run_link: Page = None
    run_status: MaybeName = None
    partition_name: MaybeName = None
    asset_key: MaybeName = None
    freshness_status: MaybeName = None


def read(delivery: Delivery) -> Sequence[Found]:
    """A job, check, freshness or materialization: failed, or right again."""
    body = Body.model_validate(delivery.body)
    if (body.is_sample or "").lower() == "true":
        return delivery.ignored("a sample, sent to try the webhook")
    said, kind = headline(body.alert_summary) or ({}, _ended(body))
    if kind is None:
        return delivery.ignored("its summary tells of no failure that is read here")
    return (_alert(delivery, body, kind, said),)


def _ended(body: Body) -> AlertKind | None:
    """What the tokens alone say of it."""
    status = _ENDS.get((body.run_status or "").upper())
    return status or _FRESH.get((body.freshness_status or "").upper())


def _alert(
    delivery: Delivery, body: Body, kind: AlertKind, said: Mapping[str, str | None]
) -> Alert:
    job = body.job_name or said.get("job")
    asset = body.asset_key or said.get("asset")
    check, partition = said.get("check"), body.partition_name
    return Alert(
        signal_key=delivery.key(),
        system=delivery.hook.system,
        connection=delivery.hook.connection,
        kind=kind,
        title=title(kind, job=job, asset=asset, check=check, partition=partition),
        job=job,
        run_id=body.run_id,
        asset=asset,
        check=check,
        partition=partition,
        deployment=body.deployment_name,
        url=body.run_link,
    )

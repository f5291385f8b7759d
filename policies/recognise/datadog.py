"""Notifications of Datadog's monitors: a headline with the group it is about, and a link to the monitor."""

import re

from policies.alert import Alert, AlertKind
from policies.recognise.reading import Recogniser, linked, opening
from policies.rules import AlertSender
from policies.signal import Signal

HOSTS = ("datadoghq.com", "datadoghq.eu", "ddog-gov.com")
_HEAD = re.compile(
    r"(?:(?P<bad>(?:Re-)?Triggered|Warn|No data)|(?P<good>Recovered|Resolved)): "
    r"(?:\[P\d\] )?(?P<name>[^\n]{1,300}?)(?: on (?P<tags>[\w.\-]{1,60}:[^\s]{1,300}))?(?:\n|$)",
    re.IGNORECASE,
)
_MONITOR = re.compile(r"/monitors/(?P<id>\d{1,20})")


def monitor(signal: Signal, sender: AlertSender) -> Alert | None:
    """`Triggered: [P2] Airflow task failures on env:prod,dag_id:orders_daily`."""
    head, page = opening(signal, _HEAD), linked(signal, _MONITOR)
    if head is None:
        return None
    group = head["tags"] or ""
    tags = dict(tag.split(":", 1) for tag in group.split(",") if ":" in tag)
    own = f"{page.id if page else head['name']}:{group}"
    return Alert(
        signal_key=signal.key,
        system=sender.system,
        connection=sender.connection,
        kind=AlertKind.CHECK_FAILED if head["bad"] else AlertKind.RESOLVED,
        title=f"{head['name']}" + (f" ({group})" if group else ""),
        job=tags.get("dag_id") or tags.get("dw_job"),
        op=tags.get("task_id"),
        asset=tags.get("asset"),
        url=page.url if page else None,
        extra={"monitor": own} | ({"monitor_id": page.id} if page else {}),
    )


RECOGNISERS: tuple[Recogniser, ...] = (monitor,)

"""Messages of PagerDuty's Slack app. An incident there names no run: service and title are all it tells."""

import re

from policies.alert import Alert, AlertKind
from policies.recognise.reading import Recogniser, captions, linked, opening
from policies.rules import AlertSender
from policies.signal import Signal

HOSTS = ("pagerduty.com",)
_HEAD = re.compile(
    r"(?:(?P<bad>Triggered|Reopened)|(?P<good>Resolved))\*?:? #(?P<number>\d{1,12}): (?P<what>[^\n]{1,300})"
)
_INCIDENT = re.compile(r"/incidents/(?P<id>[A-Z0-9]{6,40})")


def incident(signal: Signal, sender: AlertSender) -> Alert | None:
    """`Triggered #48213: Airflow scheduler heartbeat missing`."""
    head, told = opening(signal, _HEAD), captions(signal)
    page = linked(signal, _INCIDENT)
    if head is None:
        return None
    service, what = told.get("service"), head["what"].strip()
    extra = {"monitor": page.id if page else head["number"], "number": head["number"]}
    return Alert(
        signal_key=signal.key,
        system=sender.system,
        connection=sender.connection,
        kind=AlertKind.CHECK_FAILED if head["bad"] else AlertKind.RESOLVED,
        title=f"{service}: {what}" if service else what,
        url=page.url if page else None,
        extra=extra | ({"service": service} if service else {}),
    )


RECOGNISERS: tuple[Recogniser, ...] = (incident,)

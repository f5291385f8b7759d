"""Messages of Monte Carlo about one table. Their layout is not documented; the alert's address is stable."""

import re

from policies.alert import Alert, AlertKind
from policies.recognise.reading import Recogniser, linked, opening
from policies.rules import AlertSender
from policies.signal import Signal

HOSTS = ("getmontecarlo.com",)
_HEAD = re.compile(
    r"(?P<what>[A-Z][A-Za-z ]{1,40}?) (?:alert on |(?:anomaly|alert)\*?\n)`?(?P<table>[^\s`]{1,300}?)`?(?::? |$)"
)
_ALERT = re.compile(r"/(?:alerts|incidents)/(?P<id>[0-9a-f\-]{36})")
_LATE = "freshness"


def alert(signal: Signal, sender: AlertSender) -> Alert | None:
    """`Volume alert on prod:analytics.orders: Has 42 rows vs. 101 expected`."""
    head, page = opening(signal, _HEAD), linked(signal, _ALERT)
    if head is None:
        return None
    what, table = head["what"].lower(), head["table"]
    return Alert(
        signal_key=signal.key,
        system=sender.system,
        connection=sender.connection,
        kind=AlertKind.ASSET_STALE if _LATE in what else AlertKind.CHECK_FAILED,
        title=f"Monte Carlo: {what} on {table}",
        asset=table,
        url=page.url if page else None,
        extra={"monitor": page.id} if page else {},
    )


RECOGNISERS: tuple[Recogniser, ...] = (alert,)

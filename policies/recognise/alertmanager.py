"""Messages of Prometheus' Alertmanager in its default template: a headline, and a link to all alerts.

The template names no labels; what stands behind the name in brackets is what tells two alerts apart.
"""

import re

from policies.alert import Alert, AlertKind
from policies.recognise.reading import Recogniser, opening
from policies.rules import AlertSender
from policies.signal import Signal

#: `[FIRING:2] Name (labels)`, of Alertmanager and of Grafana; the bracket is decoration
HEAD = re.compile(
    r"(?:(?P<bad>FIRING)(?::(?P<count>\d{1,5}))?(?:, ?RESOLVED:\d{1,5})?|(?P<good>RESOLVED)(?::\d{1,5})?)\]"
    r" (?P<what>(?P<name>[\w.\-:]{1,200})[^\n]{0,300})"
)


def alertmanager(signal: Signal, sender: AlertSender) -> Alert | None:
    """`[FIRING:2] DagsterDaemonDown (dagster prod critical)`, and `[RESOLVED]` of the same."""
    head = opening(signal, HEAD)
    if head is None:
        return None
    counted = {"count": head["count"]} if head["count"] else {}
    return Alert(
        signal_key=signal.key,
        system=sender.system,
        connection=sender.connection,
        kind=AlertKind.CHECK_FAILED if head["bad"] else AlertKind.RESOLVED,
        title=f"{head['name']} {'is firing' if head['bad'] else 'is resolved'}",
        extra={"monitor": head["what"].strip(), **counted},
    )


RECOGNISERS: tuple[Recogniser, ...] = (alertmanager,)

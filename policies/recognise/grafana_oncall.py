"""Alert groups of Grafana OnCall: the same labels as Grafana's, under a number of its own."""

import re

from policies.alert import Alert
from policies.recognise.grafana import labelled
from policies.recognise.reading import Page, Recogniser, linked, opening
from policies.rules import AlertSender
from policies.signal import Signal

_GROUP = re.compile(r"/alert-groups/(?P<id>[\w\-]{1,64})")
_HEAD = re.compile(r"(?P<group>\d{1,10}) (?P<name>[^*\n]{1,200}?)\*? via ")
_STATUS = re.compile(r"^Status: (?:(?P<bad>firing)|(?P<good>resolved))\b", re.MULTILINE)


def group(signal: Signal, sender: AlertSender) -> Alert | None:
    """`#1432 DAGRunLate via prod-grafana`, with the status at the source."""
    head, page = opening(signal, _HEAD), linked(signal, _GROUP)
    statuses = (_STATUS.search(piece.value) for piece in signal.words)
    status = next((found for found in statuses if found), None)
    if head is None or status is None:
        return None
    own = Page(id=head["group"], url=page.url if page else None)
    return labelled(signal, sender, head["name"], own, bad=status["bad"] is not None)


RECOGNISERS: tuple[Recogniser, ...] = (group,)

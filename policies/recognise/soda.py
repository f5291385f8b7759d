"""Notifications of Soda Cloud. Their layout is not documented; the address of the check is what is stable."""

import re

from policies.alert import Alert, AlertKind
from policies.recognise.reading import Recogniser, fields, linked, opening
from policies.rules import AlertSender
from policies.signal import Signal

HOSTS = ("soda.io",)
_HEAD = re.compile(
    r"Check (?:(?P<bad>failed|warned)|(?P<good>passed|recovered))\*?:? (?P<name>[^\n]{1,200})"
)
_CHECK = re.compile(r"/checks/(?P<id>[\w\-]{1,64})")


def check(signal: Signal, sender: AlertSender) -> Alert | None:
    """`Check failed: No invalid amount`, with dataset and data source."""
    head, told = opening(signal, _HEAD), fields(signal)
    page = linked(signal, _CHECK)
    dataset = told.get("dataset")
    if head is None or dataset is None:
        return None
    name = (page.label if page else "") or head["name"]
    return Alert(
        signal_key=signal.key,
        system=sender.system,
        connection=sender.connection,
        kind=AlertKind.CHECK_FAILED if head["bad"] else AlertKind.RESOLVED,
        title=f"{name} {'failed' if head['bad'] else 'passed'} on {dataset}",
        asset=dataset,
        check=name,
        url=page.url if page else None,
        extra=({"monitor": page.id} if page else {})
        | ({"datasource": told["data source"]} if "data source" in told else {}),
    )


RECOGNISERS: tuple[Recogniser, ...] = (check,)

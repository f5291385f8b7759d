"""Notifications of DataHub Cloud about incidents and assertions. Their layout is not documented; the URN in the address is stable."""

import re

from policies.alert import Alert, AlertKind
from policies.recognise.reading import Recogniser, linked, opening
from policies.rules import AlertSender
from policies.signal import Signal

HOSTS = ("acryl.io",)
_HEAD = re.compile(
    r"(?:New )?(?P<what>Incident|Assertion)\*? (?:has |was |is |been )*"
    r"(?:(?P<bad>raised|reopened|failed|failing|errored)|(?P<good>resolved|passed|passing))\b\*?"
    r"(?: on `?(?P<table>[^\s`:]{1,300})`?)?(?:\*?:\*? (?P<name>[^\n]{1,200}))?",
    re.IGNORECASE,
)
_DATASET = re.compile(
    r"(?P<id>urn:li:dataset:\(urn:li:dataPlatform:[\w\-]{1,60},[^,()\s]{1,300},[A-Z_]{1,30}\))"
)


def notice(signal: Signal, sender: AlertSender) -> Alert | None:
    """`Incident raised on analytics.orders: Too few rows`, or the same of an assertion."""
    head, page = opening(signal, _HEAD), linked(signal, _DATASET)
    table = page.id.split(",")[1] if page else head and head["table"]
    if head is None or not table:
        return None
    name = (head["name"] or head["what"]).strip("*` ")
    return Alert(
        signal_key=signal.key,
        system=sender.system,
        connection=sender.connection,
        kind=AlertKind.CHECK_FAILED if head["bad"] else AlertKind.RESOLVED,
        title=f"DataHub: {name} on {table}",
        asset=table,
        check=name if head["what"].lower() == "assertion" and head["name"] else None,
        url=page.url if page else None,
        extra={"monitor": f"{page.id if page else table}:{name}"},
    )


RECOGNISERS: tuple[Recogniser, ...] = (notice,)

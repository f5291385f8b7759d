"""Messages of re_data: one table each, with how many anomalies, changed schemas and failed tests."""

import re

from policies.alert import Alert, AlertKind
from policies.recognise.reading import Recogniser, opening, openings
from policies.rules import AlertSender
from policies.signal import Signal

_TABLE = re.compile(r"Table: (?P<table>[\w.\-\"]{1,300})")
_COUNT = re.compile(r"(?P<count>\d{1,6}) (?P<what>anomalies|schema changes|failed tests)")
_GOOD = re.compile(r"All Good!")


def table(signal: Signal, sender: AlertSender) -> Alert | None:
    """`Table: analytics.orders` and its three counts."""
    head = opening(signal, _TABLE)
    if head is None:
        return None
    counts = {m["what"]: m["count"] for said in openings(signal) if (m := _COUNT.match(said))}
    bad = [f"{count} {what}" for what, count in counts.items() if int(count)]
    name = head["table"].replace('"', "")
    return Alert(
        signal_key=signal.key,
        system=sender.system,
        connection=sender.connection,
        kind=AlertKind.CHECK_FAILED if bad or not counts else AlertKind.RESOLVED,
        title=f"{', '.join(bad) or 'something is odd' if bad or not counts else 'all good'} on {name}",
        asset=name,
        extra={what.replace(" ", "_"): count for what, count in counts.items()},
    )


def good(signal: Signal, sender: AlertSender) -> Alert | None:
    """`All Good!`, sent for every run that found nothing."""
    if opening(signal, _GOOD) is None:
        return None
    return Alert(
        signal_key=signal.key,
        system=sender.system,
        connection=sender.connection,
        kind=AlertKind.SUCCESS,
        title="re_data found nothing",
    )


RECOGNISERS: tuple[Recogniser, ...] = (table, good)

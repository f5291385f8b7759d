"""Messages of OpenMetadata about data quality: one sentence for each result of a test case, good ones too.

It posts every change of what it catalogues. Only results of tests are read; whoever renamed a column is no trouble.
"""

import re

from policies.alert import Alert, AlertKind
from policies.recognise.reading import Recogniser, linked, opening
from policies.rules import AlertSender
from policies.signal import Signal

_RESULT = re.compile(
    r"Test Case \*?(?P<test>[^\n*]{1,200}?)\*? is "
    r"\*?(?:(?P<bad>Failed|Aborted)|(?P<good>Success))\*? in (?P<table>[^\s`]{1,300})"
)
_PAGE = re.compile(r"/(?:test-case|incident-manager|table)/(?P<id>[^/]{1,400})")


def test_case(signal: Signal, sender: AlertSender) -> Alert | None:
    """`Test Case *amount_not_null* is *Failed* in warehouse.prod.analytics.orders`."""
    result, page = opening(signal, _RESULT), linked(signal, _PAGE)
    if result is None:
        return None
    test, table = result["test"], result["table"]
    how = {"Failed": "failed", "Aborted": "could not be run", "Success": "passed"}
    status = result["bad"] or result["good"]
    return Alert(
        signal_key=signal.key,
        system=sender.system,
        connection=sender.connection,
        kind=AlertKind.CHECK_FAILED if result["bad"] else AlertKind.RESOLVED,
        title=f"{test} {how[status]} on {table}",
        asset=table,
        check=test,
        url=page.url if page else None,
        extra={"monitor": f"{table}:{test}", "status": status.lower()},
    )


RECOGNISERS: tuple[Recogniser, ...] = (test_case,)

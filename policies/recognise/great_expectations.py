"""Messages of Great Expectations' Slack action: one validation of one asset, good ones by default too."""

import re

from policies.alert import Alert, AlertKind
from policies.recognise.reading import Recogniser, fields, opening
from policies.rules import AlertSender
from policies.signal import Signal

_HEAD = re.compile(
    r"[^\n]{1,100}? - (?P<checkpoint>[^\n]{1,200}?) - (?:(?P<bad>Failure)|(?P<good>Success))\b"
)
_MET = re.compile(r"\*?(?P<met>\d{1,6})\*? of \*?(?P<evaluated>\d{1,6})\*? Expectations were met")
_GAP = re.compile(r"\s{2,}")


def checkpoint(signal: Signal, sender: AlertSender) -> Alert | None:
    """`notify - orders_checkpoint - Failure`, with asset, suite, and how many expectations were met."""
    head, told = opening(signal, _HEAD), fields(signal)
    if head is None or "asset" not in told:
        return None
    asset, suite = told["asset"].strip("` "), _GAP.split(told.get("expectation suite", ""))[0]
    met = _MET.search(told.get("summary", ""))
    kind = AlertKind.CHECK_FAILED if head["bad"] else AlertKind.RESOLVED
    says = f"{met['met']} of {met['evaluated']} expectations met" if met else "expectations not met"
    return Alert(
        signal_key=signal.key,
        system=sender.system,
        connection=sender.connection,
        kind=kind,
        title=f"{head['checkpoint']}: {says} on {asset}",
        asset=asset,
        check=suite or head["checkpoint"],
        extra={"checkpoint": head["checkpoint"], **(met.groupdict() if met else {})},
    )


RECOGNISERS: tuple[Recogniser, ...] = (checkpoint,)

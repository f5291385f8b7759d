"""Signal → alert, or the reason why it is none. Who posted decides what it is; words never do.

To add a source: one module with `RECOGNISERS`, and its row in `SYSTEMS`; a vendor's `HOSTS` in `VENDORS`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from policies.alert import Alert, Ignored
from policies.recognise import (
    airflow_callback,
    airflow_notifier,
    alertmanager,
    astro,
    dagster_plus,
    dagster_slack,
    datadog,
    datahub,
    dbt_cloud,
    elementary,
    grafana,
    grafana_oncall,
    great_expectations,
    monte_carlo,
    openmetadata,
    pagerduty,
    prefect_automation,
    re_data,
    soda,
)
from policies.recognise.origin import believed
from policies.recognise.reading import Recogniser
from policies.rules import AlertSender
from policies.signal import Sender, Signal

#: system of the sender → its recognisers in order; the first that fits counts
SYSTEMS: Mapping[str, tuple[Recogniser, ...]] = {
    "airflow": (*airflow_notifier.RECOGNISERS, *airflow_callback.RECOGNISERS),
    "astro": astro.RECOGNISERS,
    "dagster": dagster_slack.RECOGNISERS,
    "dagsterplus": dagster_plus.RECOGNISERS,
    "dbt_cloud": dbt_cloud.RECOGNISERS,
    "prefect": prefect_automation.RECOGNISERS,
    "elementary": elementary.RECOGNISERS,
    "great_expectations": great_expectations.RECOGNISERS,
    "soda": soda.RECOGNISERS,
    "re_data": re_data.RECOGNISERS,
    "monte_carlo": monte_carlo.RECOGNISERS,
    "datahub": datahub.RECOGNISERS,
    "openmetadata": openmetadata.RECOGNISERS,
    "grafana": grafana.RECOGNISERS,
    "grafana_oncall": grafana_oncall.RECOGNISERS,
    "alertmanager": alertmanager.RECOGNISERS,
    "datadog": datadog.RECOGNISERS,
    "pagerduty": pagerduty.RECOGNISERS,
}

#: systems whose pages are on hosts of their vendor: links to any other tell nothing
VENDORS: Mapping[str, tuple[str, ...]] = {
    "astro": astro.HOSTS,
    "dagsterplus": dagster_plus.HOSTS,
    "dbt_cloud": dbt_cloud.HOSTS,
    "soda": soda.HOSTS,
    "monte_carlo": monte_carlo.HOSTS,
    "datahub": datahub.HOSTS,
    "datadog": datadog.HOSTS,
    "pagerduty": pagerduty.HOSTS,
}

UNRECOGNISED = "unrecognised"
UNKNOWN = "unknown sender"
OURS = "our own message"
UNREADABLE = "nothing can read alerts of"
_NEW = (None, "bot_message")
_NOT_NEW = {
    "message_changed": "an edit, not a new message",
    "message_deleted": "a deletion, not a new message",
    "thread_broadcast": "a reply in a thread, not a new message",
}


def recognise(
    signal: Signal,
    senders: Sequence[AlertSender],
    own: Sender,
    homes: Mapping[str, str] | None = None,
) -> Alert | Ignored:
    """What this signal says, or why it is not an alert. Total: never raises, whatever the words are.

    `own` are the bot's own ids: what it posts is never an alert. `homes` are the hosts of connections.
    """
    sender = _known(signal.sender, senders)
    reason = _no_alert(signal, own, sender)
    if reason or sender is None:
        return _ignored(signal, reason or UNKNOWN, sender)
    if sender.system not in SYSTEMS:
        return _ignored(signal, f"{UNREADABLE} {sender.system} yet", sender)
    alert = _read(signal, sender, homes or {})
    return alert or _ignored(signal, UNRECOGNISED, sender)


def fitting(signal: Signal) -> Iterator[str]:
    """The systems whose alerts read like this one. A guess for a person to confirm; it opens nothing."""
    for system in SYSTEMS:
        if _read(signal, AlertSender(bot_id="-", system=system, connection="-"), {}):
            yield system


def _read(signal: Signal, sender: AlertSender, homes: Mapping[str, str]) -> Alert | None:
    home = homes.get(sender.connection)
    honest = believed(signal, VENDORS.get(sender.system, ()), home)
    found = (read(honest, sender) for read in SYSTEMS[sender.system])
    alert = next((alert for alert in found if alert), None)
    known = sender.assets.get((alert.asset if alert else None) or "")
    return replace(alert, asset=known) if alert and known else alert


def _no_alert(signal: Signal, own: Sender, sender: AlertSender | None) -> str | None:
    if _ours(signal.sender, own):
        return OURS
    if signal.subtype not in _NEW:
        return _NOT_NEW.get(signal.subtype or "", "a notice of the channel, not a message")
    if signal.thread_ts is not None and signal.thread_ts != signal.ts:
        return "a reply in a thread, not a new message"
    if signal.sender.bot_id is None and signal.sender.app_id is None:
        return "a person wrote it"
    return None if sender else UNKNOWN


def _ours(sender: Sender, own: Sender) -> bool:
    pairs = ((sender.bot_id, own.bot_id), (sender.app_id, own.app_id), (sender.user, own.user))
    return any(theirs is not None and theirs == mine for theirs, mine in pairs)


def _known(sender: Sender, senders: Sequence[AlertSender]) -> AlertSender | None:
    return next((known for known in senders if known.fits(sender)), None)


def _ignored(signal: Signal, reason: str, sender: AlertSender | None) -> Ignored:
    return Ignored(signal_key=signal.key, reason=reason, system=sender.system if sender else None)

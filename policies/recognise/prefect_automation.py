"""Messages of Prefect's automations, in the wording it offers. Their colour is the same for good and bad.

The last line quotes what the flow raised, so nothing is read from there on.
"""

import re

from policies.alert import Alert, AlertKind
from policies.recognise.reading import Recogniser, links, opening, title
from policies.rules import AlertSender
from policies.signal import Signal

_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_NAME = r"[^/\n`]{1,300}"
_SEEN = re.compile(
    rf"Flow run (?P<flow>{_NAME})/(?P<name>{_NAME}) observed in state `?(?P<state>[^`\n]{{1,100}}?)`?"
    rf" at [^\n]{{1,100}}\nFlow ID: (?P<flow_id>{_UUID})\nFlow run ID: (?P<run>{_UUID})(?=\n|$)"
    r"(?:\nFlow run URL: (?P<url>https?://\S{1,500}))?"
)
#: names of states as Prefect gives them; a name that a flow made up says nothing sure
_KINDS = {
    "Failed": AlertKind.RUN_FAILED,
    "Crashed": AlertKind.RUN_FAILED,
    "TimedOut": AlertKind.RUN_FAILED,
    "Late": AlertKind.RUN_SLOW,
    "Completed": AlertKind.SUCCESS,
}


def automation(signal: Signal, sender: AlertSender) -> Alert | None:
    """`Flow run orders-flow/amber-lynx observed in state …`: the flow is told, its deployment is not."""
    head = opening(signal, _SEEN)
    kind = _KINDS.get(head["state"]) if head else None
    if head is None or kind is None:
        return None
    late = f"A run of {head['flow']} is late: nobody takes it up"
    return Alert(
        signal_key=signal.key,
        system=sender.system,
        connection=sender.connection,
        kind=kind,
        title=late if kind is AlertKind.RUN_SLOW else title(kind, job=head["flow"], asset=None),
        job=head["flow"],
        run_id=head["run"],
        url=_page(signal, head["run"], head["url"]),
        extra={"flow_run": head["name"], "flow_id": head["flow_id"]},
    )


RECOGNISERS: tuple[Recogniser, ...] = (automation,)


def _page(signal: Signal, run_id: str, told: str | None) -> str | None:
    """The address of this very run: Slack makes a link of it, or leaves it as text."""
    known = [told or "", *(link.url for link in links(signal))]
    return next((url for url in known if url.endswith(f"/flow-run/{run_id}")), None)

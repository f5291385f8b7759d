"""Where the cause moved, and which troubles turned out to be one: the part of a receipt about that."""

from collections.abc import Sequence
from typing import Any

from policies import events as e
from policies.alert import Alert
from policies.figures import stamp

Plain = dict[str, Any]


def moved(entries: Sequence[e.Entry]) -> list[Plain]:
    """Each time the trouble turned out to have begun elsewhere: from what, to what, when, and why."""
    found: list[Plain] = []
    root: Alert | None = None
    for entry in entries:
        event = entry.event
        if isinstance(event, e.IncidentOpened):
            root = event.alert
        elif isinstance(event, e.AlertMatched) and event.root:
            at, was = stamp(entry.at), root.title if root else ""
            found.append({"at": at, "from": was, "to": event.alert.title, "because": event.because})
            root = event.alert
    return found


def joined(entries: Sequence[e.Entry]) -> Plain:
    """What it joined, what joined it, and what of the same cause went on beside it."""
    into = next((x for x in entries if isinstance(x.event, e.Joined)), None)
    event = into.event if into else None
    return {
        "into": event.into if isinstance(event, e.Joined) else None,
        "at": stamp(into.at) if into else None,
        "because": event.because if isinstance(event, e.Joined) else None,
        "took_in": [
            {**_other(x.event, x), "alerts": [alert.title for alert in x.event.alerts]}
            for x in entries
            if isinstance(x.event, e.TookIn)
        ],
        "linked": [_other(x.event, x) for x in entries if isinstance(x.event, e.Linked)],
    }


def _other(event: e.TookIn | e.Linked, entry: e.Entry) -> Plain:
    return {"incident": event.incident, "at": stamp(entry.at), "because": event.because}

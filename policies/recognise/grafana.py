"""Messages of Grafana's alerting in its default template.

A rule says which run or asset it watches by its labels: `dag_id`, `dw_job`, `task_id`, `asset`, `partition`.
"""

import re

from policies.alert import Alert, AlertKind
from policies.recognise.alertmanager import HEAD
from policies.recognise.reading import Page, Recogniser, linked, opening
from policies.rules import AlertSender
from policies.signal import Signal

_RULE = re.compile(r"/alerting/grafana/(?P<id>[\w\-]{1,64})/view")
_LABELS = re.compile(r"^(?:Group)?Labels:\n(?P<all>(?:[ \t]*- [^\n]*(?:\n|$)){1,60})", re.MULTILINE)
_LABEL = re.compile(r"- (?P<name>[A-Za-z_]\w{0,60})(?: =|:) (?P<value>[^\n]{1,200})")
_KEPT = ("env", "severity", "team")


def grafana(signal: Signal, sender: AlertSender) -> Alert | None:
    """`[FIRING:1] DAGRunLate …`: what it watches is read from the labels of its first alert."""
    head, page = opening(signal, HEAD), linked(signal, _RULE)
    if head is None:
        return None
    own = page or Page(id=head["what"].strip(), url=None)
    return labelled(signal, sender, head["name"], own, bad=head["bad"] is not None)


RECOGNISERS: tuple[Recogniser, ...] = (grafana,)


def labelled(signal: Signal, sender: AlertSender, name: str, own: Page, *, bad: bool) -> Alert:
    """What a rule of this name says of what its labels name."""
    labels = _labels(signal)
    job = labels.get("dag_id") or labels.get("dw_job")
    about = job or labels.get("asset")
    return Alert(
        signal_key=signal.key,
        system=sender.system,
        connection=sender.connection,
        kind=AlertKind.CHECK_FAILED if bad else AlertKind.RESOLVED,
        title=f"{name} {'is firing' if bad else 'is resolved'}"
        + (f" for {about}" if about else ""),
        job=job,
        op=labels.get("task_id"),
        asset=labels.get("asset"),
        partition=labels.get("partition"),
        url=own.url,
        extra={"monitor": own.id} | {key: labels[key] for key in _KEPT if key in labels},
    )


def _labels(signal: Signal) -> dict[str, str]:
    """The first list of labels; a list in somebody's annotation comes after it."""
    lists = (_LABELS.search(piece.value) for piece in signal.words)
    first = next((found["all"] for found in lists if found), "")
    return {one["name"]: one["value"].strip() for one in _LABEL.finditer(first)}

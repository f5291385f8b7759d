"""Alerts of Astro, Astronomer's managed Airflow. They name no Airflow run id, only when it started.

The id in their links is Astro's own; the run is found by its start, or by its end, to the second.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from urllib.parse import urlsplit

from policies.alert import Alert, AlertKind
from policies.recognise.reading import Recogniser, captions, links, opening, title
from policies.rules import AlertSender
from policies.signal import Signal

_NAME = r"[\w.\-]{1,250}"
_KINDS: tuple[tuple[re.Pattern[str], AlertKind], ...] = (
    (re.compile(rf"Pipeline failure detected on DAG (?P<dag>{_NAME})"), AlertKind.RUN_FAILED),
    (re.compile(rf"Pipeline success detected on DAG (?P<dag>{_NAME})"), AlertKind.SUCCESS),
    (
        re.compile(rf"Task failure detected on task (?P<task>{_NAME}) in DAG (?P<dag>{_NAME})"),
        AlertKind.OP_FAILED,
    ),
    (
        re.compile(rf"Task duration exceeded on task (?P<task>{_NAME}) in DAG (?P<dag>{_NAME})"),
        AlertKind.RUN_SLOW,
    ),
    (re.compile(rf"DAG duration exceeded on DAG (?P<dag>{_NAME})"), AlertKind.RUN_SLOW),
)
_TIMES = {"dag start time": "started_at", "dag fail time": "ended_at"}
HOSTS = ("cloud.astronomer.io",)
_DAGS = 1


def astro(signal: Signal, sender: AlertSender) -> Alert | None:
    """Any alert of a DAG or task: failed, slow, or right."""
    for pattern, kind in _KINDS:
        head = opening(signal, pattern)
        if head is not None:
            return _alert(signal, sender, kind, head.groupdict())
    return None


RECOGNISERS: tuple[Recogniser, ...] = (astro,)


def _alert(
    signal: Signal, sender: AlertSender, kind: AlertKind, said: Mapping[str, str | None]
) -> Alert:
    dag, op = said["dag"], said.get("task")
    told = captions(signal)
    place, url = _place(signal, dag)
    return Alert(
        signal_key=signal.key,
        system=sender.system,
        connection=sender.connection,
        kind=kind,
        title=title(kind, job=dag, asset=None, op=op),
        job=dag,
        op=op,
        step_keys=(op,) if op and kind is AlertKind.OP_FAILED else (),
        deployment=told.get("deployment"),
        url=url,
        extra=_times(told) | place,
    )


def _times(told: Mapping[str, str]) -> dict[str, str]:
    """`2026-11-30 02:00:03 UTC` in ISO 8601; a time in any other form is left out, not guessed."""
    found: dict[str, str] = {}
    for label, name in _TIMES.items():
        try:
            at = datetime.strptime(told.get(label, ""), "%Y-%m-%d %H:%M:%S UTC")  # noqa: DTZ007 - UTC is in the text
        except ValueError:
            continue
        found[name] = at.replace(tzinfo=UTC).isoformat()
    return found


def _place(signal: Signal, dag: str | None) -> tuple[dict[str, str], str | None]:
    """Workspace, deployment and Astro's id of the run, from `/<workspace>/dags/<deployment>/<dag>/<id>`."""
    for link in links(signal):
        try:
            address = urlsplit(link.url)
        except ValueError:
            continue
        parts = address.path.split("/")[1:]
        if address.hostname in HOSTS and parts[_DAGS : _DAGS + 1] == ["dags"] and dag in parts:
            names = ("workspace_id", "", "deployment_id", "", "astro_run_uuid")
            found = dict(zip(names, parts, strict=False))
            return {name: part for name, part in found.items() if name and part}, link.url
    return {}, None

"""Messages of callbacks that teams write into their DAGs: labelled fields under a headline.

There is no fixed layout, only habits; what is a retry, or anything but the end of a task or run, is
none of these.
"""

import re

from policies.alert import Alert, AlertKind
from policies.recognise.airflow_pages import RunPage, moment_text, run_page
from policies.recognise.reading import Recogniser, fields, opening, title
from policies.rules import AlertSender
from policies.run import within
from policies.signal import Signal

_TASK = re.compile(
    r"Task (?:has )?(?:(?P<bad>[Ff]ailed|[Ff]ailure)|(?P<good>[Ss]ucceeded|[Ss]uccess))\b"
)
_DAG = re.compile(
    r"DAG(?: run)? [*`]*(?P<dag>[\w.\-]{1,250})[*`]* "
    r"(?:has )?(?:(?P<bad>failed)|(?P<good>succeeded))\b"
    r"(?: \(run_id:? `?(?P<run>[^`)\s]{1,250})`?\))?",
    re.IGNORECASE,
)
_DATES = ("execution time", "execution date", "logical date")


def task(signal: Signal, sender: AlertSender) -> Alert | None:
    """`Task Failed.` with `*Task*:`, `*Dag*:` and mostly a link to the log; and its good twin."""
    head, told = opening(signal, _TASK), fields(signal)
    dag, name = told.get("dag"), told.get("task")
    if head is None or dag is None:
        return None
    page = run_page(signal, dag)
    kind = AlertKind.OP_FAILED if head["bad"] else AlertKind.SUCCESS
    op = name or (page.task if page else None)
    return Alert(
        signal_key=signal.key,
        system=sender.system,
        connection=sender.connection,
        kind=kind,
        title=title(kind, job=dag, asset=None, op=op or "a task"),
        job=dag,
        op=op,
        run_id=page.run_id if page else None,
        step_keys=(op,) if op and head["bad"] else (),
        url=page.url if page else None,
        extra=_date(told) | (dict(page.extra) if page else {}),
    )


def dag(signal: Signal, sender: AlertSender) -> Alert | None:
    """`DAG ml_features failed (run_id …)`, from a callback of the whole DAG."""
    head = opening(signal, _DAG)
    if head is None:
        return None
    page: RunPage | None = run_page(signal, head["dag"])
    kind = AlertKind.RUN_FAILED if head["bad"] else AlertKind.SUCCESS
    run_id = within(head["dag"], head["run"]) if head["run"] else page.run_id if page else None
    return Alert(
        signal_key=signal.key,
        system=sender.system,
        connection=sender.connection,
        kind=kind,
        title=title(kind, job=head["dag"], asset=None),
        job=head["dag"],
        run_id=run_id,
        url=page.url if page and page.run_id in (None, run_id) else None,
        extra=dict(page.extra) if page else {},
    )


RECOGNISERS: tuple[Recogniser, ...] = (task, dag)


def _date(told: dict[str, str]) -> dict[str, str]:
    """The logical date; callbacks print it in words of their own."""
    found = moment_text(next((told[name] for name in _DATES if name in told), None))
    return {"logical_date": found} if found else {}

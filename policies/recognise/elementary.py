"""Alerts of Elementary about dbt: a test that failed, a model that could not be built.

They come without text: a headline in a block, the details in an attachment.
"""

import re

from policies.alert import Alert, AlertKind
from policies.recognise.airflow_pages import run_page
from policies.recognise.reading import Recogniser, captions, opening, piped
from policies.rules import AlertSender
from policies.signal import Signal

_TEST = re.compile(
    r"(?:Failure|Warning|Error): \"(?P<test>[^\"\n]{1,200})\" test (?:failed|warned|errored) on "
    r"(?P<what>[^\s]{1,300})"
)
_MODEL = re.compile(r"Error: dbt failed to build \w{1,30} \"(?P<model>[^\"\n]{1,300})\"")
_JOB = re.compile(r"(?P<job>[\w.\-]{1,250})(?: \(via (?P<by>\w{1,30})\))?")


def test(signal: Signal, sender: AlertSender) -> Alert | None:
    """`"not_null" test failed on prod.analytics.orders.amount`; the table is told in the details."""
    head, told = opening(signal, _TEST), captions(signal)
    if head is None:
        return None
    table = told.get("table") or head["what"]
    return _alert(
        signal,
        sender,
        AlertKind.CHECK_FAILED,
        f"{head['test']} failed on {table}",
        asset=table,
        check=head["test"],
    )


def model(signal: Signal, sender: AlertSender) -> Alert | None:
    """`dbt failed to build table "orders"`."""
    head = opening(signal, _MODEL)
    if head is None:
        return None
    name = head["model"]
    return _alert(signal, sender, AlertKind.OP_FAILED, f"dbt could not build {name}", asset=name)


RECOGNISERS: tuple[Recogniser, ...] = (test, model)


def _alert(
    signal: Signal,
    sender: AlertSender,
    kind: AlertKind,
    title: str,
    *,
    asset: str,
    check: str | None = None,
) -> Alert:
    """Env, owner and column as they are told; the run only where the link is of the job that is named."""
    told = piped(signal) | captions(signal)
    job = _JOB.match(told.get("job", ""))
    page = run_page(signal, job["job"]) if job else None
    names = ("status", "env", "column", "path")
    return Alert(
        signal_key=signal.key,
        system=sender.system,
        connection=sender.connection,
        kind=kind,
        title=title,
        job=job["job"] if job else None,
        run_id=page.run_id if page else None,
        asset=asset,
        check=check,
        url=page.url if page else None,
        extra={name: told[name].strip("`") for name in names if name in told},
    )

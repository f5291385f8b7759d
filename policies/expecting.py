"""Runs that a schedule promises: which is missing, which came after all, and what needs no run."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from policies.alert import Alert, AlertKind
from policies.answers import moment, text
from policies.evidence import Json

Answer = Mapping[str, Json]


@dataclass(frozen=True, kw_only=True, slots=True)
class Promise:
    """A job whose run must come, what its system says of it, and the missing run told of before, if any."""

    connection: str
    kind: str
    job: str
    late_after: timedelta
    told: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """`missing`: when the run that is missing was due; `alert`: what people must hear now; `remark`: what is shown."""

    missing: str | None = None
    alert: Alert | None = None
    remark: str | None = None


def judge(promise: Promise, said: Answer, now: datetime) -> Judged:
    """What an answer to the probe `expected` amounts to.

    A run that was told of as missing stays so until the system says it came, or that none is due.
    """
    due, held = moment(said.get("due_at")), text(said.get("held"))
    late = due is not None and due + promise.late_after <= now
    if due is not None and late and held is None:
        return _missing(promise, due, said)
    remark = f"{promise.job}: {held}; no run is expected" if held else None
    if promise.told is None:
        return Judged(remark=remark)
    return Judged(alert=_came(promise, said, held), remark=remark)


def _missing(promise: Promise, due: datetime, said: Answer) -> Judged:
    key = due.isoformat()
    since = f"{due:%Y-%m-%d %H:%M} UTC"
    remark = f"{promise.job}: its run of {since} has not begun"
    if promise.told == key:
        return Judged(missing=key, remark=remark)
    title = f"{promise.job} did not start: a run was due at {since}"
    return Judged(
        missing=key, alert=_alert(promise, AlertKind.RUN_ABSENT, title, said), remark=remark
    )


def _came(promise: Promise, said: Answer, held: str | None) -> Alert:
    began = moment(said.get("began_at"))
    at = f" at {began:%Y-%m-%d %H:%M} UTC" if began else ""
    title = f"{promise.job} began after all{at}"
    if held:
        title = f"{promise.job} is not expected any more: {held}"
    return _alert(promise, AlertKind.RUN_CAME, title, said)


def _alert(promise: Promise, kind: AlertKind, title: str, said: Answer) -> Alert:
    due = promise.told if kind is AlertKind.RUN_CAME else text(said.get("due_at"))
    return Alert(
        signal_key=f"{kind.value}:{promise.connection}:{promise.job}:{due}",
        system=promise.kind,
        connection=promise.connection,
        kind=kind,
        title=title,
        job=promise.job,
        partition=text(said.get("partition")) if kind is AlertKind.RUN_ABSENT else None,
        url=text(said.get("url")),
        extra={"due_at": due} if due else {},
    )

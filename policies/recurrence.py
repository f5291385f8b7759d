"""The same error again: what makes two failures the same error, and how often it came lately."""

from dataclasses import dataclass
from datetime import timedelta

from policies.alert import Alert
from policies.run import ANONYMOUS_JOB, label_of

#: how far back the times are counted
LOOKED_BACK = timedelta(days=30)


@dataclass(frozen=True, kw_only=True, slots=True)
class Recurrence:
    """How often the same error came in the last `days`, this time included.

    `last` is the newest earlier incident of it and `ended` how that one ended, None while it is open;
    `before` are those before it, the newest first.
    """

    times: int
    days: int = LOOKED_BACK.days
    last: str | None = None
    ended: str | None = None
    before: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Occasion:
    """One time that an error came: `error` is the same for each of them, `occasion` names this one."""

    error: str
    occasion: str


def occasion_of(alert: Alert) -> Occasion | None:
    """None for good news, and for what names neither a job nor an asset."""
    error = error_of(alert)
    if error is None or not alert.kind.opens():
        return None
    run = alert.run_id or alert.run_id_short
    ended = alert.extra.get("ended_at")  # a run that is cleared may fail again
    episode = f"{label_of(run)}@{ended}" if run and ended else label_of(run or "")
    return Occasion(error=error, occasion=episode or alert.signal_key)


def error_of(alert: Alert) -> str | None:
    """What stays the same from one day to the next: where it is, what is in trouble, and in which way."""
    job = alert.job if alert.job != ANONYMOUS_JOB else None
    if alert.asset is None and job is None:
        return None
    about = (alert.asset, alert.check) if alert.asset else (job, alert.op)
    return ":".join([alert.connection, alert.kind.value, *(part or "-" for part in about)])

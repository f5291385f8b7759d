"""Looks for failed runs that no message told of, a bounded number of requests a look."""

from datetime import datetime, timedelta

import structlog

from bot.commands import Polled, Received
from bot.outbox import intake_due
from bot.ports import Due, NewDue
from bot.worker.context import Context
from policies.alert import Alert, AlertKind
from policies.run import Run

log = structlog.get_logger("polling")
#: a run may be updated a little before it can be read; seen twice it is one signal
_OVERLAP = timedelta(minutes=2)


def first_looks(connections: list[str], now: datetime) -> tuple[NewDue, ...]:
    """One row per orchestrator, looking back from now on; an existing row keeps its watermark."""
    return tuple(_look(name, now, now) for name in connections)


async def poll(context: Context, due: Due) -> None:
    """One look at one orchestrator; what it finds is stored like anything else that arrives."""
    name = due.payload["connection"]
    system = context.systems.orchestrators.get(name)
    every = context.rules.poll_every
    if system is None or every is None:
        return await context.store.finish(due)
    now = context.now()
    since = datetime.fromisoformat(due.payload["since"])
    runs = await system.runs_since(since - _OVERLAP, failed_only=True)
    for run in runs:
        await _receive(context, run)
    await context.store.finish(due, (_look(name, now + every, now),))
    return None


async def _receive(context: Context, run: Run) -> None:
    now = context.now()
    ended = f":{run.ended_at.isoformat()}" if run.ended_at else ""  # a cleared run may fail again
    key = f"poll:{run.connection}:{run.id}{ended}"
    item = Received(key=key, command=Polled(alert=_alert(run, key, context)), raw="", at=now)
    if await context.store.receive(item, intake_due(item)):
        log.info("failed_run_found", connection=run.connection, run=run.id)


def _alert(run: Run, key: str, context: Context) -> Alert:
    return Alert(
        signal_key=key,
        system=context.rules.connections[run.connection].kind,
        connection=run.connection,
        kind=AlertKind.RUN_FAILED,
        title=f"{run.job} failed" + (f" for {run.partition}" if run.partition else ""),
        job=run.job,
        run_id=run.id,
        partition=run.partition,
        url=run.url,
        extra=_when(run),
    )


def _when(run: Run) -> dict[str, str]:
    """What an alert without a run id may know it by."""
    told = {"started_at": run.started_at, "ended_at": run.ended_at}
    found = {name: at.isoformat() for name, at in told.items() if at}
    logical = run.tags.get("logical_date")
    return found | ({"logical_date": logical} if logical else {})


def _look(connection: str, at: datetime, since: datetime) -> NewDue:
    return NewDue(
        kind="poll",
        key=f"poll:{connection}",
        at=at,
        payload={"connection": connection, "since": since.isoformat()},
    )

"""Looks for failed runs that no message told of, a bounded number of requests a look.

One row per connection is due again and again, so one look at a time is under way however many replicas
there are; a look ends before the lease of its row does.
"""

import asyncio
from datetime import datetime, timedelta

import structlog

from bot.commands import Polled, Received
from bot.outbox import intake_due
from bot.ports import Due, NewDue
from bot.worker import expecting
from bot.worker.context import Context
from bot.worker.reading import failures
from connectors.base import Orchestrator
from connectors.errors import ConnectorError, Throttled
from policies import sight as sights
from policies.alert import Alert, AlertKind
from policies.run import Run
from policies.sight import Seen, Sight

log = structlog.get_logger("polling")
_OF_THE_LEASE = 0.75
_SOON = timedelta(seconds=5)


def first_looks(connections: list[str], now: datetime) -> tuple[NewDue, ...]:
    """One row per orchestrator, looking back from now on; an existing row and its watermark stay."""
    return tuple(_look(name, now, now) for name in connections)


async def poll(context: Context, due: Due) -> None:
    """One look at one orchestrator; what it finds is stored like anything else that arrives."""
    name = due.payload["connection"]
    system, every = context.systems.orchestrators.get(name), context.rules.poll_every
    if system is None or every is None:
        return await context.store.finish(due)
    known = (await context.store.sights()).get(name)
    began = known or sights.first(name, datetime.fromisoformat(due.payload["since"]))
    if began.failures:  # also when no look ever ends
        await context.store.add(_news(context, began))
    sight = sights.begun(began, context.now())
    await context.store.saw(sight)
    after, asked_for = await _looked(context, system, sight)
    await context.store.saw(after)
    wait = sights.pause(after.failures, every, asked_for)
    at = context.now() + (min(wait, _SOON) if after.behind else wait)
    return await context.store.finish(due, (_look(name, at, after.since), *_news(context, after)))


async def _looked(context: Context, system: Orchestrator, sight: Sight) -> tuple[Sight, float]:
    """How the look went, and the seconds the other side asks to wait."""
    patience = context.pace.lease.total_seconds() * _OF_THE_LEASE
    try:
        async with asyncio.timeout(patience):
            seen = await _seen(context, system, sight)
    except Throttled as problem:
        return _failed(sight, str(problem)), problem.retry_after
    except ConnectorError as problem:
        return _failed(sight, str(problem)), 0
    except TimeoutError:
        return _failed(sight, f"a look took longer than {patience:g} s and was broken off"), 0
    return seen, 0


def _failed(sight: Sight, problem: str) -> Sight:
    log.warning("look_failed", connection=sight.connection, times=sight.failures, problem=problem)
    return sights.failed(sight, problem)


async def _seen(context: Context, system: Orchestrator, sight: Sight) -> Sight:
    runs, until = await failures(system, sight, context.now())
    for run in runs:
        await _receive(context, run)
    if until is not None:
        log.warning("behind", connection=sight.connection, read_to=until.isoformat())
        return sights.stepped(sight, until)
    missing, remarks = await expecting.look(context, sight)
    ends = tuple(run.ended_at for run in runs if run.ended_at)
    seen = Seen(ends=ends, missing=missing, remarks=remarks)
    return sights.answered(sight, seen, context.now())


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
    """What an alert without a run id may know it by, and what it has in common with others."""
    told = {"started_at": run.started_at, "ended_at": run.ended_at}
    found = {name: at.isoformat() for name, at in told.items() if at}
    logical = run.tags.get("logical_date")
    found |= {"backfill": run.backfill} if run.backfill else {}
    return found | ({"logical_date": logical} if logical else {})


def _news(context: Context, sight: Sight) -> tuple[NewDue, ...]:
    """The wish to say that it is blind, how far it has read, or that it sees again; none when that is said."""
    now = context.now()
    blind = sight.blind(now, context.rules.blind_after)
    noted = sight.note is not None
    news = noted if sight.behind else blind != noted and (blind or not sight.failures)
    if not news:
        return ()
    about = {"connection": sight.connection}
    return (NewDue(kind="notice", key=f"notice:{sight.connection}", at=now, payload=about),)


def _look(connection: str, at: datetime, since: datetime) -> NewDue:
    return NewDue(
        kind="poll",
        key=f"poll:{connection}",
        at=at,
        payload={"connection": connection, "since": since.isoformat()},
    )

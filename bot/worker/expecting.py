"""Looks whether the runs that dw.yml expects have come. What is missing is stored like any other alert."""

from collections.abc import Mapping
from datetime import timedelta

import structlog

from bot.commands import Polled, Received
from bot.outbox import intake_due
from bot.worker.context import Context
from connectors.errors import Final
from policies.alert import Alert, AlertKind
from policies.evidence import Probe
from policies.expecting import Judged, Promise, judge
from policies.sight import Sight

log = structlog.get_logger("expecting")
_FAILURES_FIRST = timedelta(seconds=10)


async def look(context: Context, sight: Sight) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """What is missing now (job → when it was due), and remarks for people. Raises what passes by itself."""
    connection = context.rules.connections[sight.connection]
    missing: dict[str, str] = {}
    remarks: list[str] = []
    for job, rule in connection.expected.items():
        promise = Promise(
            connection=sight.connection,
            kind=connection.kind,
            job=job,
            late_after=rule.late_after,
            told=sight.missing.get(job),
        )
        judged = await _judged(context, promise)
        if judged.alert is not None:
            await _receive(context, judged.alert)
        missing |= {job: judged.missing} if judged.missing else {}
        remarks += [judged.remark] if judged.remark else []
    return missing, tuple(remarks)


async def _judged(context: Context, promise: Promise) -> Judged:
    """One job that can't be asked about does not blind the rest."""
    reader = context.systems.readers[promise.connection]
    asked = {"job": promise.job, "at": context.now().isoformat()}
    probe = Probe(connection=promise.connection, name="expected", params=asked)
    try:
        found = await reader.read(probe, evidence_id="E0", now=context.now())
    except Final as problem:
        return Judged(missing=promise.told, remark=f"{promise.job}: {problem}")
    return judge(promise, found.value, context.now())


async def _receive(context: Context, alert: Alert) -> None:
    now = context.now()
    came = alert.kind is AlertKind.RUN_CAME  # if it failed at once, that is taken up first
    at = now + _FAILURES_FIRST if came else now
    item = Received(key=alert.signal_key, command=Polled(alert=alert), raw="", at=at)
    if await context.store.receive(item, intake_due(item)):
        log.info("expected_run", kind=alert.kind.value, job=alert.job)

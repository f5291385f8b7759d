"""What was stored before its ack is taken up here: alerts open or join incidents, clicks are weighed."""

from dataclasses import replace
from datetime import timedelta

import structlog

from bot.commands import (
    Answer,
    AskQuestion,
    BindSender,
    Decide,
    HandOn,
    Keep,
    MarkDone,
    Order,
    Polled,
    ReceiveSignal,
    Revoke,
    SetLevel,
    Stored,
    Told,
)
from bot.outbox import show
from bot.ports import Change, Due, NewDue, StaleIncident
from bot.worker import sourcing
from bot.worker.context import Context
from bot.worker.correlating import attach, first_look, recurrence
from bot.worker.deciding import decide
from bot.worker.handing import hand_on
from bot.worker.levelling import set_level
from bot.worker.marking import ask_question, mark_done
from bot.worker.matching import match
from bot.worker.observing import observed
from bot.worker.replying import reply_row
from bot.worker.revoking import revoke
from policies import correlation
from policies.alert import Alert, AlertKind, Ignored
from policies.autonomy.levels import EVERY, in_force
from policies.events import IncidentOpened
from policies.incident import Phase
from policies.lifecycle import open_incident
from policies.recurrence import occasion_of

log = structlog.get_logger("intake")

_LOOKED_INTO = (Phase.OPEN, Phase.DIAGNOSED)
_PATIENCE = timedelta(seconds=30)
_LOOK_AGAIN = 1.0
_NEIGHBOURS = 50


async def intake(context: Context, due: Due) -> None:
    """Take up one stored command. The row is finished in the transaction of what it causes."""
    item = await context.store.received(due.payload["inbox"])
    if item is None:
        raise StaleIncident(f"{due.payload['inbox']} is not in the inbox yet")
    await _take_up(context, due, item.command)


async def _take_up(context: Context, due: Due, command: Stored) -> None:
    match command:
        case ReceiveSignal(signal=signal):
            found = await sourcing.read(context, signal)
            also = sourcing.counted(context, signal, found)
            await _alert(context, due, found, signal.channel, also)
        case Polled(alert=alert) | Told(alert=alert):
            await _alert(context, due, alert, None)
        case Answer():
            await _answer(context, due, command)
        case Order():  # carried out before its ack; it is kept so that it is not carried out again
            await context.store.finish(due)
        case Keep(why=why):
            log.warning("kept_unread", key=due.key, why=why)
            await context.store.finish(due)
        case _:
            await _said(context, due, command)


async def _said(
    context: Context,
    due: Due,
    command: Decide | Revoke | AskQuestion | HandOn | MarkDone | SetLevel | BindSender,
) -> None:
    """What a person said by tapping."""
    match command:
        case Decide():
            await decide(context, due, command)
        case Revoke():
            await revoke(context, due, command)
        case AskQuestion():
            await ask_question(context, due, command)
        case HandOn():
            await hand_on(context, due, command)
        case MarkDone():
            await mark_done(context, due, command)
        case SetLevel():
            await set_level(context, due, command)
        case BindSender():
            await sourcing.bind(context, due, command)


async def _alert(
    context: Context,
    due: Due,
    found: Alert | Ignored,
    channel: str | None,
    also: tuple[NewDue, ...] = (),
) -> None:
    if isinstance(found, Ignored):
        log.info("signal_ignored", reason=found.reason, system=found.system)
        return await context.store.finish(due, also)
    context.metrics.alerts.labels(system=found.system).inc()
    async with context.alerts:
        await _one_trouble(context, due, found, channel, also)
    return None


async def _one_trouble(
    context: Context, due: Due, found: Alert, channel: str | None, also: tuple[NewDue, ...]
) -> None:
    # asked first: a trouble whose reach is stored between the two is found by the match
    uncertain = await _may_join(context, found, channel)
    known = await match(context, found)
    if known is not None:
        return await attach(context, due, found, known, also)
    if not found.kind.opens(warnings=_warnings(context, found)):
        return await _opens_nothing(context, due, found, also)
    if uncertain:
        return await context.store.again(due, context.later(_LOOK_AGAIN))
    return await _open(context, due, found, channel, also)


async def _opens_nothing(
    context: Context, due: Due, found: Alert, also: tuple[NewDue, ...]
) -> None:
    """An all-clear may overtake what it clears: it is looked at once more before it is let go."""
    if found.kind is AlertKind.RESOLVED and "early" not in due.payload:
        once_more = replace(_same_row(due), at=context.now() + _PATIENCE)
        return await context.store.finish(due, (once_more,))
    log.info("opens_nothing", kind=found.kind.value, title=found.title)
    return await context.store.finish(due, also)


def _same_row(due: Due) -> NewDue:
    return NewDue(
        kind=due.kind,
        key=due.key,
        at=due.at,
        lane=due.lane,
        incident_id=due.incident_id,
        payload={**due.payload, "early": True},
    )


def _warnings(context: Context, alert: Alert) -> bool:
    """Whether dw.yml wants incidents for mere warnings there."""
    connection = context.rules.connections.get(alert.connection)
    return connection is not None and connection.warnings


async def _may_join(context: Context, alert: Alert, channel: str | None) -> bool:
    """A trouble of this domain is being looked into: once its reach is known this alert may be of it."""
    domain = _domain(context, alert, channel)
    since = context.now() - _PATIENCE
    lines = await context.store.incidents(open_only=True, limit=_NEIGHBOURS)
    return any(
        line.domain == domain and line.phase in _LOOKED_INTO and line.opened_at > since
        for line in lines
    )


async def _open(
    context: Context, due: Due, alert: Alert, channel: str | None, also: tuple[NewDue, ...]
) -> None:
    domain = _domain(context, alert, channel)
    if domain is None:
        log.warning("alert_without_domain", title=alert.title, channel=channel)
        return await context.store.finish(due, also)
    rule = context.rules.domains[domain]
    level = in_force(await context.store.levels(), domain, EVERY, rule.level).level
    event = IncidentOpened(
        alert=alert,
        domain=domain,
        level=level,
        channel=channel or rule.channels[0],
        again=await recurrence(context, alert),
    )
    incident_id = await context.store.next_id()
    now = context.now()
    opened = open_incident(incident_id, event, now)
    facts = observed(context, opened, None, level) if level == "L0" else ()
    change = Change(
        incident_id=incident_id,
        base=0,
        at=now,
        events=(event, *facts),
        keys=(*correlation.keys(alert), *correlation.error_keys(alert)),
        due=(first_look(context, incident_id, level), show(incident_id, "card", now), *also),
        occasion=occasion_of(alert),
        done=due,
    )
    await context.store.commit(change)
    log.info("incident_opened", incident=incident_id, title=alert.title, domain=domain)
    return None


def _domain(context: Context, alert: Alert, channel: str | None) -> str | None:
    """By asset or job; else the domain that talks in the channel where the alert stood."""
    named = context.rules.domain_of(alert.asset, alert.job)
    if named is not None:
        return named
    here = [key for key, rule in context.rules.domains.items() if channel in rule.channels]
    return here[0] if here else next(iter(context.rules.domains), None)


async def _answer(context: Context, due: Due, command: Answer) -> None:
    """What was asked for is done here; the words go out by a row of their own, as often as it takes."""
    text = await context.answerer.answer(command)
    await context.store.finish(due, (reply_row(command, text, context.now()),))

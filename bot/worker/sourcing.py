"""Who posts alerts: each message is counted with what became of it, and an admin's word binds a sender.

A message that nobody could place is kept: once its sender is bound, those of the last hour are read again.
"""

from collections.abc import Sequence
from datetime import timedelta

import structlog

from bot.commands import BindSender, Received, ReceiveSignal
from bot.outbox import intake_due
from bot.ports import Due, Lane, NewDue
from bot.worker.context import Context
from bot.worker.telling import whisper, whispers
from policies import sources
from policies.alert import Alert, Ignored
from policies.events import AlertMatched, IncidentOpened
from policies.recognise import OURS, fitting, recognise
from policies.recognise.origin import homes
from policies.signal import Signal

log = structlog.get_logger("sourcing")

#: how far back a sender's messages are read again once it is bound
_READ_AGAIN = timedelta(hours=1)


async def read(context: Context, signal: Signal) -> Alert | Ignored:
    """What a signal says, by who is known now: dw.yml, and what admins said since."""
    known = sources.senders(context.rules, await context.store.bindings())
    addresses = {name: one.url for name, one in context.rules.connections.items()}
    return recognise(signal, known, context.own, homes(addresses))


def counted(context: Context, signal: Signal, found: Alert | Ignored) -> tuple[NewDue, ...]:
    """The row that counts this message, to be written with what else comes of it."""
    if isinstance(found, Ignored) and found.reason == OURS:
        return ()
    if sources.seen(signal, found) is None:
        return ()
    key, inbox = f"sighting:{signal.key}", {"inbox": signal.key}
    return (NewDue(kind="sighting", key=key, at=context.now(), lane=Lane.NOISE, payload=inbox),)


async def sighting(context: Context, due: Due) -> None:
    """Count one message of an app."""
    item = await context.store.received(due.payload["inbox"])
    if item is None or not isinstance(item.command, ReceiveSignal):
        return await context.store.finish(due)
    signal = item.command.signal
    found = await read(context, signal)
    unknown = sources.outcome(found) == "unknown"
    seen = sources.seen(signal, found, tuple(fitting(signal)) if unknown else ())
    if seen is None:
        return await context.store.finish(due)
    context.metrics.signals.labels(outcome=seen.outcome).inc()
    return await context.store.sighted(seen, due)


async def bind(context: Context, due: Due, command: BindSender) -> None:
    """Weigh one confirmed wish. The person's right is looked up now; whatever comes of it, they are told."""
    wish = sources.Wish(
        sender=command.sender,
        person=command.person,
        system=command.system,
        connection=command.connection,
    )
    person = await context.directory.person(command.person, fresh=True)
    bindings, heard = await context.store.bindings(), await context.store.sightings()
    why = sources.refusal(context.rules, person, wish, bindings, heard)
    if why is not None:
        log.warning("binding_refused", person=command.person, sender=command.sender, why=why)
        return await whisper(context, due, command, f"Nothing was changed: {why}.")
    again = await _unread(context, command) if command.system else ()
    rows = (*map(intake_due, again), *whispers(context, command, _words(command, len(again))))
    binding = _binding(context, wish, bindings, heard)
    await context.store.bind(binding, done=due, due=rows)
    log.info("sender_bound", sender=wish.sender, system=wish.system, by=wish.person)
    return None


def _binding(
    context: Context,
    wish: sources.Wish,
    bindings: Sequence[sources.Binding],
    heard: Sequence[sources.Sighting],
) -> sources.Binding:
    everybody: list[sources.Sighting | sources.Binding] = [*heard, *bindings]
    ids = next((one for one in everybody if one.sender == wish.sender), None)
    return sources.Binding(
        number=max((one.number for one in bindings), default=0) + 1,
        sender=wish.sender,
        bot_id=ids.bot_id if ids else None,
        app_id=ids.app_id if ids else None,
        system=wish.system,
        connection=wish.connection,
        by=wish.person,
        at=context.now(),
    )


async def _unread(context: Context, command: BindSender) -> Sequence[Received]:
    """What this sender posted lately and what never became an alert."""
    since = context.now() - _READ_AGAIN
    kinds = (IncidentOpened, AlertMatched)
    facts = [fact for kind in kinds for fact in await context.store.facts(kind.__name__, since)]
    taken = {entry.event.alert.signal_key for _, entry in facts if isinstance(entry.event, kinds)}
    found = await context.store.signals_of(command.sender, since)
    return [item for item in found if item.key not in taken]


def _words(command: BindSender, again: int) -> str:
    if command.system is None:
        return f"Done: {command.sender} is bound to nothing any more. What it posts is kept and counted, and opens nothing."
    read_again = f" {again} of its messages of the last hour are read again now." if again else ""
    return (
        f"Done: what {command.sender} posts is read as alerts of {command.system}, about the connection "
        f"{command.connection}.{read_again} `/dw sources` shows it, and takes it back."
    )

"""An admin's word on a level becomes an entry with a receipt, and a bad outcome takes one away.

Either is told in the channel of its domain: whoever works there must not find out by a run.
"""

from dataclasses import replace

import structlog

from bot.commands import SetLevel
from bot.ports import Due, Lane, NewDue
from bot.worker.context import Context
from bot.worker.telling import whisper, whispers
from policies import events as e
from policies.autonomy import setting
from policies.autonomy.levels import (
    BOT,
    EVERY,
    PROPOSE,
    Level,
    LevelEntry,
    body,
    in_force,
    level_of,
    named,
)
from policies.autonomy.record import fallen
from policies.incident import Incident
from policies.receipt import seal

log = structlog.get_logger("levelling")


async def set_level(context: Context, due: Due, command: SetLevel) -> None:
    """Weigh one confirmed wish. The person's right is looked up now; whatever comes of it, they are told."""
    ask = setting.Ask(
        domain=command.domain,
        change_class=command.change_class,
        level=command.level,
        person=command.person,
        reason=command.reason,
    )
    person = await context.directory.person(command.person, fresh=True)
    why = setting.refusal(context.rules, person, ask)
    if why is not None:
        log.warning("level_refused", person=command.person, level=command.level, why=why)
        return await whisper(context, due, command, f"Nothing was changed: {why}.")
    entries = await context.store.levels()
    before = setting.now_in_force(entries, context.rules, ask).level
    if before == command.level:
        return await whisper(context, due, command, f"Nothing was changed: it is {before} already.")
    entry, counts = setting.entry_of(entries, context.rules, ask, context.now())
    if counts:
        return await _change(context, due, command, entry, before)
    words = (
        f"Your wish is stored and nothing is raised yet: {command.level} takes "
        f"{setting.needed(context.rules, command.level)} admins. Within a day another one types "
        f"`/dw autonomy set {command.domain} {command.change_class} {command.level}`."
    )
    rows = (*whispers(context, command, words), told(context, entry, before))
    return await context.store.set_level(entry, None, done=due, due=rows)


async def _change(
    context: Context, due: Due, command: SetLevel, entry: LevelEntry, before: Level
) -> None:
    number, previous = await context.store.head()
    about = named(entry.domain, entry.change_class)
    sealed = seal(number + 1, about, previous, body(entry, before))
    numbered = replace(entry, receipt=sealed.number)
    what = (
        entry.domain if entry.change_class == EVERY else f"{entry.change_class} in {entry.domain}"
    )
    words = f"Done: {what} was {before} and is {entry.level} now. Receipt {sealed.number} holds who and why."
    rows = (
        *whispers(context, command, words),
        told(context, numbered, before),
        NewDue(kind="anchor", key="anchor", at=context.now(), payload={}),
    )
    await context.store.set_level(numbered, sealed, done=due, due=rows)
    log.info("level_set", about=about, level=entry.level, was=before, by=list(entry.by))


def told(context: Context, entry: LevelEntry, was: str) -> NewDue:
    """The wish to tell the domain's channel."""
    return NewDue(
        kind="level",
        key=f"level:{entry.number}",
        at=context.now(),
        lane=Lane.STATUS,
        payload={"number": entry.number, "was": was},
    )


async def tell(context: Context, due: Due) -> None:
    """Tell the first channel of the domain; nothing where dw.yml has no such domain any more."""
    entries = {entry.number: entry for entry in await context.store.levels()}
    entry = entries.get(due.payload["number"])
    domain = context.rules.domains.get(entry.domain) if entry else None
    if entry is not None and domain is not None:
        was = level_of(due.payload["was"])
        await context.announcer.tell_level(domain.channels[0], entry, was)
    await context.store.finish(due)


async def lowered(
    context: Context, incident: Incident, receipt: int
) -> tuple[list[LevelEntry], list[e.Event]]:
    """What takes a class back to L2 because it ended badly here, as entries and as facts of the incident.

    `receipt` is the number of the incident's own: it holds the reason.
    """
    if incident.domain not in context.rules.domains:
        return [], []  # a domain that is gone has no level to lose
    known, start = await context.store.levels(), context.domain(incident).level
    entries: list[LevelEntry] = []
    facts: list[e.Event] = []
    for name, why in fallen(incident).items():
        was = in_force(known, incident.domain, name, start)
        if was.rank <= PROPOSE:
            continue
        entry = LevelEntry(
            number=len(known) + len(entries) + 1,
            domain=incident.domain,
            change_class=name,
            level="L2",
            by=(BOT,),
            at=context.now(),
            reason=f"{incident.id}: {why}",
            receipt=receipt,
        )
        entries.append(entry)
        facts.append(e.LevelLowered(change_class=name, was=was.level, level="L2", why=why))
        log.warning("level_lowered", change_class=name, was=was.level, why=why)
    return entries, facts

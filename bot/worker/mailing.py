"""Sends the email beside requests: a second way to the same question, never the only one.

What waits for the same person with the same question is one email that lists each. Which requests were in
which email is kept, so that whoever was told is not told again after a crash, and a reminder finds its thread.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from bot.batches import MOST, waiting_together
from bot.ports import (
    ASKED,
    REMINDER,
    Due,
    Letter,
    LetterKind,
    Mailed,
    NewDue,
    Postman,
    RetryAfter,
    Undeliverable,
)
from bot.worker.context import Context
from policies import events as e
from policies.batch import Member, group_of
from policies.incident import RequestState
from policies.people import Person

log = structlog.get_logger("mailing")
TRIES = 8
"""How often a server that says "later" is asked before people are told."""
APART = timedelta(seconds=60)
"""Between two emails that ask the same person the same: in a storm they come in lists, not one by one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """What waits, what of it no email of this kind has said yet, and the emails that were."""

    members: tuple[Member, ...]
    news: tuple[Member, ...]
    before: tuple[Mailed, ...]
    kind: LetterKind


async def mail(context: Context, due: Due) -> None:
    """Send one, while something in it still waits. What can't be delivered is said in the thread."""
    found = await _found(context, due)
    if context.postman is None or found is None or not found.news:
        return await context.store.finish(due)
    free = max((x.at + APART for x in found.before if x.kind == found.kind), default=context.now())
    if context.now() < free:
        return await context.store.again(due, free)
    try:
        listed = await _sent(context, context.postman, due, found)
    except Undeliverable as refusal:
        return await _told(context, due, found, str(refusal))
    except RetryAfter as later:
        if due.attempts >= TRIES:
            return await _told(context, due, found, str(later))
        wait = context.later(later.seconds * due.attempts)
        return await context.store.again(due, wait, error=str(later))
    left = len([one for one in found.news if one not in listed])
    return await context.store.finish(due, (_once_more(context, due),) if left else ())


async def _found(context: Context, due: Due) -> Found | None:
    incident = await context.incident(due)
    about, kind = due.payload, due.payload.get("kind", ASKED)
    state = incident.requests.get(about["request"])
    if state is None:
        return None
    group = about.get("group") or group_of(incident, state)
    person = about["person"]
    members = await waiting_together(context.store, (incident, state), group, person)
    if kind == REMINDER:
        members = tuple(one for one in members if one[1].reminded)
    before = tuple(await context.store.mailed(person, [s.request.id for _, s in members]))
    told = {(x.request, x.turn) for x in before if x.kind == kind}
    news = tuple(one for one in members if (one[1].request.id, turn_of(one[1])) not in told)
    return Found(members=members, news=news, before=before, kind=kind)


def turn_of(state: RequestState) -> str:
    """Tells this asking from an earlier one: whoever is asked once more gets an email once more."""
    asked = state.request
    began = asked.until.began if asked.until else asked.deadline
    return f"{asked.hop}:{began:%Y%m%dT%H%M%S}"


async def _sent(context: Context, postman: Postman, due: Due, found: Found) -> tuple[Member, ...]:
    """All that waits, or of too many what is new. What was in it is kept."""
    person = await context.directory.person(due.payload["person"])
    if person is None or not person.email:
        raise Undeliverable("Slack shows me no email address of theirs")
    letter = _letter(found, person)
    subject = await postman.send(letter)
    await context.store.keep_mailed(_kept(letter, subject, context.now()))
    log.info("mailed", person=person.id, kind=found.kind, requests=len(letter.members))
    return letter.members


def _letter(found: Found, person: Person) -> Letter:
    first = found.news[0][1]
    last = found.before[-1] if found.before else None
    return Letter(
        person=person,
        members=found.members if len(found.members) <= MOST else found.news[:MOST],
        kind=found.kind,
        name=f"mail:{found.kind}:{first.request.id}:{turn_of(first)}:{_marks(found.news)}:{person.id}",
        follows=tuple(dict.fromkeys((last.thread, last.letter))) if last else (),
        subject=last.subject if last else "",
    )


def _marks(news: Sequence[Member]) -> str:
    """Another one for other news: what came in between two tries must not look like the first of them."""
    said = " ".join(f"{state.request.id} {turn_of(state)}" for _, state in news)
    return hashlib.sha256(said.encode()).hexdigest()[:12]


def _kept(letter: Letter, subject: str, at: datetime) -> list[Mailed]:
    return [
        Mailed(
            person=letter.person.id,
            request=state.request.id,
            turn=turn_of(state),
            kind=letter.kind,
            letter=letter.name,
            thread=letter.follows[0] if letter.follows else letter.name,
            subject=subject,
            at=at,
        )
        for _, state in letter.members
    ]


def _once_more(context: Context, due: Due) -> NewDue:
    """More came together than one email lists."""
    return NewDue(
        kind=due.kind,
        key=due.key,
        at=context.later(0),
        lane=due.lane,
        incident_id=due.incident_id,
        payload=due.payload,
    )


async def _told(context: Context, due: Due, found: Found, why: str) -> None:
    log.warning("mail_refused", why=why)
    incident, state = found.news[0]
    event = e.MailRefused(request_id=state.request.id, person=due.payload["person"], why=why)
    await context.commit(incident, event, done=due)

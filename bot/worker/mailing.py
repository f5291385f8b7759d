"""Sends the email beside a request: a second way to the same question, never the only one."""

import structlog

from bot.ports import Due, Postman, RetryAfter, Undeliverable
from bot.worker.context import Context
from policies import events as e
from policies.incident import Incident, RequestState

log = structlog.get_logger("mailing")
TRIES = 8
"""How often a server that says "later" is asked before people are told."""


async def mail(context: Context, due: Due) -> None:
    """Send one, while its request still waits. What can't be delivered is said in the thread."""
    incident = await context.incident(due)
    state = incident.requests.get(due.payload["request"])
    if context.postman is None or state is None or not state.open or incident.phase.closed:
        return await context.store.finish(due)
    try:
        await _sent(context, context.postman, due, incident, state)
    except Undeliverable as refusal:
        return await _told(context, due, incident, str(refusal))
    except RetryAfter as later:
        if due.attempts >= TRIES:
            return await _told(context, due, incident, str(later))
        wait = context.later(later.seconds * due.attempts)
        return await context.store.again(due, wait, error=str(later))
    return await context.store.finish(due)


async def _sent(
    context: Context, postman: Postman, due: Due, incident: Incident, state: RequestState
) -> None:
    person = await context.directory.person(due.payload["person"])
    if person is None or not person.email:
        raise Undeliverable("Slack shows me no email address of theirs")
    await postman.send(incident, state, person, key=due.key)
    log.info("mailed", request=state.request.id, person=person.id)


async def _told(context: Context, due: Due, incident: Incident, why: str) -> None:
    log.warning("mail_refused", why=why)
    about = due.payload
    event = e.MailRefused(request_id=about["request"], person=about["person"], why=why)
    await context.commit(incident, event, done=due)

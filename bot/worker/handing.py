"""A seat is handed over: only by somebody who may decide, only to somebody who may; both looked up now."""

import structlog

from bot.commands import HandOn
from bot.ports import Due
from bot.worker.asking import asking_rows, too_late
from bot.worker.context import Context
from bot.worker.deciding import right
from bot.worker.telling import already, whisper, whispers
from policies import events as e
from policies import handing
from policies.incident import Incident
from policies.standing import Refusal

log = structlog.get_logger("handing")


async def hand_on(context: Context, due: Due, command: HandOn) -> None:
    """Give the seat away, or say why not. Whatever comes of it, the person is told."""
    incident = await context.store.load(command.incident_id)
    state = incident.requests.get(command.request_id) if incident else None
    if incident is None or state is None:
        words = "This request is not known any more. Nothing changed."
        return await whisper(context, due, command, words)
    if not state.open or incident.phase.closed:
        return await whisper(context, due, command, already(state))
    if await too_late(context, due, incident, state, command.at):
        return None
    grant = await right(context, command.person, incident, state.request)
    if isinstance(grant, Refusal):
        return await _refuse(context, due, command, incident, grant)
    to = await context.directory.person(command.to, fresh=True)
    problem = handing.cannot_take(state, command.person, to)
    if problem or to is None:
        words = f"Nothing was handed over: {problem}. It still waits for you."
        return await whisper(context, due, command, words)
    domain, now = context.domain(incident), context.now()
    half = handing.half_of_it(state.request, to, domain, incident.radius, now)
    event = handing.hand_on(state.request, command.person, command.to, half)
    return await _hand(context, due, command, incident, event)


async def _hand(
    context: Context, due: Due, command: HandOn, incident: Incident, event: e.HandedOn
) -> None:
    now, asked = context.now(), incident.requests[event.request_id].request
    request = handing.handed_on(asked, event)
    words = f"Handed over to <@{command.to}>, who is asked now. You can't decide it any more."
    rows = asking_rows(context, incident.id, request, since=now)
    tell = whispers(context, command, words)
    await context.commit(incident, event, done=due, due=(*rows, *tell))
    log.info("handed_on", request=request.id, by=command.person, to=command.to)


async def _refuse(
    context: Context, due: Due, command: HandOn, incident: Incident, refusal: Refusal
) -> None:
    event = e.DecisionRefused(request_id=command.request_id, key=command.key, refusal=refusal)
    words = f"Nothing was handed over: {refusal.why}. Only somebody who may decide it can do that."
    await context.commit(incident, event, done=due, due=whispers(context, command, words))
    log.info("handing_on_refused", person=command.person, why=refusal.why)

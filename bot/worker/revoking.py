"""Somebody takes their decision back: until something it covers has begun, and only their own."""

from dataclasses import replace

import structlog

from bot.commands import Revoke
from bot.ports import Due
from bot.worker.asking import asking_rows
from bot.worker.context import Context
from bot.worker.telling import whisper, whispers
from policies import revoking
from policies.approval import Decision
from policies.incident import Incident, RequestState

log = structlog.get_logger("revoking")


async def revoke(context: Context, due: Due, command: Revoke) -> None:
    """Take it back, or say why not. Whoever commits first wins: this, or the start of a step."""
    incident = await context.store.load(command.incident_id)
    state = incident.requests.get(command.request_id) if incident else None
    if incident is None or state is None:
        words = "This request is not known any more. Nothing changed."
        return await whisper(context, due, command, words)
    decision = revoking.made_by(state, command.person)
    if decision is None:
        words = "Nothing changed: only whoever made a decision can take it back, and none here is yours."
        return await whisper(context, due, command, words)
    why = revoking.too_late(incident, state)
    if why is not None:
        return await whisper(context, due, command, f"It can't be taken back any more: {why}.")
    return await _take_back(context, due, command, (incident, state), decision)


async def _take_back(
    context: Context,
    due: Due,
    command: Revoke,
    found: tuple[Incident, RequestState],
    decision: Decision,
) -> None:
    incident, state = found
    event = revoking.revoke(state, decision, context.now())
    word = "yes" if decision.choice == "yes" else "no"
    words = f"Your {word} is taken back. Nothing of it ran. It waits for a decision again."
    rows = (
        *asking_rows(
            context, incident.id, replace(state.request, deadline=event.deadline, until=None)
        ),
        *whispers(context, command, words),
    )
    await context.commit(incident, event, done=due, due=rows)
    log.info("decision_revoked", person=command.person, request=command.request_id)

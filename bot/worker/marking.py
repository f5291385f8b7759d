"""What people say about a request or a step without deciding: questions, and "I have done it"."""

import structlog

from bot.commands import AskQuestion, MarkDone
from bot.outbox import steps_due
from bot.ports import Due
from bot.worker.context import Context
from bot.worker.telling import whisper
from policies import events as e
from policies.incident import Incident, StepPhase
from policies.seats import seat_of

log = structlog.get_logger("marking")


async def ask_question(context: Context, due: Due, command: AskQuestion) -> None:
    """A question goes to the thread; the clock goes on."""
    incident = await context.store.load(command.incident_id)
    state = incident.requests.get(command.request_id) if incident else None
    if incident is None or state is None or not state.open:
        log.info("question_too_late", key=command.key)
        return await context.store.finish(due)
    event = e.QuestionAsked(request_id=command.request_id, person=command.person, text=command.text)
    await context.commit(incident, event, done=due)
    return None


async def mark_done(context: Context, due: Due, command: MarkDone) -> None:
    """A person says a step they do in their own tool is done. Checks will look at the numbers."""
    incident = await context.store.load(command.incident_id)
    refusal = await _cannot_mark(context, incident, command)
    if refusal or incident is None:
        return await whisper(context, due, command, f"Nothing changed: {refusal}.")
    event = e.StepDone(step_id=command.step_id, by=command.person)
    await context.commit(incident, event, done=due, due=(steps_due(incident.id, context.now()),))
    return None


async def _cannot_mark(
    context: Context, incident: Incident | None, command: MarkDone
) -> str | None:
    if incident is None or command.step_id not in incident.steps:
        return "this step is not known any more"
    step, state = incident.step(command.step_id), incident.steps[command.step_id]
    if step.doer != "person":
        return "this step is mine to run, after the owner's yes"
    open_phases = (StepPhase.APPROVED, StepPhase.READY, StepPhase.STARTED)
    if state.phase not in open_phases and not (
        step.follow_up and state.phase is StepPhase.PROPOSED
    ):
        return f"this step is {state.phase.value}"
    return await _not_theirs(context, incident, command)


async def _not_theirs(context: Context, incident: Incident, command: MarkDone) -> str | None:
    """The step's owner, or whoever may decide its request, may say that it is done."""
    step = incident.step(command.step_id)
    seats = [seat_of(step.owner, step.owner_because)]
    asked = incident.request_of(command.step_id)
    if asked is not None:
        seats += [seat for _, seat in asked.request.seats()]
    for seat in seats:
        seated = await context.directory.seated(seat, fresh=True)
        there = (*seated.people, *(delegate.person for delegate in seated.delegates))
        if any(person.id == command.person for person in there):
            return None
    return "only its owner, or somebody who may decide its request, can say that it is done"

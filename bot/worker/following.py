"""Follows runs to their end, and recognises the runs that people start in their own tool."""

from collections.abc import Sequence
from datetime import datetime

import structlog

from bot.outbox import steps_due
from bot.ports import Due, NewDue
from bot.worker.context import Context
from connectors.base import Orchestrator
from policies import backfills
from policies import events as e
from policies.dag_rerun import TRIGGER
from policies.incident import Incident, StepPhase
from policies.plan import Step
from policies.recognition import Found, Partly, Several, recognise_partitions, recognise_run
from policies.run import Run, RunState

log = structlog.get_logger("following")


async def follow(context: Context, due: Due) -> None:
    """Look at a started run; its end moves the step, anything else is looked at again."""
    incident = await context.incident(due)
    step_id = due.payload["step"]
    state = incident.steps.get(step_id)
    if state is None or state.phase is not StepPhase.STARTED or state.run is None:
        return await context.store.finish(due)
    system = context.systems.orchestrators.get(state.run.connection)
    if system is None:
        return await _look_again(context, due, context.pace.attempts * context.pace.follow)
    run = await system.run(state.run.id)
    if not run.state.ended:
        return await _look_again(context, due, context.pace.follow)
    event = _ended(incident.step(step_id), run)
    rows = (steps_due(incident.id, context.now()),)
    await context.commit(incident, event, done=due, due=rows)
    log.info("run_ended", step=step_id, run=run.id, state=run.state.value)
    return None


def _ended(step: Step, run: Run) -> e.StepDone | e.StepFailed | e.PersonRunFailed:
    if run.state is RunState.SUCCEEDED:
        return e.StepDone(step_id=step.id, run=run)
    why = f"run {run.label} ended as {run.state.value}" + (f": {run.says}" if run.says else "")
    if step.doer == "person":
        return e.PersonRunFailed(step_id=step.id, run=run, why=why)
    return e.StepFailed(step_id=step.id, run=run, why=why)


async def watch(context: Context, due: Due) -> None:
    """Look for the run that the owner was asked to start."""
    incident = await context.incident(due)
    step_id = due.payload["step"]
    state = incident.steps.get(step_id)
    if state is None or state.phase is not StepPhase.READY or incident.phase.closed:
        return await context.store.finish(due)
    step = incident.step(step_id)
    system = context.systems.orchestrators.get(step.connection)
    found = await _find(system, incident, step) if system else None
    if isinstance(found, Several | Partly):
        return await _say_once(context, due, incident, step, found)
    if found is None:
        return await _look_again(context, due, context.pace.watch)
    work = NewDue(
        kind="follow",
        key=f"follow:{incident.id}:{step_id}",
        at=context.now(),
        incident_id=incident.id,
        payload={"step": step_id},
    )
    event = e.RunRecognised(step_id=step_id, run=found.run, because=found.because)
    await context.commit(incident, event, done=due, due=(work,))
    log.info("run_recognised", step=step_id, run=found.run.id)
    return None


async def _say_once(
    context: Context, due: Due, incident: Incident, step: Step, found: Several | Partly
) -> None:
    """Said once; it is looked at again, for one of them may fail and so leave the other."""
    if incident.steps[step.id].held == found.why:
        return await _look_again(context, due, context.pace.watch)
    again = NewDue(
        kind=due.kind,
        key=due.key,
        at=context.later(context.pace.watch),
        incident_id=incident.id,
        payload=due.payload,
    )
    event = e.StepHeld(step_id=step.id, why=found.why)
    await context.commit(incident, event, done=due, due=(again,))
    log.info("not_recognised_yet", step=step.id, why=found.why)
    return None


async def _find(system: Orchestrator, incident: Incident, step: Step) -> Found:
    if step.action == backfills.AGAIN:  # also what became green before anybody said yes
        job = None if step.params.get("assets") else str(step.params.get("job"))
        runs = await system.runs_since(incident.opened_at, job=job)
        return recognise_partitions(step, runs, incident.opened_at)
    since = _since(incident, step)
    lost = incident.steps[step.id].run
    if lost is not None and lost.created_at is not None:
        since = max(since, lost.created_at)
    runs = await _candidates(system, step, since)
    others = [run for run in runs if lost is None or run.id != lost.id]
    return recognise_run(step, others, since)


def _since(incident: Incident, step: Step) -> datetime:
    """A DAG started before its turn ran on bad data: only what starts once it is ready counts."""
    if step.action == TRIGGER:
        return incident.steps[step.id].since
    asked = incident.request_of(step.id)
    return asked.request.asked_at if asked else incident.opened_at


async def _candidates(system: Orchestrator, step: Step, since: datetime) -> Sequence[Run]:
    if step.action == TRIGGER:
        return await system.runs_since(since, job=str(step.params.get("job")))
    partition = step.params.get("partition")
    return await system.runs_since(since, partition=str(partition) if partition else None)


async def _look_again(context: Context, due: Due, seconds: float) -> None:
    """As a new row: what failed before a look that went well is forgotten."""
    again = NewDue(
        kind=due.kind,
        key=due.key,
        at=context.later(seconds),
        incident_id=due.incident_id,
        payload=due.payload,
    )
    await context.store.finish(due, (again,))

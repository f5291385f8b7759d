"""Asks readers and keeps what they say. What can't be answered is kept too, with the reason."""

from collections.abc import Sequence
from dataclasses import dataclass

import structlog

from bot.worker.context import Context
from connectors.errors import ConnectorError, Transient
from policies.checks import Check, CheckResult, Moment, judge, questions
from policies.evidence import Evidence, Probe

log = structlog.get_logger("probing")


@dataclass(frozen=True, kw_only=True, slots=True)
class Answers:
    """Evidence in the order of the probes; `passing` lists problems that may go away by themselves."""

    evidence: tuple[Evidence, ...]
    passing: tuple[str, ...] = ()


async def ask(context: Context, probes: Sequence[Probe], first_id: int) -> Answers:
    """Put probes to their readers, one after the other; `first_id` numbers the evidence."""
    found: list[Evidence] = []
    passing: list[str] = []
    for number, probe in enumerate(probes, start=first_id):
        try:
            found.append(await _one(context, probe, f"E{number}"))
        except ConnectorError as problem:
            log.warning("probe_failed", probe=probe.name, problem=str(problem))
            if isinstance(problem, Transient):
                passing.append(str(problem))
            found.append(_unanswered(context, probe, f"E{number}", str(problem)))
    return Answers(evidence=tuple(found), passing=tuple(passing))


async def measure(
    context: Context, checks: Sequence[Check], first_id: int, moment: Moment
) -> tuple[tuple[CheckResult, ...], tuple[Evidence, ...], tuple[str, ...]]:
    """Measure checks now: results, the evidence behind them, and problems that may pass."""
    results: list[CheckResult] = []
    evidence: list[Evidence] = []
    passing: list[str] = []
    for check in checks:
        answers = await ask(context, questions(check, context.rules), first_id + len(evidence))
        results.append(judge(check, answers.evidence, context.now(), moment))
        evidence += answers.evidence
        passing += answers.passing
    return tuple(results), tuple(evidence), tuple(passing)


async def _one(context: Context, probe: Probe, evidence_id: str) -> Evidence:
    reader = context.systems.readers.get(probe.connection)
    if reader is None:
        why = (
            f"no connection {probe.connection!r} is configured in dw.yml, so this was not looked at"
        )
        return _unanswered(context, probe, evidence_id, why)
    with context.metrics.timed_probe(probe.connection):
        return await reader.read(probe, evidence_id=evidence_id, now=context.now())


def _unanswered(context: Context, probe: Probe, evidence_id: str, why: str) -> Evidence:
    return Evidence(id=evidence_id, probe=probe, at=context.now(), problem=why)

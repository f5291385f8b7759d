"""What a receipt says, from the journal alone: plain JSON, counts and states, never rows."""

from collections.abc import Iterable, Sequence
from typing import Any

from policies import events as e
from policies.alert import Alert
from policies.checks import CheckResult
from policies.evidence import Cause, Evidence, Finding
from policies.figures import stamp
from policies.incident import Incident, RequestState, StepPhase
from policies.lineage import BlastRadius
from policies.plan import Plan, Step, digest
from policies.receipt.doing import decisions, refused, runs
from policies.receipt.joining import joined, moved

FORMAT = 1
Plain = dict[str, Any]


def body(incident: Incident, entries: Sequence[e.Entry]) -> Plain:
    """The record of an incident; `incident` must be what `entries` add up to."""
    return {
        "format": FORMAT,
        "incident": _incident(incident, entries),
        "alerts": _alerts(entries),
        "cause": _diagnosis(incident),
        "cause_moved": moved(entries),
        "joined": joined(entries),
        "evidence": _evidence(incident),
        "reach": _reach(incident.radius),
        "plan": _plan(incident.plan),
        "requests": [_request(state) for state in incident.requests.values()],
        "decisions": decisions(entries),
        "refused_attempts": refused(entries),
        "runs": runs(incident, entries),
        "checks": _checks(incident.checks),
        "undo": [{"step": s.id, "undo": s.undo} for s in _steps(incident) if _done(incident, s)],
        "open": [_open(s) for s in _steps(incident) if not _done(incident, s)],
        "timeline": [_line(entry) for entry in entries],
    }


def _incident(incident: Incident, entries: Sequence[e.Entry]) -> Plain:
    last = entries[-1].at if entries else incident.updated_at
    return {
        "id": incident.id,
        "title": incident.title,
        "domain": incident.domain,
        "level": incident.level,
        "phase": incident.phase.value,
        "opened_at": stamp(incident.opened_at),
        "closed_at": stamp(last),
        "handed_over_because": incident.closed_because,
    }


def _alerts(entries: Iterable[e.Entry]) -> list[Plain]:
    return [
        {
            "at": stamp(entry.at),
            "system": alert.system,
            "kind": alert.kind.value,
            "title": alert.title,
            "run": alert.run_id,
            "asset": alert.asset,
            "partition": alert.partition,
            "url": alert.url,
            "because": getattr(entry.event, "because", "it was the first"),
        }
        for entry in entries
        for alert in _told(entry.event)
    ]


def _told(event: e.Event) -> tuple[Alert, ...]:
    if isinstance(event, e.TookIn):
        return event.alerts
    return (event.alert,) if isinstance(event, e.IncidentOpened | e.AlertMatched) else ()


def _diagnosis(incident: Incident) -> Plain | None:
    diagnosis = incident.diagnosis
    if diagnosis is None:
        return None
    return {
        "found": _cause(diagnosis.cause) if diagnosis.cause else None,
        "others": [_cause(cause) for cause in diagnosis.causes[1:]],
        "unknown": list(diagnosis.unknown),
    }


def _cause(cause: Cause) -> Plain:
    return {
        "name": cause.name,
        "says": cause.says,
        "confidence": cause.confidence,
        "for": [_finding(finding) for finding in cause.for_],
        "against": [_finding(finding) for finding in cause.against],
    }


def _finding(finding: Finding) -> Plain:
    return {"says": finding.says, "evidence": finding.evidence_id}


def _evidence(incident: Incident) -> list[Plain]:
    cited = {one for result in incident.checks for one in result.evidence_ids}
    causes = incident.diagnosis.causes if incident.diagnosis else ()
    cited |= {f.evidence_id for cause in causes for f in (*cause.for_, *cause.against)}
    return [_piece(piece) for piece in incident.evidence if piece.id in cited]


def _piece(piece: Evidence) -> Plain:
    return {
        "id": piece.id,
        "at": stamp(piece.at),
        "connection": piece.probe.connection,
        "probe": piece.probe.name,
        "params": dict(piece.probe.params),
        "query": piece.query,
        "value": dict(piece.value),
        "link": piece.link,
        "problem": piece.problem,
    }


def _reach(radius: BlastRadius | None) -> Plain | None:
    if radius is None:
        return None
    hits = [
        {
            "asset": hit.asset,
            "kind": hit.kind,
            "reach": hit.reach.value,
            "owner": hit.owner,
            "due": hit.due,
            "because": hit.because,
        }
        for hit in radius.hits
    ]
    return {"root": radius.root, "hits": hits, "next_due": radius.next_due}


def _plan(plan: Plan | None) -> Plain | None:
    if plan is None:
        return None
    return {
        "version": plan.version,
        "digest": digest(plan.steps, plan.reach),
        "reach": list(plan.reach),
        "steps": [_step(step) for step in plan.steps],
    }


def _step(step: Step) -> Plain:
    return {
        "id": step.id,
        "title": step.title,
        "change_class": step.change_class,
        "doer": step.doer,
        "owner": step.owner,
        "owner_because": step.owner_because,
        "connection": step.connection,
        "action": step.action,
        "params": dict(step.params),
        "after": list(step.after),
        "gate": [check.says for check in step.gate],
        "risk": step.risk,
        "undo": step.undo,
        "code_version": step.code_version,
        "diff": step.diff,
        "follow_up": step.follow_up,
    }


def _request(state: RequestState) -> Plain:
    return {
        "id": state.request.id,
        "owner": state.request.owner,
        "steps": list(state.request.step_ids),
        "digest": state.request.digest,
        "asked_at": stamp(state.request.asked_at),
        "outcome": state.outcome,
        "why": state.why,
        "decided_at": stamp(state.decided_at),
    }


def _checks(results: Iterable[CheckResult]) -> dict[str, list[Plain]]:
    told: dict[str, list[Plain]] = {"before": [], "gate": [], "after": []}
    for result in results:
        told[result.moment].append(
            {
                "check": result.check,
                "passed": result.passed,
                "measured": result.measured,
                "expected": result.expected,
                "at": stamp(result.at),
                "evidence": list(result.evidence_ids),
            }
        )
    return told


def _steps(incident: Incident) -> tuple[Step, ...]:
    return incident.plan.steps if incident.plan else ()


def _done(incident: Incident, step: Step) -> bool:
    return incident.steps[step.id].phase is StepPhase.DONE


def _open(step: Step) -> Plain:
    return {"step": step.id, "title": step.title, "owner": step.owner, "follow_up": step.follow_up}


def _line(entry: e.Entry) -> Plain:
    event = entry.event
    of = getattr(event, "step_id", None) or getattr(event, "request_id", None)
    return {"seq": entry.seq, "at": stamp(entry.at), "fact": type(event).__name__, "of": of}

"""Builders for the values that many tests need: a small trouble, its plan, its request, a yes."""

from datetime import UTC, datetime, timedelta

from policies import events as e
from policies.alert import Alert, AlertKind
from policies.approval import ApprovalRequest, ApprovalRule, Approved, Choice, Decision, Hop, weigh
from policies.evidence import Cause, Diagnosis
from policies.lineage import BlastRadius
from policies.people import Grant, Person, Seat
from policies.plan import Plan, Step, digest

NOW = datetime(2026, 9, 29, 0, 41, tzinfo=UTC)
ANA, BO, ELI = "U0ANA", "U0BO", "U0ELI"


def an_alert(**changes: object) -> Alert:
    known = {
        "signal_key": "Ev1",
        "system": "dagsterplus",
        "connection": "dagster",
        "kind": AlertKind.CHECK_FAILED,
        "title": "raw_sessions_complete failed on raw_sessions",
        "asset": "raw_sessions",
        "check": "raw_sessions_complete",
        "run_id": "5f1d2c9e-9b0a-4c1f-8a77-1d2e3f4a5b6c",
        "partition": "2026-09-28",
    }
    return Alert(**{**known, **changes})  # type: ignore[arg-type]


def a_step(step_id: str = "rollups", **changes: object) -> Step:
    known = {
        "id": step_id,
        "title": f"Run {step_id}",
        "change_class": "run_job",
        "doer": "bot",
        "owner": "ana@example.com",
        "owner_because": "owner of raw_sessions, from dw.yml",
        "connection": "dagster",
        "action": "run_job",
        "params": {"job": "growth_rollups_job"},
        "undo": "run it again",
        "risk": "rebuilds its own tables only",
    }
    return Step(**{**known, **changes})  # type: ignore[arg-type]


def a_backfill(**changes: object) -> Step:
    known = {
        "doer": "person",
        "action": "backfill",
        "change_class": "backfill",
        "params": {"assets": ["raw_sessions"], "partition": "2026-09-28"},
    }
    return a_step("backfill", **{**known, **changes})


def a_plan(*steps: Step, version: int = 1, reach: tuple[str, ...] = ("raw_sessions",)) -> Plan:
    return Plan(version=version, cause="replica_behind", steps=steps or (a_step(),), reach=reach)


def a_request(plan: Plan, request_id: str = "DW-1-R1", **changes: object) -> ApprovalRequest:
    seat = Seat(kind="person", ref="ana@example.com", because="owner of raw_sessions")
    lead = Seat(kind="person", ref="dee@example.com", because="domain lead")
    rule = ApprovalRule(chain=(Hop(seat=seat, seconds=300), Hop(seat=lead, seconds=180)))
    steps = tuple(step for step in plan.steps if not step.follow_up)
    known = {
        "id": request_id,
        "owner": "ana@example.com",
        "step_ids": tuple(step.id for step in steps),
        "digest": digest(steps, plan.reach),
        "reach": plan.reach,
        "plan_version": plan.version,
        "rule": rule,
        "asked_at": NOW,
        "deadline": NOW + timedelta(minutes=5),
    }
    return ApprovalRequest(**{**known, **changes})  # type: ignore[arg-type]


def a_person(person: str = ANA, **changes: object) -> Person:
    known = {"name": person.title(), "email": f"{person}@example.com", **changes}
    return Person(id=person, **known)  # type: ignore[arg-type]


def a_decision(
    request: ApprovalRequest, person: str = ANA, choice: Choice = "yes", **changes: object
) -> Decision:
    known = {
        "key": f"click:{person}:{choice}",
        "person": person,
        "name": person,
        "choice": choice,
        "digest": request.digest,
        "at": NOW,
        "where": "thread",
        "grant": Grant(person=person, because="owner of raw_sessions", hop=0),
    }
    return Decision(**{**known, **changes})  # type: ignore[arg-type]


def approved(plan: Plan) -> Approved:
    """A real one: minted by `weigh` from a real request and a real yes."""
    request = a_request(plan)
    verdict = weigh(request, [a_decision(request)], plan, until=NOW + timedelta(hours=12))
    assert isinstance(verdict, Approved)
    return verdict


def opened(**changes: object) -> e.IncidentOpened:
    return e.IncidentOpened(
        alert=an_alert(**changes), domain="growth", level="L2", channel="C0ALERTS"
    )


def a_diagnosis() -> Diagnosis:
    return Diagnosis(
        causes=(Cause(name="replica_behind", says="the replica was behind", confidence=0.9),)
    )


def a_radius() -> BlastRadius:
    return BlastRadius(root="raw_sessions")

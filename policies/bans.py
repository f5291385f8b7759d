"""Who may not decide this one: who asked for it, who wrote the plan, who wrote the change that broke it.

Where nothing tells who that is, the request says so.
"""

from collections.abc import Iterator

from policies.approval import Ban
from policies.diagnosis import code_changed
from policies.incident import Incident
from policies.plan import Plan
from policies.seats import Bans


def bans(incident: Incident, plan: Plan, rule: Bans) -> tuple[Ban, ...]:
    """The bans that hold for a plan, from what is known when it is asked for."""
    return tuple(_bans(incident, plan, rule))


def untold(incident: Incident, plan: Plan, rule: Bans) -> tuple[str, ...]:
    """The bans that keep nobody out here, each with why: so that nobody believes in one that can't work."""
    return tuple(_untold(incident, plan, rule))


def _untold(incident: Incident, plan: Plan, rule: Bans) -> Iterator[str]:
    if rule.asker and not plan.asked_by:
        yield "whoever asked for it: nobody did, an alert began it"
    if rule.planner and not plan.written_by:
        yield "whoever wrote the plan: no person did, it follows from dw.yml and what was read"
    if rule.author and not _authors(incident):
        cause = incident.diagnosis.cause if incident.diagnosis else None
        blamed = cause is not None and cause.name == code_changed.NAME
        why = "no system tells who that is" if blamed else "no change of code is blamed"
        yield f"whoever wrote the change that broke it: {why}"


def _bans(incident: Incident, plan: Plan, rule: Bans) -> Iterator[Ban]:
    if rule.asker and plan.asked_by:
        yield Ban(who=plan.asked_by, because="you asked for this change")
    if rule.planner and plan.written_by:
        yield Ban(who=plan.written_by, because="you wrote this plan")
    for author in _authors(incident) if rule.author else ():
        yield Ban(who=author, because="you wrote the change that broke it")


def _authors(incident: Incident) -> tuple[str, ...]:
    """Whom the evidence for the cause names as `author`, by email or Slack id."""
    cause = incident.diagnosis.cause if incident.diagnosis else None
    cited = {finding.evidence_id for finding in cause.for_} if cause else set()
    named = [piece.value.get("author") for piece in incident.evidence if piece.id in cited]
    return tuple(dict.fromkeys(who for who in named if isinstance(who, str) and who))

"""A night on which a change of code broke it: dw.yml with a repository, and what each system answers."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from policies.authors import question
from policies.evidence import Evidence, Json
from policies.incident import Incident
from policies.rules import Rules
from tests.building import NOW
from tests.policies import night

GOOD, FAILED, MENDED = "a" * 40, "b" * 40, "c" * 40
JOB = "sessions_job"
ANA = {"name": "Ana Ortiz", "email": "u0ana@example.com", "commits": ["b" * 12]}
KIM = {"name": "Kim Roe", "email": "kim@old.example.com", "commits": ["d" * 12]}


def image(commit: str) -> str:
    return f"image pipelines:{commit[:7]}"


def connections(**entry: Any) -> dict[str, Any]:
    known = night.dw_yml()["connections"]
    jobs = {**known["dagster"]["jobs"], JOB: {"builds": ["raw_sessions"]}}
    git = {"kind": "git", "url": "https://git.example.com/pipelines.git", "code_of": ["dagster"]}
    return {**known, "dagster": {**known["dagster"], "jobs": jobs}, "pipelines": {**git, **entry}}


def rules(repository: Mapping[str, Any] | None = None, **domain: Any) -> Rules:
    return night.rules(
        admins=["dee@example.com"],
        connections=connections(**(repository or {})),
        domains={"growth": night.growth(checks=[], **domain)},
        assets={},
    )


def commit(number: int = 1, **changes: Any) -> dict[str, Json]:
    known: dict[str, Json] = {
        "id": f"{number}" + "b" * 39,
        "at": "2026-09-28T22:30:00+00:00",
        "subject": "fewer columns",
        "authors": [ANA],
    }
    return {**known, **changes}


def changes(*authors: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """What a repository says of one commit by these."""
    people = [dict(one) for one in authors]
    known: dict[str, Any] = {
        "good": GOOD,
        "failed": FAILED,
        "between": 1,
        "taken_back": 0,
        "paths": [],
        "touching": None,
        "commits": [commit(authors=people)],
        "authors": people,
        "not_read": 0,
        "authors_not_told": 0,
    }
    return {**known, **more}


def run_failure(**more: Any) -> dict[str, Any]:
    return night.failed_run(
        commit=FAILED,
        code_version=image(FAILED),
        steps_failed=[{"step": "raw_sessions", "error": "KeyError: 'plan'"}],
        assets_materialized=[],
        checks=[],
        **more,
    )


def last_success(**more: Any) -> dict[str, Any]:
    known = {"run_id": "aaaa", "code_version": image(GOOD), "commit": GOOD}
    return {**known, "ended_at": "2026-09-28T00:41:00+00:00", **more}


def answers(said: night.Answer | None = None) -> night.Answers:
    return night.answers() | {
        ("dagster", "run_failure"): run_failure(),
        ("dagster", "last_success"): last_success(),
        ("pipelines", "changes"): changes(ANA) if said is None else said,
    }


def read(said: dict[str, Any]) -> Evidence:
    """What a repository said, as evidence."""
    return Evidence(id="E80", probe=question(()), at=NOW, value=said)


def incident(
    said: night.Answer | None = None,
    people: Mapping[str, Any] | None = None,
    known: Rules | None = None,
) -> Incident:
    """The incident with its diagnosis, and what Slack's directory says of the authors."""
    found = night.diagnosed(answers(said), known or rules())
    known_there = {ANA["email"]: {"id": "U0ANA", "name": "Ana Ortiz"}, KIM["email"]: None}
    told = known_there if people is None else people
    piece = Evidence(id="E90", probe=question(()), at=NOW, value={"people": dict(told)})
    return replace(found, evidence=(*found.evidence, piece))

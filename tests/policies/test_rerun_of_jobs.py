"""A failed Prefect deployment or dbt Cloud job: asked about, then planned to run again as it was."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from policies.alert import Alert, AlertKind
from policies.diagnosis import diagnose
from policies.evidence import Evidence, Json, Probe
from policies.incident import Incident
from policies.lineage import Lineage
from policies.plan import Plan, Step
from policies.playbook import NoPlan, draft
from policies.rules import Rules
from tests.policies import night

NOW = datetime(2026, 9, 29, 1, tzinfo=UTC)
RUN = "9f5a2f5e-7a51-4d83-8c53-8d4a1e2f90ab"
URLS = {"prefect": "http://prefect.example.com", "dbt_cloud": "https://dbt.example.com/accounts/1"}
JOBS = {"prefect": "rollups/prod", "dbt_cloud": "Daily build"}
FAILED: dict[str, Json] = {
    "run_id": RUN,
    "status": "FAILED",
    "conf": {"day": "2026-09-28", "full": True},
    "steps_failed": [{"step": "load", "error": "ValueError: no rows"}],
    "started_at": "2026-09-29T00:30:00+00:00",
}
MAY: dict[str, Json] = {"may": True, "why": None, "but": None, "link": "http://x.example/d"}


def rules(kind: str, **job: Any) -> Rules:
    told = night.dw_yml()
    told["connections"]["flows"] = {"kind": kind, "url": URLS[kind], "jobs": {JOBS[kind]: job}}
    told["domains"]["growth"]["jobs"] = ["rollups/*", "Daily build"]
    return Rules.model_validate(told)


def trouble(kind: str, alert_kind: AlertKind = AlertKind.RUN_FAILED) -> Incident:
    alert = Alert(
        signal_key="Ev1",
        system=kind,
        connection="flows",
        kind=alert_kind,
        title="Run of rollups failed",
        job="rollups",
        run_id=RUN,
    )
    return night.incident(alert)


def planned(
    kind: str,
    known: Rules,
    *,
    run: dict[str, Json] | None = None,
    can_run: dict[str, Json] | None = None,
    alert_kind: AlertKind = AlertKind.RUN_FAILED,
) -> tuple[list[Probe], Plan | NoPlan]:
    """What was asked on the way, and the plan."""
    told = {
        "run_failure": {**FAILED, "job": JOBS[kind], **(run or {})},
        "can_run": MAY if can_run is None else can_run,
    }
    start = trouble(kind, alert_kind)
    asked: list[Probe] = []
    found: list[Evidence] = []
    thought = diagnose(start, known)
    try:
        probes = next(thought)
        while True:
            asked += probes
            new = [_answer(probe, told, len(found) + n) for n, probe in enumerate(probes)]
            found += new
            probes = thought.send(tuple(new))
    except StopIteration as end:
        incident = replace(start, evidence=tuple(found), diagnosis=end.value)
    return asked, draft(incident, known, Lineage(), {JOBS[kind]: "v1"})


def _answer(probe: Probe, told: dict[str, dict[str, Json]], number: int) -> Evidence:
    return Evidence(id=f"E{number}", probe=probe, at=NOW, value=told.get(probe.name, {}))


def the_step(plan: Plan | NoPlan) -> Step:
    assert isinstance(plan, Plan)
    [step] = plan.steps
    return step


def test_a_deployment_runs_again_with_the_parameters_of_the_run_that_failed() -> None:
    asked, plan = planned("prefect", rules("prefect"))
    step = the_step(plan)
    wanted = {"job": "rollups/prod", "config": {"day": "2026-09-28", "full": True}}
    assert (step.action, dict(step.params), step.doer) == ("run_deployment", wanted, "bot")
    assert [dict(probe.params) for probe in asked if probe.name == "can_run"] == [wanted]
    assert (step.code_version, step.link) == ("v1", "http://x.example/d")
    assert "ValueError: no rows" in step.why


def test_what_dw_yml_says_it_is_run_with_counts_more() -> None:
    _, plan = planned("prefect", rules("prefect", config={"full": False}))
    assert the_step(plan).params["config"] == {"day": "2026-09-28", "full": False}


def test_a_job_of_dbt_cloud_takes_no_parameters() -> None:
    _, plan = planned("dbt_cloud", rules("dbt_cloud"), run={"status": "failed", "conf": None})
    step = the_step(plan)
    assert (step.action, dict(step.params)) == ("run_dbt_job", {"job": "Daily build"})


def test_what_a_person_should_know_stands_with_the_risk() -> None:
    but = "nobody has asked for runs of it ever"
    _, plan = planned("prefect", rules("prefect"), can_run={**MAY, "but": but})
    assert but in the_step(plan).risk


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"can_run": {"may": False, "why": "somebody paused it"}}, "not now: somebody paused it"),
        ({"can_run": {}}, "could not be read"),
        ({"run": {"conf": None, "conf_withheld": True}}, "looks like a secret"),
        ({"run": {"status": "RUNNING"}}, "has not ended yet"),
        ({"run": {"job": "other/prod"}}, "other/prod is not among the jobs"),
        ({"alert_kind": AlertKind.RUN_SLOW}, "has not ended yet"),
    ],
)
def test_where_it_would_not_be_the_same_run_no_button_is_offered(
    changes: dict[str, Any], words: str
) -> None:
    _, plan = planned("prefect", rules("prefect"), **changes)
    assert isinstance(plan, NoPlan)
    assert words in plan.why
    assert "othing" in plan.why


def test_a_day_that_nobody_knows_is_not_guessed() -> None:
    known = rules("prefect", config={"day": "{partition}"})
    _, plan = planned("prefect", known)
    assert isinstance(plan, NoPlan)
    assert "the day in trouble is not known" in plan.why


def test_a_job_that_dw_yml_does_not_name_is_not_asked_about() -> None:
    asked, _ = planned("prefect", rules("prefect"), run={"job": "other/prod"})
    assert "can_run" not in {probe.name for probe in asked}

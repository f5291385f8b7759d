"""When a job of Dagster's is not offered: beside its retry, for a namesake, or when a run would not start."""

from dataclasses import replace

import pytest

from policies.answers import record
from policies.evidence import Evidence, Json, Probe
from policies.playbook import NoPlan
from tests.building import NOW, an_alert
from tests.policies import night
from tests.policies.test_playbook import drafted, jobs

JOB = "growth_rollups_job"


def of_run(job: dict[str, Json], **run: Json) -> object:
    """The plan for a run of this job of which no cause is known."""
    incident = night.diagnosed(alert=an_alert(asset=None, check=None, job=JOB))
    run, told = {k: v for k, v in run.items() if k != "can_run"}, run.get("can_run")
    evidence = tuple(
        replace(e, value={**e.value, "job": JOB, "checks": [], **run})
        if e.probe.name == "run_failure"
        else e
        for e in incident.evidence
    )
    if told is not None:
        probe = Probe(connection="dagster", name="can_run", params={"job": JOB})
        evidence = (*evidence, Evidence(id="E99", probe=probe, at=NOW, value=record(told)))
    return drafted(replace(incident, evidence=evidence, diagnosis=None), jobs(**{JOB: job}))


@pytest.mark.parametrize(
    ("retry", "says"),
    [("pending", "again by itself, so"), ("aaaaaaaa-1", "again by itself (run aaaaaaaa), so")],
)
def test_beside_a_retry_nothing_is_proposed(retry: str, says: str) -> None:
    found = of_run({"builds": ["agg_weekly_engagement"]}, retry=retry)
    assert isinstance(found, NoPlan)
    assert says in found.why


def test_a_failed_namesake_in_another_code_location_is_not_the_job_that_may_be_run() -> None:
    named: dict[str, Json] = {"builds": ["agg_weekly_engagement"], "location": "growth"}
    assert isinstance(of_run(named, location="finance"), NoPlan)
    assert not isinstance(of_run(named, location="growth"), NoPlan)
    assert not isinstance(of_run(named), NoPlan)


def test_a_run_that_would_wait_for_ever_or_fail_at_once_is_not_offered() -> None:
    named: dict[str, Json] = {"builds": ["agg_weekly_engagement"]}
    found = of_run(named, can_run={"may": False, "why": "nobody serves the queue"})
    assert isinstance(found, NoPlan)
    assert (
        "could be run again, but not now: nobody serves the queue. Nothing was started" in found.why
    )
    assert not isinstance(of_run(named, can_run={"may": True, "why": None}), NoPlan)

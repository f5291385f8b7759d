"""Nothing is proposed beside a retry that comes by itself, nor for a job's namesake in another code location."""

from dataclasses import replace

import pytest

from policies.evidence import Json
from policies.playbook import NoPlan
from tests.building import an_alert
from tests.policies import night
from tests.policies.test_playbook import drafted, jobs

JOB = "growth_rollups_job"


def of_run(job: dict[str, Json], **run: Json) -> object:
    """The plan for a run of this job of which no cause is known."""
    incident = night.diagnosed(alert=an_alert(asset=None, check=None, job=JOB))
    evidence = tuple(
        replace(e, value={**e.value, "job": JOB, "checks": [], **run})
        if e.probe.name == "run_failure"
        else e
        for e in incident.evidence
    )
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

"""May a run be offered: what keeps it from running, and which parameters it takes."""

from typing import Any

import pytest

from policies.evidence import Json, Probe
from tests.building import NOW
from tests.connectors.prefect.fake_prefect import NAMED, Creating, FakePrefect, recorded

JOB = "growth-rollups/prod"


async def can_run(fake: FakePrefect, job: str = JOB, **params: Json) -> dict[str, Any]:
    probe = Probe(connection="prefect", name="can_run", params={"job": job, **params})
    return dict((await fake.reader().read(probe, evidence_id="E1", now=NOW)).value)


def pooled(**pool: object) -> FakePrefect:
    known = {"work_pool_name": "k8s", "work_queue_name": "default"}
    deployment = {**recorded("deployment")["body"], **known}
    queue = {"is_paused": pool.pop("queue_paused", False)}
    return FakePrefect(
        {
            NAMED: lambda _: deployment,
            "/work_pools/k8s": lambda _: pool,
            "/work_pools/k8s/queues/default": lambda _: queue,
        }
    )


async def test_a_deployment_that_is_served_may_be_run() -> None:
    said = await can_run(Creating().fake(), config={"day": "2026-09-28"})
    assert (said["may"], said["why"], said["but"]) == (True, None, None)
    assert said["link"].startswith("http://prefect.example.com/deployments/deployment/")
    assert said["defaults"] == {"day": "2026-11-29"}


@pytest.mark.parametrize(
    ("fake", "params", "why"),
    [
        (Creating(paused=True).fake(), {}, "somebody paused it in Prefect"),
        (pooled(is_paused=True), {}, "its work pool k8s is paused"),
        (pooled(queue_paused=True), {}, "its work queue default is paused"),
        (Creating().fake(), {"config": {"dya": "x"}}, "no parameter dya; it takes day"),
        (Creating().fake(), {"config": {"day": 1}}, "parameter day does not fit"),
        (Creating().fake(), {"partition": "2026-09-28"}, "no parameter for 2026-09-28"),
        (Creating().fake(), {"config": {"day": "xoxb-planted-1"}}, "looks like a secret"),
        (
            Creating(parameter_openapi_schema={}).fake(),
            {"config": {"day": "x"}},
            "can't be checked",
        ),
    ],
)
async def test_what_may_not_be_run_says_why(
    fake: FakePrefect, params: dict[str, Json], why: str
) -> None:
    said = await can_run(fake, **params)
    assert said["may"] is False
    assert why in said["why"]


@pytest.mark.parametrize(
    "stands_for",
    [
        {"__prefect_kind": "workspace_variable", "variable_name": "day"},
        {"$ref": {"block_document_id": "0f1a2b3c"}},
    ],
)
async def test_what_prefect_fills_in_itself_is_not_judged_but_what_is_given_is(
    stands_for: dict[str, Any],
) -> None:
    known = Creating(parameters={"day": stands_for})
    assert (await can_run(known.fake()))["may"] is True
    assert (await can_run(known.fake(), config={"day": 1}))["may"] is False


async def test_a_partition_that_is_among_the_parameters_fits() -> None:
    given = {"partition": "2026-09-28", "config": {"day": "2026-09-28"}}
    assert (await can_run(Creating().fake(), **given))["may"] is True


async def test_a_pool_that_may_not_be_read_holds_nothing_back() -> None:
    fake = pooled()
    fake.answers["/work_pools/k8s"] = [403]
    assert (await can_run(fake))["may"] is True


async def test_a_deployment_that_nobody_serves_may_be_run_and_says_that_it_will_wait() -> None:
    said = await can_run(Creating(status="NOT_READY").fake())
    assert said["may"] is True
    assert said["but"].startswith("nobody has asked for runs of it since 2026-11-30 19:58 UTC")


@pytest.mark.parametrize("job", ["growth-rollups/nope", "growth-rollups"])
async def test_a_deployment_that_is_not_there_says_so(job: str) -> None:
    fake = FakePrefect({"/deployments/name/growth-rollups/nope": "deployment_unknown"})
    said = await can_run(fake, job)
    assert said["may"] is False
    assert "deployment" in said["why"]

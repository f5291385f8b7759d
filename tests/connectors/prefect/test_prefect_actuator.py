"""How the Prefect actuator creates a run, and what it makes of each refusal."""

import httpx
import pytest

from connectors.errors import (
    Broken,
    ConnectorError,
    Forbidden,
    NotFound,
    Rejected,
    TooSlow,
    Unreachable,
)
from policies.plan import Step
from policies.run import Run
from tests.building import NOW, a_plan, a_step, approved
from tests.connectors.prefect.fake_prefect import (
    CREATE,
    STAGING,
    Answer,
    Creating,
    FakePrefect,
    a_run,
)

KEY = "DW-7:rollups:0123456789ab"
JOB = "growth-rollups/prod"


def rollups(**params: object) -> Step:
    return a_step(action="run_deployment", params={"job": JOB, **params})


async def act(fake: FakePrefect, step: Step | None = None) -> Run:
    wanted = step or rollups()
    return await fake.actuator().act(wanted, approved(a_plan(wanted)), key=KEY, now=NOW)


async def test_a_run_is_created_with_the_key_of_deployment_and_step() -> None:
    fake = Creating().fake()
    day = "2026-09-28"
    run = await act(fake, rollups(partition=day, config={"day": day}))
    [body] = fake.bodies(CREATE)
    assert body["idempotency_key"] == f"dw:{JOB}:{KEY}"
    assert body["parameters"] == {"day": day}
    assert body["tags"] == [f"dw/step={KEY}", "dw/incident=DW-7", f"dw/partition={day}"]
    assert (run.job, run.partition, run.tags["dw/step"]) == (JOB, day, KEY)


async def test_a_run_that_is_there_already_is_adopted_also_when_its_deployment_is_gone() -> None:
    gone = a_run(1, deployment_id="00000000-0000-4000-8000-000000000000")
    fake = Creating().fake(listed=lambda _: [gone])
    assert (await act(fake)).id == gone["id"]
    assert fake.bodies(CREATE) == []


async def test_a_run_of_another_deployment_under_the_key_is_refused_before_anything_is_sent() -> (
    None
):
    fake = Creating().fake(listed=lambda _: [a_run(1, deployment_id=STAGING)])
    with pytest.raises(Rejected, match=r"held by a run of growth-rollups/staging.*Nothing was"):
        await act(fake)
    assert fake.bodies(CREATE) == []


async def test_a_run_of_another_deployment_that_comes_back_is_not_taken_for_ours() -> None:
    """Prefect answers 200 with it: the key's scope is the flow."""
    fake = Creating().fake(create="created_elsewhere", listed=lambda _: [])
    fake.answers[f"/deployments/name/{JOB}"] = [lambda _: {**Creating().deployment, "id": STAGING}]
    fake.answers[f"/deployments/{STAGING}/create_flow_run"] = ["created_elsewhere"]
    with pytest.raises(Rejected, match="keeps a key once for a whole flow"):
        await act(fake)


@pytest.mark.parametrize(
    ("deployment", "step", "words"),
    [
        ({"paused": True}, rollups(), "somebody paused it in Prefect"),
        ({}, rollups(config={"dya": "x"}), "no parameter dya"),
        ({}, rollups(partition="2026-09-28"), "no parameter for 2026-09-28"),
    ],
)
async def test_what_would_not_run_as_meant_is_not_sent(
    deployment: dict[str, object], step: Step, words: str
) -> None:
    fake = Creating(**deployment).fake()
    with pytest.raises(Rejected, match=f"{words}.*Nothing was started"):
        await act(fake, step)
    assert fake.bodies(CREATE) == []


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        ("bad_parameter", Rejected, "Validation failed for field 'day'.*Nothing was started"),
        ("extra_field", Rejected, "nope: Extra inputs are not permitted.*Nothing was started"),
        ("deployment_unknown", NotFound, "Deployment not found.*Nothing was started"),
        ("auth_missing", Forbidden, "refused the login.*Nothing was started"),
        (403, Forbidden, "may not do this.*Nothing was started"),
        (429, Unreachable, "nothing was started"),
        (503, Broken, "fault of its own"),
        (httpx.ReadTimeout("x"), TooSlow, "outcome is unknown"),
        (httpx.ReadError("x"), Broken, "the connection broke"),
        (httpx.ConnectError("x"), Unreachable, "nothing was sent"),
        (lambda _: {"odd": 1}, Broken, "can't be understood"),
    ],
)
async def test_each_refusal_is_told_apart_and_a_start_is_sent_once(
    answer: Answer, kind: type[ConnectorError], words: str
) -> None:
    fake = Creating().fake(create=answer)
    with pytest.raises(kind, match=words):
        await act(fake)
    assert len(fake.bodies(CREATE)) == 1


async def test_when_it_can_not_be_looked_at_first_nothing_is_sent() -> None:
    fake = Creating().fake(listed=500)
    with pytest.raises(Unreachable, match="nothing was sent"):
        await act(fake)
    assert fake.bodies(CREATE) == []


async def test_only_runs_with_a_key_get_through_its_gate() -> None:
    fake = Creating().fake()
    with pytest.raises(Forbidden):
        await fake.api(writes=True).create_run("x", {"parameters": {}})
    assert fake.asked == []

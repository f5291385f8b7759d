"""Starting a job: each way it can end, once and only once."""

import asyncio
from typing import Any

import httpx
import pytest

from connectors.dagster import DagsterActuator
from connectors.dagster.actuator import INCIDENT_TAG, STEP_TAG
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
from tests.connectors.dagster.fake_dagster import (
    QUICK,
    TOKEN,
    URL,
    FakeDagster,
    Launching,
    a_run,
    runs,
)

KEY = "DW-7:rollups:0123456789ab"


def a_job(job: str = "growth_rollups_job", **params: object) -> Step:
    return a_step(params={"job": job, **params})


async def act(fake: FakeDagster, step: Step | None = None) -> Run:
    step = step or a_job()
    return await fake.actuator().act(step, approved(a_plan(step)), key=KEY, now=NOW)


async def test_a_job_is_started_where_it_lives_with_our_tags_and_its_partition() -> None:
    fake = Launching().fake()
    config = {"ops": {"rest": {"config": {"seconds": 1}}}}
    run = await act(fake, a_job("sessions_job", partition="2026-09-28", config=config))
    [sent] = fake.variables("DwLaunch")
    assert sent["params"]["selector"] == {
        "jobName": "sessions_job",
        "repositoryName": "__repository__",
        "repositoryLocationName": "growth",
    }
    assert sent["params"]["runConfigData"] == config
    assert run.tags == {STEP_TAG: KEY, INCIDENT_TAG: "DW-7", "dagster/partition": "2026-09-28"}
    assert run.partition == "2026-09-28"


async def test_the_same_key_twice_is_one_run() -> None:
    fake = Launching().fake()
    assert (await act(fake)).id == (await act(fake)).id
    assert fake.count("DwLaunch") == 1


async def test_the_same_key_at_the_same_moment_is_one_run() -> None:
    fake, step = Launching().fake(), a_job()
    actuator, yes = fake.actuator(), approved(a_plan(step))
    first, second = await asyncio.gather(
        *(actuator.act(step, yes, key=KEY, now=NOW) for _ in range(2))
    )
    assert first.id == second.id
    assert fake.count("DwLaunch") == 1


async def test_the_first_run_is_adopted_not_a_re_execution_of_it() -> None:
    original = a_run(1)
    again = a_run(2, parentRunId=original["runId"], creationTime=0.0)
    fake = FakeDagster(DwRuns=lambda _: runs(again, original))
    assert (await act(fake)).id == original["runId"]
    assert fake.count("DwLaunch") == 0


async def test_a_re_execution_whose_first_run_was_deleted_still_counts_as_started() -> None:
    fake = FakeDagster(DwRuns=lambda _: runs(a_run(2, parentRunId="gone")))
    assert (await act(fake)).id == a_run(2)["runId"]
    assert fake.count("DwLaunch") == 0


async def test_nothing_is_started_when_it_can_not_be_known_whether_it_runs_already() -> None:
    fake = FakeDagster(DwRuns=500)
    with pytest.raises(Unreachable, match="so nothing was sent"):
        await act(fake)
    assert fake.count("DwLaunch") == 0


@pytest.mark.parametrize("trouble", [500, 429, httpx.ReadTimeout("x")])
async def test_what_goes_wrong_before_a_start_leaves_no_doubt(trouble: Any) -> None:
    fake = FakeDagster(DwRuns="runs", DwWorkspace=trouble)
    with pytest.raises(Unreachable, match="nothing was sent"):
        await act(fake)
    assert fake.count("DwLaunch") == 0


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        ("launch_missing_config", Rejected, 'not valid: Missing required config entry "ops"'),
        ("launch_wrong_type", Rejected, "Invalid scalar at path root:ops:rest:config:seconds"),
        ("launch_read_only", Forbidden, "read-only, or the token may not start runs"),
        ("launch_unknown_job", NotFound, "knows no job growth_rollups_job any more"),
        ("launch_python_error", Broken, "stumbled while starting .* ParameterCheckError"),
        (401, Forbidden, "refused the token"),
        (403, Forbidden, "may not do this"),
        (429, Unreachable, "asks to wait 1 s; nothing was started"),
        (502, Broken, "gateway"),
        (504, TooSlow, "gateway"),
        (200, Broken, "its answer can't be understood"),
        (httpx.ConnectError("x"), Unreachable, "nothing was sent"),
        (httpx.ReadTimeout("x"), TooSlow, "outcome is unknown"),
        (httpx.ReadError("x"), Broken, "connection broke"),
        (httpx.RemoteProtocolError("x"), Broken, "broke off"),
        (lambda _: {"launchRun": {"__typename": "NewThing"}}, Broken, "answered NewThing"),
        (lambda _: {"launchRun": None}, Broken, "can't be understood"),
        (
            lambda _: {"launchRun": {"__typename": "RunConflict", "message": "busy"}},
            Rejected,
            "refused growth_rollups_job: busy. Nothing was started",
        ),
    ],
)
async def test_each_way_a_start_can_fail_is_told_and_is_never_tried_again(
    answer: Any, error: type[ConnectorError], words: str
) -> None:
    fake = FakeDagster(DwRuns="runs", DwWorkspace="workspace", DwLaunch=answer)
    with pytest.raises(error, match=words):
        await act(fake)
    assert fake.count("DwLaunch") == 1


async def test_a_job_nobody_knows() -> None:
    def empty(_: object) -> Any:
        return {"workspaceOrError": {"__typename": "Workspace", "locationEntries": []}}

    fake = FakeDagster(DwRuns="runs", DwWorkspace=empty)
    with pytest.raises(NotFound, match=r"knows no job growth_rollups_job\. Nothing was started"):
        await act(fake)


async def test_a_job_whose_location_is_down_is_not_an_unknown_job() -> None:
    def down(_: object) -> Any:
        error = {"__typename": "PythonError", "message": "a.b.Gone: no code server\nstack"}
        entry = {"name": "growth", "displayMetadata": [], "locationOrLoadError": error}
        return {"workspaceOrError": {"__typename": "Workspace", "locationEntries": [entry]}}

    fake = FakeDagster(DwRuns="runs", DwWorkspace=down)
    with pytest.raises(Unreachable, match=r"location is down \(growth: Gone: no code server\)"):
        await act(fake)
    assert fake.count("DwLaunch") == 0


async def test_a_job_of_one_location_runs_although_another_location_is_down() -> None:
    launching = Launching()
    fake = launching.fake()
    fake.answers["DwWorkspace"] = ["workspace_half_dead"]
    await act(fake)
    assert len(launching.runs) == 1


def twice(_: object) -> Any:
    """Two code locations that both have the job."""
    loaded = {
        "__typename": "RepositoryLocation",
        "repositories": [{"name": "r", "pipelines": [{"name": "growth_rollups_job"}]}],
    }
    entries = [
        {"name": name, "displayMetadata": [], "locationOrLoadError": loaded}
        for name in ("growth", "growth_old")
    ]
    return {"workspaceOrError": {"__typename": "Workspace", "locationEntries": entries}}


async def test_of_a_job_in_two_locations_the_one_that_dw_yml_names_is_run() -> None:
    fake = Launching().fake()
    fake.answers["DwWorkspace"] = [twice]
    jobs = {"growth_rollups_job": "growth_old"}
    actuator = DagsterActuator("dagster", URL, TOKEN, jobs, transport=fake, patience=QUICK)
    step = a_job()
    await actuator.act(step, approved(a_plan(step)), key=KEY, now=NOW)
    [sent] = fake.variables("DwLaunch")
    assert sent["params"]["selector"]["repositoryLocationName"] == "growth_old"


async def test_a_job_in_two_locations_is_not_guessed() -> None:
    fake = FakeDagster(DwRuns="runs", DwWorkspace=twice)
    with pytest.raises(Rejected, match=r"several places \(growth, growth_old\)"):
        await act(fake)
    assert fake.count("DwLaunch") == 0


async def test_a_job_that_dw_yml_does_not_name_never_reaches_the_wire() -> None:
    fake = FakeDagster()
    with pytest.raises(Rejected, match=r"not among those dw\.yml lets it run"):
        await act(fake, a_job("drop_everything_job"))
    assert fake.asked == []


async def test_the_token_is_sent_as_dagster_plus_wants_it_and_told_to_nobody() -> None:
    def echo(_: object) -> Any:
        return {"launchRun": {"__typename": "PythonError", "message": "bad user:planted-secret"}}

    fake = FakeDagster(DwRuns="runs", DwWorkspace="workspace", DwLaunch=echo)
    with pytest.raises(Broken) as caught:
        await act(fake)
    assert fake.headers[0]["Dagster-Cloud-Api-Token"] == "user:planted-secret"
    assert "planted-secret" not in str(caught.value)

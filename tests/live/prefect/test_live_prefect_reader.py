"""The Prefect reader against a real server with a login and a runner."""

import asyncio

import pytest

from connectors.catalogue import Secrets, build
from connectors.errors import Forbidden, NotFound
from connectors.http import WriteByReader
from connectors.prefect import PrefectReader
from policies.evidence import Json, Probe
from policies.run import RunState
from tests.building import NOW
from tests.live import windows
from tests.live.prefect.server import LOGIN
from tests.live.prefect.world import LONG_AGO, World, by_hand
from tests.policies import night

pytestmark = pytest.mark.live


async def ask(reader: PrefectReader, name: str, **params: Json) -> dict[str, Json]:
    probe = Probe(connection="prefect", name=name, params=params)
    return dict((await reader.read(probe, evidence_id="E1", now=NOW)).value)


async def test_ping_tells_the_version(reader: PrefectReader) -> None:
    assert (await reader.ping()).version.startswith("3.")


async def test_a_wrong_login_is_told_although_health_is_open(world: World) -> None:
    stranger = PrefectReader("prefect", world.server.url, "dw:wrong")
    with pytest.raises(Forbidden, match="refused the login"):
        await stranger.ping()
    await stranger.close()


async def test_a_failed_run_tells_task_exception_and_log(
    world: World, reader: PrefectReader
) -> None:
    said = await ask(reader, "run_failure", run_id=world.failed.id)
    assert (said["job"], said["status"]) == ("sessions/prod", "FAILED")
    [step] = said["steps_failed"]
    assert step["step"] == "load"
    assert step["error"].startswith("ValueError: duplicate key event_id=42")
    assert said["conf"] == {"fail": True}
    assert (said["assets_planned"], said["assets_materialized"]) == (["raw_sessions"], [])
    assert said["code_version"] == await reader.code_version("sessions/prod")
    log = await ask(reader, "task_log", run_id=world.failed.id, task="load")
    assert any("ValueError" in line for line in log["tail"])
    assert "planted-secret" not in f"{said}{log}"


async def test_what_failed_in_a_part_of_the_time(world: World, reader: PrefectReader) -> None:
    await windows.check(reader)


async def test_a_flow_that_failed_with_no_failed_task_is_named_itself(
    world: World, reader: PrefectReader
) -> None:
    said = await ask(reader, "run_failure", run_id=world.failed_itself.id)
    assert said["steps_failed"] == [
        {"step": "checks-itself", "error": "RuntimeError: no rows for the day"}
    ]


async def test_failed_and_crashed_runs_are_found_by_type(
    world: World, reader: PrefectReader
) -> None:
    crashed = by_hand(world.server, "rollups/prod")["id"]
    state = {"type": "CRASHED", "name": "Pod evicted", "message": "the node went away"}
    world.server.ask("POST", f"/flow_runs/{crashed}/set_state", state=state, force=True)
    runs = {run.id: run for run in await reader.runs_since(LONG_AGO, failed_only=True)}
    assert {world.failed.id, world.failed_itself.id, crashed} <= set(runs)
    assert world.good.id not in runs
    assert (runs[crashed].state, runs[crashed].says) == (
        RunState.FAILED,
        "crashed: the node went away",
    )


async def test_a_failed_flow_that_a_flow_called_is_left_to_the_one_that_called_it(
    world: World, reader: PrefectReader
) -> None:
    """Beside it one that a flow started by its deployment: that is a run of its own."""
    ask = world.server.ask
    outer = by_hand(world.server, "rollups/prod")
    task = {"flow_run_id": outer["id"], "task_key": "inner", "dynamic_key": "0"}
    parent = ask("POST", "/task_runs/", **task)["id"]
    called = ask("POST", "/flow_runs/", flow_id=outer["flow_id"], parent_task_run_id=parent)["id"]
    started = by_hand(world.server, "rollups/staging", parent_task_run_id=parent)["id"]
    for run in (outer["id"], called, started):
        state = {"type": "FAILED", "message": "the same"}
        ask("POST", f"/flow_runs/{run}/set_state", state=state, force=True)
    runs = {run.id for run in await reader.failed_between(LONG_AGO)}
    assert {outer["id"], started} <= runs
    assert called not in runs


async def test_the_last_good_run_is_found(world: World, reader: PrefectReader) -> None:
    """Ours, or a later one that another test has started."""
    runs = await reader.runs_since(LONG_AGO, job="sessions/prod")
    good = [run for run in runs if run.state is RunState.SUCCEEDED]
    newest = max(good, key=lambda run: run.ended_at or LONG_AGO)
    assert world.good.id in {run.id for run in good}
    said = await ask(reader, "last_success", job="sessions/prod")
    assert said["run_id"] == newest.id
    built = await ask(reader, "materialization", asset="raw_sessions")
    assert (built["run_id"], built["partition"]) == (newest.id, newest.partition)


async def test_a_run_is_found_by_its_first_characters(world: World, reader: PrefectReader) -> None:
    assert (await ask(reader, "find_run", short=world.good.id[:8]))["run_id"] == world.good.id


async def test_a_run_that_nobody_takes_up_is_told_as_late(
    world: World, reader: PrefectReader
) -> None:
    run = await reader.run(world.late)
    while "late" not in run.says:  # the time limit of the test ends this
        await asyncio.sleep(0.5)
        run = await reader.run(world.late)
    assert run.state is RunState.QUEUED
    assert "nobody has taken it up" in run.says
    assert "nobody has asked for runs of it ever" in run.says
    said = await ask(reader, "expected", job=run.job)
    assert run.created_at is not None
    assert str(said["due_at"]) <= run.created_at.isoformat()
    assert "Late" in str(said["says"])


async def test_a_paused_deployment_is_told_before_and_after(
    world: World, reader: PrefectReader
) -> None:
    before = await ask(reader, "can_run", job="rollups/held")
    assert before["may"] is False
    assert "paused it in Prefect" in str(before["why"])
    started = by_hand(world.server, "rollups/held")["id"]
    assert "paused it in Prefect" in (await reader.run(started)).says
    assert (await ask(reader, "expected", job="rollups/held"))["held"] == "it is paused"


async def test_what_may_be_run_is_told_with_what_a_person_should_know(
    reader: PrefectReader,
) -> None:
    served = await ask(reader, "can_run", job="sessions/prod", config={"day": "2026-09-28"})
    assert (served["may"], served["but"]) == (True, None)
    unserved = await ask(reader, "can_run", job="rollups/prod")
    assert unserved["may"] is True
    assert "nobody has asked for runs of it" in str(unserved["but"])
    unknown = await ask(reader, "can_run", job="gone/prod")
    assert (unknown["may"], "no deployment gone/prod" in str(unknown["why"])) == (False, True)


@pytest.mark.parametrize("run_id", ["zzz", "7263e593-0bf7-4e4b-ab47-162d4021b33f"])
async def test_an_id_that_nobody_knows_is_not_found(reader: PrefectReader, run_id: str) -> None:
    with pytest.raises(NotFound):
        await reader.run(run_id)


async def test_pinned_read_only_there_is_no_actuator_and_the_reader_can_not_write(
    world: World,
) -> None:
    pinned = night.rules().model_copy(
        update={"connections": {"prefect": _pinned(world.server.url)}}
    )
    secrets = {"prefect": Secrets(token=LOGIN, act_token=LOGIN)}
    catalogue = build(pinned, secrets, acting=True)
    with pytest.raises(Forbidden, match="read-only"):
        catalogue.actuator("prefect")
    reader = catalogue.orchestrator("prefect")
    assert isinstance(reader, PrefectReader)
    with pytest.raises(WriteByReader):
        await reader._api.create_run("x", {"idempotency_key": "k"})
    await catalogue.close()


def _pinned(url: str) -> object:
    known = next(iter(night.rules().connections.values()))
    jobs = {"rollups/prod": {}}
    return type(known).model_validate(
        {"kind": "prefect", "url": url, "read_only": True, "jobs": jobs}
    )

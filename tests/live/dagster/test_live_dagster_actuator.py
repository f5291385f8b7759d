"""The Dagster actuator against a real Dagster with webserver and daemon."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from connectors.dagster import DagsterActuator, DagsterReader
from connectors.dagster.workspace import locate
from connectors.errors import ConnectorError, Forbidden, Rejected, TooSlow, Unreachable
from connectors.http import Patience
from policies.approval import NotApproved
from policies.run import RunState
from tests.building import NOW, a_plan, approved
from tests.live.dagster.proxy import TOKEN, before
from tests.live.dagster.world import JOBS, ROLLUPS_KEY, World, a_job, act

pytestmark = pytest.mark.live
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.fixture
async def read_only(world: World) -> AsyncIterator[DagsterActuator]:
    actuator = DagsterActuator("dagster", world.server.read_only, None, JOBS)
    yield actuator
    await actuator.close()


async def test_a_named_job_ran_to_its_end_with_our_tags(world: World) -> None:
    assert world.good.state is RunState.SUCCEEDED
    assert world.good.assets == ("agg_weekly_engagement",)
    assert world.good.tags["dw/step"] == ROLLUPS_KEY
    assert world.good.tags["dw/incident"] == "DW-1"


async def test_the_same_key_again_is_the_same_run(
    world: World, reader: DagsterReader, actuator: DagsterActuator
) -> None:
    step = a_job("growth_rollups_job")
    again = await asyncio.gather(*(act(actuator, step, ROLLUPS_KEY) for _ in range(3)))
    assert {run.id for run in again} == {world.good.id}
    assert len(await reader.runs_since(LONG_AGO, job="growth_rollups_job")) == 1


async def test_a_run_started_and_not_heard_of_is_found_by_its_key(
    world: World, reader: DagsterReader, actuator: DagsterActuator
) -> None:
    """The answer is lost after the server took the request; looking it up finds the one run."""
    step, key = a_job("rest_job"), "DW-2:rest:0123456789ab"
    async with before(world.server.url, hold_back_start=20) as url:
        hasty = DagsterActuator("dagster", url, TOKEN, JOBS, patience=Patience(whole=5))
        with pytest.raises(TooSlow, match="outcome is unknown"):
            await act(hasty, step, key)
        found = None
        while (
            found is None
        ):  # the server may still be busy with it; the time limit of the test ends this
            found = await hasty.find(key, step)
        await hasty.close()
    assert (await act(actuator, step, key)).id == found.id
    assert [run.id for run in await reader.runs_since(LONG_AGO, job="rest_job")] == [found.id]


async def test_a_step_without_a_yes_starts_nothing(
    reader: DagsterReader, actuator: DagsterActuator
) -> None:
    step, other = a_job("strict_config_job"), a_job("rest_job")
    with pytest.raises(NotApproved):
        await actuator.act(step, approved(a_plan(other)), key="DW-3:x:1", now=NOW)
    assert await reader.runs_since(LONG_AGO, job="strict_config_job") == []


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({}, "Missing required config entry"),
        ({"ops": {"needs_target": {"config": {"target": 1}}}}, "Invalid scalar"),
        ({"ops": {"nope": {}}}, "unexpected config entry"),
    ],
)
async def test_a_configuration_that_is_not_valid_starts_nothing(
    reader: DagsterReader, actuator: DagsterActuator, config: dict[str, object], words: str
) -> None:
    with pytest.raises(Rejected, match=words):
        await act(actuator, a_job("strict_config_job", config=config), f"DW-4:{words}:1")
    assert await reader.runs_since(LONG_AGO, job="strict_config_job") == []


async def test_a_job_that_is_not_there(world: World) -> None:
    actuator = DagsterActuator("dagster", world.server.url, None, frozenset({"gone_job"}))
    with pytest.raises(ConnectorError, match="knows no job gone_job"):
        await act(actuator, a_job("gone_job"), "DW-5:x:1")
    await actuator.close()


async def test_a_read_only_server_starts_nothing(
    reader: DagsterReader, read_only: DagsterActuator
) -> None:
    with pytest.raises(Forbidden, match="Nothing was started"):
        await act(read_only, a_job("growth_rollups_job"), "DW-6:x:1")
    assert len(await reader.runs_since(LONG_AGO, job="growth_rollups_job")) == 1


async def test_a_code_location_that_is_down_is_named(read_only: DagsterActuator) -> None:
    with pytest.raises(Unreachable, match=r"location is down \(finance: "):
        await locate(read_only._graphql, "invoices_job")

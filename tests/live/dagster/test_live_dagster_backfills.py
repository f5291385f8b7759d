"""What a real Dagster says of a backfill that failed in part, and of a run that it starts again by itself."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest

from bot.clock import SystemClock
from connectors.dagster import DagsterActuator, DagsterReader
from policies.backfills import AGAIN
from policies.evidence import Probe
from policies.recognition import Found, Partly, Recognised, recognise_partitions
from policies.run import Run, RunState
from tests.building import a_backfill
from tests.live.dagster.world import World, a_job, act, to_the_end

pytestmark = pytest.mark.live
CLOCK = SystemClock()
DAYS = ("2026-09-02", "2026-09-03", "2026-09-04")
_BACKFILL = """mutation($p: LaunchBackfillParams!) { launchPartitionBackfill(backfillParams: $p) {
  __typename ... on LaunchBackfillSuccess { backfillId } } }"""
STEP = a_backfill(action=AGAIN, params={"assets": ["orders"], "partitions": list(DAYS[:2])})


@pytest.fixture
async def owner(world: World) -> AsyncIterator[httpx.AsyncClient]:
    """A person in Dagster's own pages: the bot has no way to launch a backfill."""
    async with httpx.AsyncClient(base_url=world.server.url, trust_env=False, timeout=30) as client:
        yield client


async def launched(owner: httpx.AsyncClient, *days: str) -> str:
    wish = {"assetSelection": [{"path": ["orders"]}], "partitionNames": days}
    said = await owner.post("/graphql", json={"query": _BACKFILL, "variables": {"p": wish}})
    return str(said.json()["data"]["launchPartitionBackfill"]["backfillId"])


async def ended(reader: DagsterReader, since: datetime, backfill: str, count: int) -> Sequence[Run]:
    """The runs of this backfill, once so many have ended."""
    async with asyncio.timeout(120):
        while True:
            runs = [run for run in await reader.runs_since(since) if run.backfill == backfill]
            if sum(run.state.ended for run in runs) >= count:
                return runs
            await asyncio.sleep(0.5)


async def test_each_partition_of_a_failed_backfill_is_green_by_itself_and_the_last_settles_it(
    world: World, reader: DagsterReader, owner: httpx.AsyncClient
) -> None:
    broken, began = world.server.home / "orders_are_broken", CLOCK.now()
    broken.write_text(" ".join(DAYS[:2]))
    first = await launched(owner, *DAYS)
    await ended(reader, began, first, 3)
    failed = [run for run in await reader.failed_between(began) if run.backfill == first]
    assert sorted(str(run.partition) for run in failed) == list(DAYS[:2])
    assert {run.assets for run in failed} == {("orders",)}

    broken.unlink()
    since = max(run.ended_at for run in failed if run.ended_at) + timedelta(milliseconds=1)

    async def found(day: str) -> Found:
        await ended(reader, since, await launched(owner, day), 1)
        return recognise_partitions(STEP, await reader.runs_since(since), since)

    half = await found(DAYS[0])
    assert isinstance(half, Partly)
    assert half.why == "1 of 2 partitions are green; still to come: 2026-09-03"
    whole = await found(DAYS[1])
    assert isinstance(whole, Recognised)
    assert whole.run.partition == DAYS[1]


async def test_a_run_that_is_started_again_by_itself_is_told_once_by_its_last_try(
    reader: DagsterReader, actuator: DagsterActuator
) -> None:
    began = CLOCK.now() - timedelta(seconds=1)
    first = await to_the_end(
        reader, await act(actuator, a_job("retried_job"), "DW-9:retried:000000000001")
    )
    tries: Sequence[Run] = ()
    async with asyncio.timeout(120):
        while sum(run.state is RunState.FAILED for run in tries) < 2:
            await asyncio.sleep(0.5)
            tries = await reader.runs_since(began, job="retried_job")
    last = next(run for run in tries if run.id != first.id)
    told = [run.id for run in await reader.failed_between(began) if run.job == "retried_job"]
    assert told == [last.id]
    assert await retry(reader, first) == last.id
    assert await retry(reader, last) is None


async def retry(reader: DagsterReader, run: Run) -> Any:
    probe = Probe(connection="dagster", name="run_failure", params={"run_id": run.id})
    evidence = await reader.read(probe, evidence_id="E1", now=CLOCK.now())
    return evidence.value["retry"]

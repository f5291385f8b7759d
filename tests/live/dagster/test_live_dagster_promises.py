"""What a real Dagster says of runs that should come, and of what its assets demand."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.clock import SystemClock
from connectors.dagster import DagsterReader
from policies.evidence import Probe

pytestmark = pytest.mark.live
NOW = datetime(2026, 9, 29, 1, tzinfo=UTC)


async def ask(reader: DagsterReader, name: str, **params: Any) -> Any:
    probe = Probe(connection="dagster", name=name, params=params)
    return (await reader.read(probe, evidence_id="E1", now=NOW)).value


async def test_a_schedule_that_was_only_just_switched_on_owes_no_run(reader: DagsterReader) -> None:
    said = await ask(reader, "expected", job="growth_rollups_job")
    assert (said["due_at"], said["held"]) == (None, None)
    assert said["began_at"] is not None


async def test_a_schedule_that_is_switched_off_is_said_to_be(reader: DagsterReader) -> None:
    said = await ask(reader, "expected", job="always_fails_job")
    assert said["held"] == "always_fails_job_schedule is switched off"


async def test_a_job_that_nothing_starts_by_itself_says_so(reader: DagsterReader) -> None:
    said = await ask(reader, "expected", job="sessions_job")
    assert said["held"] == "it has no schedule and no sensor"


async def test_a_sensor_tells_when_it_was_last_looked_at_and_by_a_daemon_that_is_there(
    reader: DagsterReader,
) -> None:
    said = await ask(reader, "expected", job="rest_job")
    async with asyncio.timeout(60):
        while said["due_at"] is None:
            await asyncio.sleep(0.5)
            said = await ask(reader, "expected", job="rest_job")
    assert said["says"].startswith("its sensor quiet_sensor was last looked at ")
    assert "its daemon last gave a sign at" in said["says"]


async def test_the_freshness_policy_of_an_asset_is_read(reader: DagsterReader) -> None:
    said = await ask(reader, "freshness", asset="agg_weekly_engagement")
    assert said["policy"] == "written within 36h, a warning after 1d"
    assert said["state"] in ("fresh", "unknown")
    assert (await ask(reader, "freshness", asset="stg_sessions"))["policy"] is None


async def test_whether_a_run_would_start_is_told_before_it_is_offered(
    reader: DagsterReader,
) -> None:
    probe = Probe(connection="dagster", name="can_run", params={"job": "sessions_job"})
    now = SystemClock().now()
    told = await reader.read(probe, evidence_id="E1", now=now)
    assert told.value["why"] == "sessions_job runs for a partition, and which one is not known"
    rest = Probe(connection="dagster", name="can_run", params={"job": "rest_job"})
    assert (await reader.read(rest, evidence_id="E1", now=now)).value["may"] is True
    later = await reader.read(rest, evidence_id="E1", now=now + timedelta(hours=1))
    assert "gave its last sign at" in str(later.value["why"])

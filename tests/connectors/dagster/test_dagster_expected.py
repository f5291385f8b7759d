"""Ticks that never came, daemons that died, schedules switched off; and what an asset's own policy demands."""

from typing import Any

import pytest

from policies.evidence import Probe
from tests.building import NOW
from tests.connectors.dagster.fake_dagster import FakeDagster, a_run, runs

JOB = "growth_rollups_job"
PAST, COMING = 1_790_000_000.0, 1_790_086_400.0


def schedule(
    tick: float | None, *, status: str = "SUCCESS", on: bool = True, began: float | None = 1.0
) -> Any:
    error = {"message": "SomeError: no partition\n"} if status == "FAILURE" else None
    ticks = [{"timestamp": tick, "status": status, "error": error}] if tick else []
    state = {
        "status": "RUNNING" if on else "STOPPED",
        "ticks": ticks,
        "typeSpecificData": {"startTimestamp": began},
    }
    times = [PAST, COMING]
    return {
        "name": "nightly",
        "pipelineName": JOB,
        "potentialTickTimestamps": times,
        "scheduleState": state,
    }


def sensor(tick: float) -> Any:
    state = {
        "status": "RUNNING",
        "ticks": [{"timestamp": tick, "status": "SKIPPED", "error": None}],
    }
    return {
        "name": "files",
        "minIntervalSeconds": 30,
        "targets": [{"pipelineName": JOB}],
        "sensorState": state,
    }


async def ask(*schedules: Any, sensors: Any = (), newest: Any = None) -> Any:
    found = {"__typename": "Repository", "schedules": list(schedules), "sensors": list(sensors)}
    fake = FakeDagster(
        DwWorkspace="workspace",
        DwAutomation=lambda _: {"repositoryOrError": found},
        DwRuns=lambda _: runs(*([newest] if newest else [])),
        DwDaemons="daemons_queued",
    )
    probe = Probe(connection="dagster", name="expected", params={"job": JOB})
    return (await fake.reader().read(probe, evidence_id="E1", now=NOW)).value


async def test_a_schedule_that_did_not_fire_is_told_with_the_last_sign_of_its_daemon() -> None:
    said = await ask(schedule(PAST - 86_400))
    assert said["due_at"] == "2026-09-21T14:13:20+00:00"
    assert said["says"].startswith(
        "its schedule nightly did not fire; its daemon last gave a sign at"
    )


async def test_one_that_fired_owes_nothing_also_when_it_skipped() -> None:
    for status in ("SUCCESS", "SKIPPED"):
        assert (await ask(schedule(PAST, status=status)))["due_at"] is None


async def test_one_that_fired_and_failed_says_why() -> None:
    said = await ask(schedule(PAST, status="FAILURE"))
    assert "fired and failed: SomeError: no partition" in said["says"]


async def test_one_that_was_switched_on_after_its_hour_owes_nothing() -> None:
    assert (await ask(schedule(None, began=PAST + 60)))["due_at"] is None
    assert (await ask(schedule(None, began=None)))["due_at"] is None


async def test_one_that_is_switched_off_is_said_to_be() -> None:
    said = await ask(schedule(PAST - 86_400, on=False))
    assert (said["due_at"], said["held"]) == (None, "nightly is switched off")
    assert (await ask())["held"] == "it has no schedule and no sensor"


async def test_a_run_that_waits_for_ever_has_not_begun_and_its_daemon_is_named() -> None:
    said = await ask(schedule(PAST), newest=a_run(5, status="QUEUED", jobName=JOB))
    assert said["due_at"] == "2026-09-21T14:13:25+00:00"
    assert said["says"].startswith("run 00000005 is queued; its daemon last gave a sign at")


async def test_a_sensor_that_nobody_looks_at_any_more_is_told() -> None:
    said = await ask(sensors=[sensor(PAST)])
    assert said["due_at"] == "2026-09-21T14:13:50+00:00"
    assert said["says"].startswith("its sensor files was last looked at 2026-09-21T14:13:20")


async def fresh(policy: Any, status: Any = None, **more: Any) -> Any:
    node = {"internalFreshnessPolicy": policy, "freshnessStatusInfo": status}
    fake = FakeDagster(DwFreshness=lambda _: {"assetNodes": [node]}, **more)
    probe = Probe(connection="dagster", name="freshness", params={"asset": "raw_sessions"})
    return (await fake.reader().read(probe, evidence_id="E1", now=NOW)).value


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (
            {"__typename": "TimeWindowFreshnessPolicy", "failWindowSeconds": 129_600, "warnWindowSeconds": 86_400},
            "written within 36h, a warning after 1d",
        ),
        (
            {
                "__typename": "CronFreshnessPolicy",
                "deadlineCron": "0 8 * * *",
                "lowerBoundDeltaSeconds": 7200,
                "timezone": "Europe/Berlin",
            },
            "written within 2h before 0 8 * * * (Europe/Berlin)",
        ),
    ],
)  # fmt: skip
async def test_a_policy_is_told_in_words_with_how_it_stands(policy: Any, words: str) -> None:
    status = {
        "freshnessStatus": "DEGRADED",
        "freshnessStatusMetadata": {"lastMaterializedTimestamp": PAST},
    }
    said = await fresh(policy, status)
    assert said == {"policy": words, "state": "stale", "at": "2026-09-21T14:13:20+00:00"}


async def test_an_asset_without_a_policy_has_none() -> None:
    assert await fresh(None) == {"policy": None, "state": None, "at": None}


async def test_an_older_server_tells_it_in_its_own_way() -> None:
    old = {
        "freshnessPolicy": {"maximumLagMinutes": 60.0, "cronSchedule": None},
        "freshnessInfo": {"currentLagMinutes": 90.0},
    }
    fake = FakeDagster(DwFreshness=400, DwFreshnessOld=lambda _: {"assetNodes": [old]})
    probe = Probe(connection="dagster", name="freshness", params={"asset": "raw_sessions"})
    said = (await fake.reader().read(probe, evidence_id="E1", now=NOW)).value
    assert said == {"policy": "at most 1h behind", "state": "stale", "at": None}

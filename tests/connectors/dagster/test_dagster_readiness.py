"""Before a button is shown: would a run of this job start, for this partition, and would it not wait for ever?"""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from policies.evidence import Probe
from tests.connectors.dagster.fake_dagster import FakeDagster, recorded

VALID = {"__typename": "PipelineConfigValidationValid"}
_DAEMONS = recorded("daemons_queued")["body"]["data"]["instance"]["daemonHealth"]
SEEN = max(
    datetime.fromtimestamp(one["lastHeartbeatTime"], UTC)
    for one in _DAEMONS["allDaemonStatuses"]
    if one["daemonType"] == "QUEUED_RUN_COORDINATOR"
)
DAYS = ["2026-09-27", "2026-09-28"]


def server(days: list[str] | None = None, config: Any = None, **more: Any) -> FakeDagster:
    told = {"__typename": "Pipeline", "partitionKeysOrError": {"partitionKeys": days or []}}
    known = {
        "DwWorkspace": "workspace",
        "DwPartitions": lambda _: {"pipelineOrError": told},
        "DwConfigValid": lambda _: {"isPipelineConfigValid": config or VALID},
        "DwDaemons": "daemons_queued",
    }
    return FakeDagster(**{**known, **more})


async def asked(fake: FakeDagster, late: timedelta = timedelta(), **params: Any) -> Any:
    params = {"job": "sessions_job", **params}
    probe = Probe(connection="dagster", name="can_run", params=params)
    return (await fake.reader().read(probe, evidence_id="E1", now=SEEN + late)).value


async def test_a_job_that_would_start_may_be_run() -> None:
    assert await asked(server()) == {"may": True, "why": None}
    assert await asked(server(DAYS), partition="2026-09-28") == {"may": True, "why": None}


@pytest.mark.parametrize(
    ("partition", "why"),
    [
        (None, "sessions_job runs for a partition, and which one is not known"),
        ("2026-08-01", "sessions_job has no partition 2026-08-01 (any more)"),
    ],
)
async def test_a_run_that_dagster_would_start_and_let_fail_is_not_offered(
    partition: str | None, why: str
) -> None:
    assert await asked(server(DAYS), partition=partition) == {"may": False, "why": why}


async def test_a_configuration_that_does_not_fit_is_told_before_the_button() -> None:
    config = {"__typename": "RunConfigValidationInvalid", "errors": [{"message": "no target"}]}
    told = await asked(server(config=config))
    assert told == {"may": False, "why": "its configuration is not valid: no target"}


async def test_a_queue_that_nobody_serves_is_told_before_the_button() -> None:
    assert (await asked(server(), timedelta(minutes=4)))["may"] is True
    told = await asked(server(), timedelta(minutes=6))
    assert told["may"] is False
    assert told["why"].startswith("the daemon that takes runs off the queue gave its last sign at ")


async def test_a_server_without_a_queue_needs_no_daemon() -> None:
    none: Any = {"instance": {"daemonHealth": {"allDaemonStatuses": []}}}
    told = await asked(server(DwDaemons=lambda _: none), timedelta(days=1))
    assert told["may"] is True


async def test_a_job_that_is_gone_is_told_before_the_button() -> None:
    gone = await asked(server(), job="gone_job")
    assert gone["may"] is False
    assert "knows no job gone_job" in gone["why"]


async def test_a_server_that_tells_no_partitions_does_not_hold_a_run_up() -> None:
    assert (await asked(server(DwPartitions=400), partition="2026-09-28"))["may"] is True

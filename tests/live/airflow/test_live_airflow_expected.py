"""What a real Airflow 2.11 and 3.3 say of the runs that their schedules promise."""

from datetime import UTC, datetime
from typing import Any

import pytest

from connectors.airflow import AirflowReader
from policies.evidence import Probe
from tests.clock import NIGHT
from tests.live.airflow.world import World

pytestmark = [pytest.mark.live, pytest.mark.timeout(300)]  # the first one waits for both servers
FAR = datetime(2126, 1, 1, tzinfo=UTC)


async def ask(reader: AirflowReader, **params: Any) -> Any:
    probe = Probe(connection="airflow", name="expected", params=params)
    return (await reader.read(probe, evidence_id="E1", now=NIGHT)).value


async def test_the_next_run_of_a_schedule_is_due_and_its_scheduler_is_alive(
    reader: AirflowReader, world: World, major: int
) -> None:
    newest = world.ended[major]["usage_billing_daily"]
    said = await ask(reader, job="usage_billing_daily", at=FAR.isoformat())
    due, began = datetime.fromisoformat(said["due_at"]), datetime.fromisoformat(said["began_at"])
    assert began >= newest.started_at, "other tests start runs of it too"
    assert due > began
    assert said["held"] is None
    assert said["partition"] is not None
    assert said["says"].startswith("Airflow calls its scheduler healthy, last sign at ")


async def test_a_paused_dag_is_said_to_be_paused(reader: AirflowReader) -> None:
    assert (await ask(reader, job="paused_export"))["held"] == "it is paused"


async def test_a_dag_without_a_schedule_owes_no_run(reader: AirflowReader) -> None:
    said = await ask(reader, job="region_loads")
    assert (said["due_at"], said["held"]) == (None, None)

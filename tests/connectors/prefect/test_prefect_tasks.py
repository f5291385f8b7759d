"""What belongs to a run: its tasks by their names, and the flows that it called."""

from datetime import UTC, datetime

import pytest

from tests.connectors.prefect.fake_prefect import (
    FAILED_RUN,
    FakePrefect,
    a_run,
    ask,
    failing,
    recorded,
)

SINCE = datetime(2026, 9, 29, tzinfo=UTC)
RUNS = "/flow_runs/filter"


@pytest.mark.parametrize(
    ("name", "dynamic_key", "step"),
    [
        ("load-567", "567a7d34-d6fb-435d-a779-d6da34f26d40", "load"),
        ("child-0", "0", "child"),
        ("load-2026-09-28", "ae5e0eec-129b-4484-afcb-4428a3a32058", "load-2026-09-28"),
        ("Load - rows-9c2", "9c2492d9-0e59-4d0b-82a1-e93088ab7485", "Load - rows"),
    ],
)
async def test_a_task_goes_by_its_name_also_where_a_person_named_its_run(
    name: str, dynamic_key: str, step: str
) -> None:
    task = recorded("task_runs")["body"][0] | {"name": name, "dynamic_key": dynamic_key}
    fake = failing(tasks=lambda _: [task])
    said = await ask(fake, "run_failure", run_id=FAILED_RUN)
    assert [each["step"] for each in said["steps_failed"]] == [step]
    await ask(fake, "task_log", run_id=FAILED_RUN, task=step)
    assert fake.bodies("/logs/filter")[0]["logs"]["task_run_id"] == {"any_": [task["id"]]}


async def test_the_log_of_a_flow_that_a_flow_called_is_that_of_its_own_run() -> None:
    state = {"type": "FAILED", "state_details": {"child_flow_run_id": "ef599bf1"}}
    known = {"name": "child-0", "dynamic_key": "0", "state": state}
    fake = failing(tasks=lambda _: [recorded("task_runs")["body"][0] | known])
    await ask(fake, "task_log", run_id=FAILED_RUN, task="child")
    [asked] = fake.bodies("/logs/filter")
    assert asked["logs"] == {"level": {"ge_": 40}, "flow_run_id": {"any_": ["ef599bf1"]}}


async def test_a_failed_flow_that_a_flow_called_is_left_to_the_one_that_called_it() -> None:
    called = {"parent_task_run_id": "edf63c43-29c1-41fa-860f-a3d2c28df74d"}
    found = [
        a_run(1, **called, deployment_id=None),
        a_run(2, **called),
        a_run(3, deployment_id=None),
    ]
    reader = FakePrefect({RUNS: lambda _: found}).reader()
    for runs in (
        await reader.runs_since(SINCE, failed_only=True),
        await reader.failed_between(SINCE),
    ):
        assert [run.id[:8] for run in runs] == ["00000002", "00000003"]

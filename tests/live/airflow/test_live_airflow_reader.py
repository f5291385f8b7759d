"""What is read of a real Airflow 2.11 and a real Airflow 3.3, with the narrowest role there is."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from connectors.airflow import AirflowReader
from connectors.airflow.doors import Bearer, Password
from connectors.catalogue import Secrets, build
from connectors.errors import Forbidden, NotFound
from policies.evidence import Probe
from policies.rules import Rules
from policies.run import RunState
from tests.live import windows
from tests.live.airflow.proxy import before
from tests.live.airflow.server import Airflow
from tests.live.airflow.world import LONG_AGO, World, by_owner

pytestmark = [pytest.mark.live, pytest.mark.timeout(300)]  # the first one waits for both servers
NOW = datetime(2026, 9, 29, 1, tzinfo=UTC)
BILLING = "usage_billing_daily"
RAISED = "ValueError: 3,100,000 event ids are there twice"


async def ask(reader: AirflowReader, name: str, **params: Any) -> Any:
    probe = Probe(connection="airflow", name=name, params=params)
    return (await reader.read(probe, evidence_id="E1", now=NOW)).value


async def test_the_version_is_found_out(reader: AirflowReader, major: int) -> None:
    assert (await reader.ping()).version == {2: "Airflow 2.11.2", 3: "Airflow 3.3.2"}[major]


async def test_a_failed_run_is_read_with_its_task_and_log(
    reader: AirflowReader, world: World, major: int
) -> None:
    failed = world.ended[major][BILLING]
    assert failed.state is RunState.FAILED
    value = await ask(reader, "run_failure", run_id=failed.id)
    assert value["steps_failed"] == [{"step": "stg_usage_events", "error": RAISED, "tries": 2}]
    assert sorted(value["steps_not_run"]) == ["fct_daily_usage", "push_usage_to_stripe"]
    assert value["interval"] == failed.interval
    log = await ask(reader, "task_log", run_id=failed.id, task="stg_usage_events", lines=200)
    assert log["error"] == RAISED
    assert f"ds={failed.partition} usage_date=None" in "\n".join(log["tail"])
    assert "planted-in-the-log" not in str(log)


async def test_a_failed_mapped_task_is_named(
    reader: AirflowReader, world: World, major: int
) -> None:
    value = await ask(reader, "run_failure", run_id=world.ended[major]["region_loads"].id)
    assert [step["step"] for step in value["steps_failed"]] == ["load.load_region[1] (eu)"]
    assert "region eu: the stage refused" in value["steps_failed"][0]["error"]


async def test_a_green_run_that_hides_a_failure_says_so(
    reader: AirflowReader, world: World, major: int
) -> None:
    run = await reader.run(world.ended[major]["masked_failure"].id)
    assert (run.state, run.says) == (
        RunState.SUCCEEDED,
        "the run is green although work failed in it",
    )


async def test_failed_runs_of_all_dags_since_a_moment(
    reader: AirflowReader, world: World, major: int
) -> None:
    found = await reader.runs_since(LONG_AGO, failed_only=True)
    assert {run.job for run in found} == {BILLING, "region_loads"}
    last = max(run.ended_at for run in found if run.ended_at)
    assert await reader.runs_since(last + timedelta(seconds=1), failed_only=True) == []


async def test_what_failed_in_a_part_of_the_time(
    reader: AirflowReader, world: World, major: int
) -> None:
    await windows.check(reader)


async def test_a_run_is_found_by_its_logical_date_and_by_when_it_started(
    reader: AirflowReader, world: World, major: int
) -> None:
    run = world.ended[major][BILLING]
    assert run.started_at is not None
    told = (
        {"logical_date": run.tags["logical_date"]},
        {"started_at": run.started_at.replace(microsecond=0).isoformat()},
    )
    for known in told:
        assert (await ask(reader, "find_run", job=BILLING, **known))["run_id"] == run.id


async def test_before_a_button_is_offered_what_stands_in_the_way_is_told(
    reader: AirflowReader,
) -> None:
    good = await ask(reader, "can_run", job=BILLING, config={"usage_date": "2026-10-01"})
    assert good["may"] is True
    wrong = await ask(reader, "can_run", job=BILLING, config={"usage_date": "yesterday"})
    assert "usage_date does not fit" in wrong["why"]
    assert "it is paused" in (await ask(reader, "can_run", job="paused_export"))["why"]
    assert "knows no DAG" in (await ask(reader, "can_run", job="gone"))["why"]


async def test_a_run_queued_in_a_paused_dag_says_that_it_waits_for_ever(
    reader: AirflowReader, server: Airflow
) -> None:
    run = await reader.run(by_owner(server, "paused_export"))
    assert run.state is RunState.QUEUED
    assert "paused: a run would wait, without a word" in run.says


async def test_a_file_that_can_not_be_imported_is_told(reader: AirflowReader) -> None:
    files = (await ask(reader, "import_errors"))["files"]
    assert "No module named 'no_such_module_for_the_test'" in files[0]["error"]


async def test_the_code_a_run_would_use_is_known(reader: AirflowReader, major: int) -> None:
    code = await reader.code_version(BILLING)
    assert code is not None
    assert code.startswith({2: "source ", 3: "version 1"}[major])


async def test_a_run_that_is_not_there(reader: AirflowReader) -> None:
    with pytest.raises(NotFound):
        await reader.run(f"{BILLING}/nope")


async def test_a_wrong_credential_is_a_clear_refusal(server: Airflow, major: int) -> None:
    for door in (Password("airflow", server.url, "viewer", "wrong"), Bearer("planted")):
        reader = AirflowReader("airflow", server.url, door)
        with pytest.raises(Forbidden) as caught:
            await reader.ping()
        assert "nothing was done" in str(caught.value)
        await reader.close()


async def test_a_connection_pinned_read_only_reads_and_has_nothing_that_could_change(
    server: Airflow, world: World, major: int
) -> None:
    async with before(server.url) as proxy:
        catalogue = build(_pinned(proxy.url, major), {"airflow": BOTH}, acting=True)
        assert catalogue.actuators == {}
        assert "pins this connection read-only" in catalogue.no_actuator["airflow"]
        run = world.ended[major][BILLING]
        assert (await catalogue.orchestrator("airflow").run(run.id)).state is run.state
        await catalogue.close()
    assert {line.split()[0] for line in proxy.seen if "/auth/token" not in line} == {"GET"}


BOTH = Secrets(password="viewer", act_token="admin")


def _pinned(url: str, major: int) -> Rules:
    connection = {
        "kind": "airflow",
        "url": url,
        "user": "viewer",
        "act_user": "admin",
        "version": major,
        "read_only": True,
        "jobs": {BILLING: {}},
    }
    domain = {"channels": ["#d"], "assets": ["*"], "chain": [{"who": "owner", "within": "5m"}]}
    return Rules.model_validate(
        {
            "version": 1,
            "alert_channels": ["#d"],
            "senders": [{"app_id": "A1", "system": "airflow", "connection": "airflow"}],
            "connections": {"airflow": connection},
            "domains": {"billing": domain},
        }
    )

"""Every orchestrator, asked for what failed in a piece of time: counted before it is read, and cut off at its end."""

from datetime import timedelta
from typing import Any

import httpx
import pytest

from connectors.errors import TooMany
from tests.connectors.airflow.fake_airflow import FakeAirflow, Major
from tests.connectors.dagster.fake_dagster import FakeDagster
from tests.connectors.dagster.fake_dagster import a_run as dagster_run
from tests.connectors.dagster.fake_dagster import runs as dagster_runs
from tests.connectors.dbt_cloud.account import START, Account
from tests.connectors.prefect.fake_prefect import FakePrefect
from tests.connectors.prefect.fake_prefect import a_run as prefect_run

UNTIL = START + timedelta(hours=2)


@pytest.mark.parametrize("major", [2, 3])
async def test_airflow_tells_how_many_there_are_on_its_first_page(major: Major) -> None:
    told = {"dag_runs": [], "total_entries": 20_000}
    fake = FakeAirflow(major).gets("dags/~/dagRuns", lambda _: httpx.Response(200, json=told))
    with pytest.raises(TooMany, match="20,000 runs fit, and 1,000 are read in one go"):
        await fake.reader().failed_between(START, UNTIL, most=1000)
    [asked] = [r for r in fake.asked if r.url.path.endswith("dagRuns")]
    ends = {name: asked.url.params[name] for name in ("end_date_gte", "end_date_lte")}
    assert ends["end_date_gte"] < ends["end_date_lte"]
    assert asked.url.params["order_by"] == "end_date"


async def test_dagster_tells_how_many_there_are_on_its_first_page() -> None:
    asked: list[Any] = []

    def page(variables: Any) -> Any:
        asked.append(variables["filter"])
        return dagster_runs(dagster_run(1), count=20_000)

    fake = FakeDagster(DwRuns=page)
    with pytest.raises(TooMany):
        await fake.reader().failed_between(START, UNTIL, most=1000)
    [wanted] = asked
    assert wanted["updatedAfter"] == START.timestamp()
    assert wanted["updatedBefore"] == UNTIL.timestamp()
    assert wanted["statuses"] == ["FAILURE"]


async def test_prefect_is_asked_for_the_number_before_any_page() -> None:
    fake = FakePrefect({"/flow_runs/count": lambda _: 20_000, "/flow_runs/filter": lambda _: []})
    with pytest.raises(TooMany):
        await fake.reader().failed_between(START, UNTIL, most=1000)
    assert fake.bodies("/flow_runs/filter") == []
    [body] = fake.bodies("/flow_runs/count")
    ends = {"after_": START.isoformat(), "before_": UNTIL.isoformat()}
    assert body["flow_runs"]["end_time"] == ends
    assert body["flow_runs"]["state"] == {"type": {"any_": ["FAILED", "CRASHED"]}}


async def test_prefect_with_few_failures_tells_them_all() -> None:
    fake = FakePrefect(
        {"/flow_runs/count": lambda _: 2, "/flow_runs/filter": lambda _: [prefect_run(1)]}
    )
    assert len(await fake.reader().failed_between(START, UNTIL, most=1000)) == 1


async def test_dbt_cloud_is_cut_off_at_the_end_of_the_time_and_counted_afterwards() -> None:
    account = Account()
    for _ in range(120):
        account.ran(20)
    until = START + timedelta(minutes=30)
    found = await account.reader().failed_between(START, until, most=1000)
    assert 0 < len(found) < 120
    assert max(run.ended_at for run in found if run.ended_at) <= until
    with pytest.raises(TooMany):
        await account.reader().failed_between(START, most=100)

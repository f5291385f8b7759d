"""Two estates of 600 DAGs each: what a look costs follows the failures, never the number of DAGs."""

from datetime import timedelta

import pytest

from tests.connectors.airflow.estate import NOW, Estate
from tests.connectors.airflow.fake_airflow import Major

BOTH: tuple[Major, ...] = (2, 3)
SINCE = NOW - timedelta(hours=2)


async def cost(major: Major, *, dags: int, failed: int) -> int:
    """The requests of a look, once it is known which version it is."""
    estate = Estate(major, dags=dags, failed=failed)
    reader = estate.reader()
    await reader.runs_since(SINCE, failed_only=True)
    before = estate.asked
    found = await reader.runs_since(SINCE, failed_only=True)
    assert len({run.id for run in found}) == failed
    return estate.asked - before


@pytest.mark.parametrize("major", BOTH)
@pytest.mark.parametrize("dags", [1, 600])
async def test_a_look_at_a_quiet_estate_is_one_request(major: Major, dags: int) -> None:
    assert await cost(major, dags=dags, failed=0) == 1


@pytest.mark.parametrize("major", BOTH)
async def test_a_look_costs_one_request_for_each_hundred_failures(major: Major) -> None:
    assert await cost(major, dags=600, failed=40) == 1
    assert await cost(major, dags=600, failed=300) == 4


async def test_1200_dags_on_two_estates_cost_two_requests_a_look() -> None:
    assert sum([await cost(major, dags=600, failed=20) for major in BOTH]) == 2

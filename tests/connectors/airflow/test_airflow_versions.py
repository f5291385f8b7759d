"""Which version it is, found out at the address that people copy, and found out anew after an upgrade."""

from datetime import UTC, datetime

import httpx
import pytest

from connectors.airflow.api import base_of
from connectors.errors import Broken, Forbidden, NotFound, Unreachable
from tests.connectors.airflow.fake_airflow import DAG, FakeAirflow, Major, response

LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)
RUNS = f"dags/{DAG}/dagRuns"


@pytest.mark.parametrize(("major", "text"), [(2, "2.11.2"), (3, "3.3.2")])
async def test_the_version_is_found_out_below_the_path_of_the_address(
    major: Major, text: str
) -> None:
    fake = FakeAirflow(major).gets("dags", "failed_none")
    health = await fake.reader().ping()
    assert health.version == f"Airflow {text}"
    assert fake.asked[0].url.path == "/prod/api/v2/version"


async def test_a_good_version_proves_nothing_about_the_credential() -> None:
    with pytest.raises(Forbidden):
        await FakeAirflow(3).gets("dags", "not_authenticated").reader().ping()


async def test_ping_tells_what_is_wrong_with_a_named_dag_and_with_the_pin() -> None:
    fake = FakeAirflow(2).gets("dags", "failed_none").gets(f"dags/{DAG}", "dag_paused")
    assert f"{DAG}: it is paused" in (await fake.reader().ping()).says


async def test_after_an_upgrade_the_version_is_found_out_anew_and_the_read_repeated() -> None:
    fake = FakeAirflow(2).gets(RUNS, "failed_none")
    reader = fake.reader()
    assert await reader.runs_since(LONG_AGO, job=DAG) == []
    fake.major = 3
    fake.posts("/auth/token", "token")
    assert await reader.runs_since(LONG_AGO, job=DAG) == []
    assert [r.url.path[6:13] for r in fake.asked[-4:]] == [
        "api/v1/",
        "api/v2/",
        "auth/to",
        "api/v2/",
    ]


async def test_a_run_that_is_not_there_is_no_reason_to_look_for_another_version() -> None:
    fake = FakeAirflow(3)
    with pytest.raises(NotFound):
        await fake.reader().run(f"{DAG}/nope")
    assert fake.count("GET", "version") == 1


async def test_an_address_of_something_else_is_told() -> None:
    fake = FakeAirflow(2).gets("version", lambda _: httpx.Response(200, text="<html>"))
    with pytest.raises(NotFound, match="no Airflow 2 or 3 at this address"):
        await fake.reader().ping()


async def test_a_version_nobody_knows_yet_is_not_treated_like_one_that_is_known() -> None:
    fake = FakeAirflow(3).gets("version", lambda _: httpx.Response(200, json={"version": "4.0.0"}))
    with pytest.raises(NotFound, match="no Airflow 2 or 3"):
        await fake.reader().ping()


@pytest.mark.parametrize(
    ("answer", "error"), [(502, Broken), (httpx.ConnectError("x"), Unreachable), (302, Forbidden)]
)
async def test_a_server_in_trouble_is_not_an_unknown_server(
    answer: int | Exception, error: type[Exception]
) -> None:
    with pytest.raises(error):
        await FakeAirflow(3).gets("version", answer).reader().ping()


@pytest.mark.parametrize(
    ("copied", "base"),
    [
        ("https://x.astronomer.run/dabc/home?orgId=1", "https://x.astronomer.run/dabc"),
        ("https://airflow.example.com/", "https://airflow.example.com"),
        ("https://airflow.example.com/home", "https://airflow.example.com"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
    ],
)
def test_the_address_may_be_the_one_in_the_browser(copied: str, base: str) -> None:
    assert base_of(copied) == base


async def test_a_run_id_with_signs_in_it_is_one_part_of_the_path() -> None:
    run = "scheduled__2026-11-29T00:00:00+00:00"
    fake = FakeAirflow(3).gets(f"{RUNS}/{run}", lambda _: response("v2_run_failed"))
    await fake.reader().run(f"{DAG}/{run}")
    assert fake.asked[-1].url.raw_path.endswith(b"scheduled__2026-11-29T00%3A00%3A00%2B00%3A00")

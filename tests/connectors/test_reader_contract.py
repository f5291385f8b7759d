"""What every reader must do, whatever it reads. A new reader is one more row in `CASES`."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import ValidationError

from connectors.airflow import AirflowReader
from connectors.base import Reader
from connectors.dagster import DagsterReader
from connectors.duckdb import DuckDBReader
from connectors.errors import (
    Broken,
    ConnectorError,
    Final,
    Forbidden,
    NotFound,
    Throttled,
    TooSlow,
    Transient,
)
from connectors.http import Patience
from connectors.postgres import PostgresReader
from policies.evidence import Probe
from tests.connectors.airflow.fake_airflow import DAG, FakeAirflow, Major
from tests.connectors.dagster.fake_dagster import FakeDagster
from tests.connectors.dbt_cloud.account import ROOT, Account
from tests.connectors.prefect.fake_prefect import FakePrefect
from tests.postgres_server import Server, free_port

pytestmark = pytest.mark.loopback
NOW = datetime(2026, 9, 29, 1, tzinfo=UTC)
HURRIED = Patience(whole=0.4, connect=0.2, pause=0.01)
DAY = {"table": "sessions", "time": "started_at", "day": "2026-09-28"}
ENDLESS = {
    "sql": "select count(*) from sessions a, sessions b, sessions c, sessions d where a.id + b.id > d.id",
    "days": ["2026-09-28"],
}


@dataclass(frozen=True, kw_only=True)
class Case:
    """One kind of reader: a good question, and the same reader in trouble."""

    well: Reader
    question: Probe
    slow: Reader
    long: Probe
    gone: Reader
    refused: Reader | None = None
    throttled: Reader | None = None
    broken: Reader | None = None
    may_not: Reader | None = None


def probe(name: str, **params: Any) -> Probe:
    return Probe(connection="store", name=name, params=params)


def dagster(_request: pytest.FixtureRequest) -> Case:
    question = probe("materialization", asset="raw_sessions")
    good = {
        "DwVersion": "version",
        "DwPermissions": "permissions",
        "DwMaterialization": "materialization",
    }
    every = tuple(good)

    def ailing(answer: Any) -> DagsterReader:
        return FakeDagster(**dict.fromkeys(every, answer)).reader()

    return Case(
        well=FakeDagster(**good).reader(),
        question=question,
        slow=ailing(httpx.ReadTimeout("x")),
        long=question,
        gone=ailing(httpx.ConnectError("x")),
        refused=ailing(401),
        throttled=ailing(429),
        broken=ailing(500),
        may_not=ailing(403),
    )


def prefect(_request: pytest.FixtureRequest) -> Case:
    question = probe("last_success", job="growth-rollups/prod")
    good: dict[str, Any] = {
        "/admin/version": "version",
        "/flow_runs/count": "count",
        "/flow_runs/filter": "runs_failed",
    }

    def ailing(answer: Any) -> Reader:
        return FakePrefect(dict.fromkeys(good, answer)).reader()

    return Case(
        well=FakePrefect(good).reader(),
        question=question,
        slow=ailing(httpx.ReadTimeout("x")),
        long=question,
        gone=ailing(httpx.ConnectError("x")),
        refused=ailing(401),
        throttled=ailing(429),
        broken=ailing(500),
        may_not=ailing(403),
    )


def airflow(major: Major) -> Callable[[pytest.FixtureRequest], Case]:
    runs = f"dags/{DAG}/dagRuns"
    question = probe("last_success", job=DAG)

    def ailing(answer: Any) -> AirflowReader:
        return FakeAirflow(major, **{"GET version": answer, f"GET {runs}": answer}).reader()

    def made(_request: pytest.FixtureRequest) -> Case:
        well = FakeAirflow(major).gets("dags", "failed_none").gets(runs, "failed_none")
        return Case(
            well=well.reader(),
            question=question,
            slow=ailing(httpx.ReadTimeout("x")),
            long=question,
            gone=ailing(httpx.ConnectError("x")),
            refused=FakeAirflow(major).gets(runs, "forbidden").reader(),
            throttled=ailing(429),
            broken=ailing(500),
            may_not=ailing(403),
        )

    made.__name__ = f"airflow{major}"
    return made


AIRFLOWS = [airflow(2), airflow(3)]


def dbt_cloud(_request: pytest.FixtureRequest) -> Case:
    question = probe("last_success", job="Daily build")

    def ailing(trouble: Any) -> Reader:
        account = Account()
        account.trouble = dict.fromkeys((f"{ROOT}/", f"{ROOT}/jobs/", f"{ROOT}/runs/"), trouble)
        return account.reader()

    return Case(
        well=Account().reader(),
        question=question,
        slow=ailing(httpx.ReadTimeout("x")),
        long=question,
        gone=ailing(httpx.ConnectError("x")),
        refused=ailing(401),
        throttled=ailing(429),
        broken=ailing(500),
        may_not=ailing(403),
    )


def postgres(request: pytest.FixtureRequest) -> Case:
    server: Server = request.getfixturevalue("postgres")
    nobody = f"postgresql://reader@127.0.0.1:{free_port()}/postgres"
    return Case(
        well=PostgresReader("store", server.dsn(user="reader")),
        question=probe("rows_of_day", **DAY),
        slow=PostgresReader("store", server.dsn(user="reader"), patience=HURRIED),
        long=probe("scalar_by_day", **ENDLESS),
        gone=PostgresReader("store", nobody),
        refused=PostgresReader("store", server.dsn(user="locked"), "wrong"),
    )


def duckdb(request: pytest.FixtureRequest) -> Case:
    file: Path = request.getfixturevalue("warehouse")
    return Case(
        well=DuckDBReader("store", file),
        question=probe("rows_of_day", **DAY),
        slow=DuckDBReader("store", file, patience=HURRIED),
        long=probe("scalar_by_day", **ENDLESS),
        gone=DuckDBReader("store", file.with_name("nowhere.duckdb")),
    )


CASES: list[Callable[[pytest.FixtureRequest], Case]] = [
    dagster,
    prefect,
    *AIRFLOWS,
    dbt_cloud,
    postgres,
    duckdb,
]
WITH_LOGIN = [dagster, prefect, *AIRFLOWS, dbt_cloud, postgres]
OVER_HTTP = [dagster, prefect, *AIRFLOWS, dbt_cloud]


@pytest.fixture(params=CASES, ids=lambda case: case.__name__)
def case(request: pytest.FixtureRequest) -> Case:
    return request.param(request)


async def read(reader: Reader | None, question: Probe) -> Any:
    assert reader is not None
    return await reader.read(question, evidence_id="E1", now=NOW)


async def test_ping_tells_a_version(case: Case) -> None:
    assert (await case.well.ping()).version


async def test_an_answer_is_evidence_in_plain_json_that_says_where_it_came_from(case: Case) -> None:
    evidence = await read(case.well, case.question)
    assert json.loads(json.dumps(evidence.value)) == evidence.value
    assert evidence.value
    assert evidence.query
    assert (evidence.id, evidence.at, evidence.probe) == ("E1", NOW, case.question)
    assert evidence.answered


async def test_an_unknown_question_is_refused_and_the_known_ones_are_named(case: Case) -> None:
    with pytest.raises(NotFound, match=r"no probe 'drop_table'; it knows") as caught:
        await read(case.well, probe("drop_table"))
    assert case.question.name in str(caught.value)


async def test_a_misspelt_parameter_is_refused(case: Case) -> None:
    misspelt = probe(case.question.name, **dict(case.question.params), tabel="x")
    with pytest.raises(ValidationError):
        await read(case.well, misspelt)


async def test_no_answer_in_time_is_too_slow(case: Case) -> None:
    with pytest.raises(TooSlow):
        await read(case.slow, case.long)


async def test_nobody_there_is_an_error_that_names_the_connection(case: Case) -> None:
    with pytest.raises(ConnectorError, match=f"^{case.gone.connection}: "):
        await case.gone.ping()


@pytest.mark.parametrize("case", WITH_LOGIN, indirect=True, ids=lambda case: case.__name__)
async def test_a_refused_credential_is_forbidden_and_final(case: Case) -> None:
    with pytest.raises(Forbidden) as caught:
        await read(case.refused, case.question)
    assert isinstance(caught.value, Final)


@pytest.mark.parametrize("case", OVER_HTTP, indirect=True, ids=lambda case: case.__name__)
async def test_being_asked_to_wait_is_throttled_and_transient(case: Case) -> None:
    with pytest.raises(Throttled) as caught:
        await read(case.throttled, case.question)
    assert isinstance(caught.value, Transient)
    assert caught.value.retry_after > 0


@pytest.mark.parametrize("case", OVER_HTTP, indirect=True, ids=lambda case: case.__name__)
async def test_a_server_in_trouble_is_broken_and_transient(case: Case) -> None:
    with pytest.raises(Broken) as caught:
        await read(case.broken, case.question)
    assert isinstance(caught.value, Transient)


@pytest.mark.parametrize("case", OVER_HTTP, indirect=True, ids=lambda case: case.__name__)
async def test_a_credential_that_may_not_is_told_once_and_not_tried_again(case: Case) -> None:
    with pytest.raises(Forbidden) as caught:
        await read(case.may_not, case.question)
    assert isinstance(caught.value, Final)


async def test_it_can_be_closed_and_closed_again(case: Case) -> None:
    await case.well.close()
    await case.well.close()

"""Before a button is offered: would the run start, would it run, and would it be the same run?"""

import json
from typing import Any
from urllib.parse import parse_qsl

import httpx
import pytest

from connectors.airflow.answers import Version
from connectors.airflow.pages import Start, start
from connectors.airflow.params import CanRun
from policies.evidence import Probe
from tests.connectors.airflow.fake_airflow import DAG, URL, FakeAirflow, Major, response
from tests.connectors.airflow.test_airflow_reader import NOW

DETAILS = f"dags/{DAG}/details"
DAY = "2026-11-29T00:00:00Z/2026-11-30T00:00:00Z"


async def can_run(fake: FakeAirflow, **params: Any) -> Any:
    probe = Probe(connection="airflow", name="can_run", params={"job": DAG, **params})
    return (await fake.reader().read(probe, evidence_id="E1", now=NOW)).value


def known(major: Major, **changes: Any) -> FakeAirflow:
    return FakeAirflow(major).gets(DETAILS, lambda _: response(f"v{major - 1}_details", **changes))


@pytest.mark.parametrize("major", [2, 3])
async def test_a_run_that_would_start_may_with_what_a_person_needs_to_start_it(
    major: Major,
) -> None:
    value = await can_run(known(major), config={"usage_date": "2026-11-29"})
    assert (value["may"], value["why"]) == (True, None)
    assert value["defaults"] == {"fail": None, "usage_date": None, "batch": 100}
    assert value["link"].startswith(f"{URL}/dags/{DAG}")
    asked = '{"usage_date": "2026-11-29"}'
    assert value["command"] == f"airflow dags trigger {DAG} --conf '{asked}'"


async def test_for_an_interval_the_command_says_which_one() -> None:
    told = (await can_run(known(3), interval=DAY))["command"]
    assert told.startswith(f"curl -X POST {URL}/api/v2/dags/{DAG}/dagRuns")
    assert '"logical_date": "2026-11-29T00:00:00.000001Z"' in told
    assert '"data_interval_end": "2026-11-30T00:00:00Z"' in told
    assert "$AIRFLOW_TOKEN" in told


@pytest.mark.parametrize(
    ("major", "changes", "why"),
    [
        (2, {"is_paused": True}, "it is paused"),
        (3, {"is_paused": True}, "it is paused"),
        (2, {"is_active": False}, "gone from the code"),
        (3, {"is_stale": True}, "gone from the code"),
        (3, {"has_import_errors": True}, "import error"),
        (2, {"has_import_errors": True, "is_paused": True}, "import error"),
    ],
)
async def test_what_stands_in_the_way_is_told(major: Major, changes: Any, why: str) -> None:
    value = await can_run(known(major, **changes))
    assert value["may"] is False
    assert why in value["why"]


@pytest.mark.parametrize("major", [2, 3])
@pytest.mark.parametrize(
    ("config", "why"),
    [
        ({"batch": "many"}, "batch does not fit: 'many' is not of type 'integer'"),
        ({"batch": 5000}, "greater than the maximum"),
        ({"usage_date": "yesterday"}, "usage_date does not fit"),
        ({"api_key": "planted"}, "looks like a secret"),
    ],
)
async def test_a_configuration_that_would_be_refused_is_told(
    major: Major, config: Any, why: str
) -> None:
    value = await can_run(known(major), config=config)
    assert value["may"] is False
    assert why in value["why"]


async def test_a_key_that_is_no_parameter_is_no_reason() -> None:
    assert (await can_run(known(2), config={"region": "eu"}))["may"] is True


async def test_a_dag_nobody_knows() -> None:
    value = await can_run(FakeAirflow(3).gets(DETAILS, "dag_unknown"))
    assert (value["may"], value["why"]) == (False, f"it knows no DAG {DAG}")


async def test_an_airflow_too_old_to_be_told_the_interval_says_so() -> None:
    fake = known(2).gets("version", lambda _: httpx.Response(200, json={"version": "2.8.4"}))
    value = await can_run(fake, interval=DAY)
    assert value["may"] is False
    assert "Airflow 2.8.4 can't be told for which interval" in value["why"]
    assert (await can_run(fake))["may"] is True


async def test_the_code_of_a_dag_is_its_version_or_a_hash_of_its_source() -> None:
    versions = {"dag_versions": [{"version_number": 3, "bundle_version": "a1b2c3d4e5f6a7"}]}
    new = FakeAirflow(3).gets(
        f"dags/{DAG}/dagVersions", lambda _: httpx.Response(200, json=versions)
    )
    assert await new.reader().code_version(DAG) == "version 3 (a1b2c3d4e5f6)"
    token = response("v1_dag").json()["file_token"]
    source = httpx.Response(200, json={"content": "x = 1"})
    old = FakeAirflow(2).gets(f"dags/{DAG}", "dag").gets(f"dagSources/{token}", lambda _: source)
    assert await old.reader().code_version(DAG) == "source 8ff436def145"


async def test_where_the_source_may_not_be_read_the_code_is_not_known() -> None:
    fake = FakeAirflow(2).gets(f"dags/{DAG}", "forbidden")
    assert await fake.reader().code_version(DAG) is None


def starting(text: str, config: Any = None, **params: Any) -> Start:
    """Where a person starts a run on an Airflow of this version."""
    major, minor = text.split(".")
    version = Version(text=text, major=int(major), minor=int(minor))
    return start(URL, version, CanRun(job=DAG, config=config or {}, **params))


@pytest.mark.parametrize("text", ["2.7", "2.9", "2.10", "2.11"])
def test_the_form_of_airflow_2_is_filled_in_field_by_field_too(text: str) -> None:
    """Its fields overwrite `conf` when it is sent."""
    conf = {"fail": False, "usage_date": "2026-11-29", "batch": 7, "more": None, "run_id": "x"}
    page, _, query = starting(text, conf).link.partition("?")
    assert page == f"{URL}/dags/{DAG}/trigger"
    fields = dict(parse_qsl(query, keep_blank_values=True))
    assert json.loads(fields.pop("conf")) == conf
    told = {"fail": "false", "usage_date": "2026-11-29", "batch": "7", "more": ""}
    assert fields == told, "a parameter that is called like a field of the form's own stays in conf"


@pytest.mark.parametrize(
    ("text", "page", "words"),
    [
        ("2.3", f"trigger?dag_id={DAG}&conf=", "opens filled in: compare"),
        ("2.6", f"trigger?dag_id={DAG}&conf=", "opens: put the configuration in"),
        ("2.7", f"dags/{DAG}/trigger?conf=", "opens: put the configuration in"),
        ("2.11", f"dags/{DAG}/trigger?conf=", "opens filled in: compare"),
        ("3.0", f"dags/{DAG}", "press Trigger at the top right"),
        ("3.1", f"dags/{DAG}", "press Trigger at the top right"),
        ("3.2", f"dags/{DAG}", "press Trigger at the top right"),
        ("3.3", f"dags/{DAG}", "press Trigger at the top right"),
        ("3.4", f"dags/{DAG}", "press Trigger at the top right"),
    ],
)
def test_the_link_leads_as_near_to_the_form_as_that_version_lets_it(
    text: str, page: str, words: str
) -> None:
    found = starting(text)
    assert found.link.removeprefix(f"{URL}/").partition("%7B")[0] == page
    assert words in found.press


@pytest.mark.parametrize("text", ["2.11", "3.3"])
def test_where_an_interval_counts_no_form_is_offered_but_the_command(text: str) -> None:
    found = starting(text, interval=DAY)
    assert found.link.removesuffix("/grid") == f"{URL}/dags/{DAG}"
    assert found.press.startswith("Run the command: it says for which interval")


def test_a_configuration_too_long_for_an_address_is_not_promised_to_be_filled_in() -> None:
    found = starting("2.11", {"ids": ["2026-11-29"] * 200})
    assert found.link == f"{URL}/dags/{DAG}/trigger"
    assert found.press.startswith("The form opens: put the configuration in")

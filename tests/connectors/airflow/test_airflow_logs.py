"""The end of a task's log: short, without secrets, with the exception; whatever form it comes in."""

import json
from typing import Any

import httpx
import pytest

from connectors.errors import ConnectorError, NotFound, TooSlow
from policies.evidence import Probe
from tests.connectors.airflow.fake_airflow import DAG, RUN, FakeAirflow, Major
from tests.connectors.airflow.test_airflow_reader import NOW

LOG = f"dags/{DAG}/dagRuns/story-1/taskInstances/t/logs/1"
TRACE = """[2026-11-30T20:04:45.763+0000] {runner.py:1} INFO - begins
Traceback (most recent call last):
  File "a.py", line 1, in work
psycopg2.errors.UndefinedColumn: no
Traceback (most recent call last):
sqlalchemy.exc.ProgrammingError: (psycopg2.errors) column "x" does not exist
LINE 1: select x
[2026-11-30T20:04:45.785+0000] {runner.py:2} INFO - Task exited with return code 1
"""


async def log(fake: FakeAirflow, **params: Any) -> Any:
    asked = {"run_id": RUN, "task": "t", "try_number": 1, **params}
    probe = Probe(connection="airflow", name="task_log", params=asked)
    return (await fake.reader().read(probe, evidence_id="E1", now=NOW)).value


def with_log(major: Major, text: str, kind: str = "text/plain") -> FakeAirflow:
    answer = httpx.Response(200, text=text, headers={"content-type": kind})
    return FakeAirflow(major).gets(LOG, lambda _: answer)


def events(*told: dict[str, Any]) -> str:
    return "\n".join(json.dumps(event) for event in told)


@pytest.mark.parametrize(("major", "accept"), [(2, "text/plain"), (3, "application/x-ndjson")])
async def test_each_version_is_asked_in_the_form_that_can_be_read_from_its_end(
    major: Major, accept: str
) -> None:
    fake = FakeAirflow(major).gets(LOG, "log")
    value = await log(fake, lines=3)
    assert fake.asked[-1].headers["accept"] == accept
    assert len(value["tail"]) == 3
    assert value["error"].startswith('RuntimeError: column "org_id"')


async def test_the_last_exception_of_a_chain_counts_with_what_follows_it() -> None:
    value = await log(with_log(2, TRACE))
    assert value["error"].startswith("ProgrammingError: (psycopg2.errors) column")
    assert value["error"].endswith("LINE 1: select x")


async def test_a_log_without_an_exception_has_none() -> None:
    assert (await log(with_log(2, "all is well\n")))["error"] is None


async def test_a_chain_of_airflow_3_is_told_from_the_outside_in() -> None:
    chain = [
        {"exc_type": "LoadFailed", "exc_value": "day 1"},
        {"exc_type": "OSError", "exc_value": "disk full"},
    ]
    value = await log(with_log(3, events({"event": "failed", "error_detail": chain})))
    assert value["error"] == "LoadFailed: day 1 (caused by OSError: disk full)"


async def test_a_first_line_that_is_cut_off_is_left_out() -> None:
    value = await log(with_log(3, '"event": "half"}\n' + events({"event": "whole"})))
    assert value["tail"] == ["whole"]


async def test_where_lines_are_not_spoken_the_whole_answer_is_read() -> None:
    whole = json.dumps({"content": [{"event": "a"}, "b"], "continuation_token": None})
    assert (await log(with_log(3, whole)))["tail"] == ["a", "b"]


async def test_secrets_do_not_leave_the_log() -> None:
    lines = (
        "password=planted-one",
        "Authorization: Bearer planted-two-two",
        "postgresql://etl:planted-three@db/x",
        "export AWS_SECRET_ACCESS_KEY='planted four'",
        "ours is planted-secret",
        "-----BEGIN RSA PRIVATE KEY-----\nplanted-five\n-----END RSA PRIVATE KEY-----",
    )
    tail = "\n".join((await log(with_log(2, "\n".join(lines))))["tail"])
    assert "planted" not in tail
    assert tail.count("***") == len(lines)


async def test_only_the_end_of_a_long_log_is_kept() -> None:
    long = "\n".join(f"line {n}" for n in range(100_000))
    assert (await log(with_log(2, long), lines=2))["tail"] == ["line 99998", "line 99999"]


async def test_a_log_beyond_all_measure_is_said_to_be_one() -> None:
    with pytest.raises(TooSlow, match="longer than 50 MB"):
        await log(with_log(2, "x" * 50_000_001))


async def test_without_a_try_the_last_one_is_read_and_a_mapped_task_needs_its_index() -> None:
    path = f"dags/{DAG}/dagRuns/story-1/taskInstances"
    fake = FakeAirflow(2).gets(path, "tasks").gets(f"{path}/stg_usage_events/logs/2", "log")
    value = await log(fake, task="stg_usage_events", try_number=None)
    assert value["try_number"] == 2
    with pytest.raises(ConnectorError, match="needs its map_index"):
        await log(fake, task="nobodys", try_number=None)


async def test_a_try_that_never_was_is_not_found() -> None:
    with pytest.raises(NotFound):
        await log(FakeAirflow(3).gets(LOG, "log_none"))


async def test_a_log_that_can_not_be_read_does_not_hide_the_failure() -> None:
    runs = f"dags/{DAG}/dagRuns/story-1"
    fake = FakeAirflow(2).gets(runs, "run_failed").gets(f"{runs}/taskInstances", "tasks")
    fake.gets(f"{runs}/taskInstances/stg_usage_events/logs/2", 502)
    probe = Probe(connection="airflow", name="run_failure", params={"run_id": RUN})
    value: Any = (await fake.reader().read(probe, evidence_id="E1", now=NOW)).value
    assert "its log could not be read" in value["steps_failed"][0]["error"]

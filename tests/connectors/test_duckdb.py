"""A DuckDB file that the pipeline also writes: waiting, giving up, and never reaching outside."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest

from connectors.duckdb import DuckDBReader
from connectors.errors import Broken, NotFound, Rejected, TooSlow, Unreachable
from connectors.http import Patience
from policies.evidence import Evidence, Probe

NOW = datetime(2026, 9, 29, 1, tzinfo=UTC)
HOLD = (
    "import duckdb, sys, time; c = duckdb.connect(sys.argv[1]); print(flush=True); time.sleep({})"
)
ENDLESS = (
    "select count(*) from sessions a, sessions b, sessions c, sessions d where a.id + b.id > d.id"
)


@contextmanager
def held(file: Path, seconds: float) -> Iterator[None]:
    """Another process writes the file."""
    line = [sys.executable, "-c", HOLD.format(seconds), str(file)]
    with subprocess.Popen(line, stdout=subprocess.PIPE) as process:  # noqa: S603 - our own words
        assert process.stdout is not None
        process.stdout.readline()
        yield
        process.kill()


async def ask(reader: DuckDBReader, sql: str = "select count(*) from orders") -> Evidence:
    params = {"sql": sql, "days": ["2026-09-28"]}
    probe = Probe(connection="wh", name="scalar_by_day", params=params)
    return await reader.read(probe, evidence_id="E1", now=NOW)


async def test_ping_tells_the_version(warehouse: Path) -> None:
    assert (await DuckDBReader("wh", warehouse).ping()).version == f"DuckDB v{duckdb.__version__}"


async def test_a_read_waits_until_the_pipeline_is_done(warehouse: Path) -> None:
    with held(warehouse, 0.5):
        assert (await ask(DuckDBReader("wh", warehouse))).value == {"values": {"2026-09-28": 3}}


async def test_a_read_gives_up_when_the_pipeline_is_not_done(warehouse: Path) -> None:
    reader = DuckDBReader("wh", warehouse, patience=Patience(whole=0.3))
    with held(warehouse, 60), pytest.raises(Unreachable, match="another process has held"):
        await ask(reader)


async def test_the_file_is_let_go_after_each_question(warehouse: Path) -> None:
    await ask(DuckDBReader("wh", warehouse))
    with held(warehouse, 60):
        pass


async def test_a_question_that_takes_too_long_is_interrupted(warehouse: Path) -> None:
    reader = DuckDBReader("wh", warehouse, patience=Patience(whole=0.3))
    with pytest.raises(TooSlow, match="was stopped"):
        await ask(reader, ENDLESS)
    with held(warehouse, 60):  # nobody is left behind in the file
        pass


async def test_a_question_nobody_waits_for_is_interrupted(warehouse: Path) -> None:
    question = asyncio.ensure_future(ask(DuckDBReader("wh", warehouse), ENDLESS))
    await asyncio.sleep(0.2)
    question.cancel()
    with pytest.raises(asyncio.CancelledError):
        await question
    with held(warehouse, 60):
        pass


async def test_many_questions_at_once(warehouse: Path) -> None:
    reader = DuckDBReader("wh", warehouse)
    answers = await asyncio.gather(*(ask(reader) for _ in range(10)))
    assert {str(answer.value) for answer in answers} == {"{'values': {'2026-09-28': 3}}"}


async def test_no_file_there(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no file nowhere"):
        await DuckDBReader("wh", tmp_path / "nowhere.duckdb").ping()


async def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    file = tmp_path / "x.duckdb"
    file.write_text("planted-secret, in a text file")
    with pytest.raises((Broken, Rejected)) as caught:
        await DuckDBReader("wh", file).ping()
    assert "planted-secret" not in str(caught.value)


@pytest.mark.parametrize(
    "sql",
    [
        "select count(*) from read_csv('{0}')",
        "select count(*) from '{0}'",
        "copy orders to '{0}'",
        "attach '{0}' as x",
        "insert into orders values ('2026-01-01', 1, '')",
        "set enable_external_access = true",
        "install httpfs",
    ],
)
async def test_even_without_the_guard_the_engine_reaches_nothing_outside(
    warehouse: Path, tmp_path: Path, sql: str
) -> None:
    other = tmp_path / "other.csv"
    other.write_text("a\n1\n")
    with pytest.raises((Broken, Rejected, NotFound)):
        await DuckDBReader("wh", warehouse)._ask([(sql.format(other), ())])
    assert other.read_text() == "a\n1\n"

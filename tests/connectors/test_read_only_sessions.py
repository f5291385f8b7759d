"""Whatever passes the parser, the session it runs in can't write."""

from pathlib import Path

import duckdb
import pytest

from connectors.duckdb import DuckDBReader
from connectors.errors import ConnectorError, Forbidden
from connectors.postgres import PostgresReader
from tests.postgres_server import running, sql


@pytest.mark.loopback
async def test_a_session_of_postgres_refuses_every_write() -> None:
    with running() as server:
        sql(server, "create table t (a int)")
        reader = PostgresReader("app", server.dsn())
        with pytest.raises(Forbidden, match="nothing was changed"):
            await reader._ask([("with x as (insert into t values (1) returning a) table x", ())])
        assert sql(server, "select count(*) from t") == "0"


async def test_a_session_of_duckdb_refuses_every_write(tmp_path: Path) -> None:
    file = tmp_path / "w.duckdb"
    with duckdb.connect(str(file)) as session:
        session.execute("create table t (a int)")
    with pytest.raises(ConnectorError):
        await DuckDBReader("w", file)._ask([("insert into t values (1)", ())])
    with duckdb.connect(str(file)) as session:
        assert session.execute("select count(*) from t").fetchone() == (0,)


async def test_a_session_of_duckdb_reads_no_other_file(tmp_path: Path) -> None:
    file, other = tmp_path / "w.duckdb", tmp_path / "secret.csv"
    other.write_text("a\n1\n")
    duckdb.connect(str(file)).close()
    with pytest.raises(ConnectorError):
        await DuckDBReader("w", file)._ask([(f"select count(*) from '{other}'", ())])

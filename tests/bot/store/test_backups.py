"""The commands of docs/scaling.md: a backup taken while the store is at work holds all that was stored before."""

import asyncio
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.store import SqlStore, open_store
from policies.receipt import GENESIS, seal
from tests.bot.store.builders import NOW, due, opening, received
from tests.databases import address
from tests.postgres_server import BIN, Server, sql

SEALED = seal(1, "DW-1", GENESIS, {"cause": "late"})


async def live(store: SqlStore) -> None:
    await store.commit(opening("DW-1", receipt=SEALED, due=(due("a"),)))
    for number in range(50):
        await store.receive(received(f"Ev{number}"), due(f"intake:Ev{number}"))


async def holds_all(url: str) -> None:
    store = await open_store(url)
    assert await store.head() == (1, SEALED.hash)
    assert (await store.stats(NOW)).waiting == 51
    assert await store.received("Ev49") is not None
    assert await store.find(["k"]) is None
    await store.close()


def vacuum(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source)) as opened:
        opened.execute(f"VACUUM INTO '{target}'")


async def test_sqlite_is_copied_by_vacuum_into_while_it_is_open(tmp_path: Path) -> None:
    store = await open_store(f"sqlite+aiosqlite:///{tmp_path / 'dw.db'}")
    await live(store)
    vacuum(tmp_path / "dw.db", tmp_path / "backup.db")
    await store.close()
    await holds_all(f"sqlite+aiosqlite:///{tmp_path / 'backup.db'}")


@pytest.mark.loopback
@pytest.mark.parametrize("url", ["postgres"], indirect=True)
async def test_postgresql_is_dumped_and_restored_while_it_is_at_work(
    url: str, postgres: Server, tmp_path: Path
) -> None:
    store = await open_store(url)
    await live(store)
    dump = tmp_path / "dw.dump"
    sql(postgres, "DROP DATABASE IF EXISTS restored", "CREATE DATABASE restored")
    await asyncio.to_thread(run, "pg_dump", "--format=custom", f"--file={dump}", postgres.dsn("dw"))
    await asyncio.to_thread(
        run, "pg_restore", "--exit-on-error", f"--dbname={postgres.dsn('restored')}", str(dump)
    )
    await store.close()
    await holds_all(address(postgres, "restored"))
    sql(postgres, "DROP DATABASE restored")


def run(tool: str, *words: str) -> None:
    subprocess.run([BIN / tool, *words], check=True)  # noqa: S603 - our own words

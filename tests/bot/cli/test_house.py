"""The commands over the real rooms: a real database file, and no vendor."""

from pathlib import Path

import pytest

from bot.cli.house import House
from bot.commands import Keep, Received
from bot.ports import NewDue
from bot.settings import load_rules
from bot.store.store import open_store
from tests.bot.cli.fakes import EXAMPLE, dw
from tests.clock import NIGHT


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    url = f"sqlite+aiosqlite:///{tmp_path}/dw.db"
    monkeypatch.setenv("DW_DATABASE_URL", url)
    monkeypatch.setenv("DW_CONFIG", str(EXAMPLE))
    return url


def test_a_database_is_made_and_looked_at(url: str) -> None:
    assert "The database is up to date (schema " in dw("migrate", house=House()).output
    assert dw("receipts", "list", house=House()).output == "There are no receipts yet.\n"
    assert dw("receipts", "verify", house=House()).output.startswith("0 receipts hold.")


def test_an_empty_database_is_told_and_not_a_traceback(url: str) -> None:
    result = dw("receipts", "list", house=House())
    assert (result.exit_code, "no such table" in result.stderr) == (1, True)


async def test_what_could_not_be_read_is_counted(url: str) -> None:
    store = await open_store(url)
    for key in ("a", "b", "a"):
        command = Keep(key=key, why="no JSON", at=NIGHT)
        due = NewDue(kind="intake", key=f"intake:{key}", at=NIGHT)
        await store.receive(Received(key=key, command=command, raw="{", at=NIGHT), due)
    assert await store.kept() == 2
    await store.close()


async def test_the_schema_is_told_without_changing_it(url: str) -> None:
    await (await open_store(url)).close()
    have, want = await House().schema(url)
    assert have == want
    assert await House().record(url, None) == ()
    (problem,) = await House().record(url, (1, "sha256:" + "0" * 64))
    assert "cut off" in problem


async def test_systems_are_built_from_the_example(url: str) -> None:
    house = House()
    systems = house.systems(load_rules(EXAMPLE), house.settings())
    assert set(systems.readers) == {"dagster", "app_primary", "app_replica", "warehouse"}
    assert set(systems.actuators) == {"dagster"}
    await systems.close()

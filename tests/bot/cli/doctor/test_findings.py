"""`dw doctor`: what is well, what wants a look, what is broken, each with its reason."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.anchor import append
from bot.cli.doctor.examination import looked_at
from bot.health import Finding
from bot.ports import DueStats, Stop, StoreUnavailable
from bot.settings import Settings
from connectors.errors import Forbidden, Unreachable
from policies.rules import Rules
from tests.bot.cli.doctor.examined import examined
from tests.bot.cli.fakes import (
    FakeDatabase,
    FakeSystems,
    chain,
    dw,
    systems,
)
from tests.clock import NIGHT


def with_database(**fields: Any) -> dict[str, Any]:
    return {"open": lambda url: FakeDatabase(**fields)}


def test_all_is_well() -> None:
    result, found = examined()
    assert result.exit_code == 0
    assert all(ok for ok, _ in found.values()), found
    assert found["dagster dagster"][1] == "1.11; reads as reader; may run growth_rollups_job"
    assert found["duckdb warehouse"][1].endswith(
        "changes nothing: dw.yml pins this connection read-only"
    )
    assert found["clock"][1] == "this machine is 5 s behind Slack"


def test_it_is_readable_for_a_person() -> None:
    output = dw("doctor").output
    assert "ok    dw.yml" in output
    assert output.endswith("15 ok, 0 to look at, 0 broken.\n")


def test_a_broken_connection_is_told_and_the_others_are_still_asked() -> None:
    def built(rules: Rules, settings: Settings) -> FakeSystems:
        return systems(
            rules,
            {
                "dagster": Unreachable("nobody listens at :3000", connection="dagster"),
                "warehouse": Forbidden(connection="warehouse"),
            },
        )

    result, found = examined(systems=built)
    assert result.exit_code == 1
    assert found["dagster dagster"] == (False, "dagster: nobody listens at :3000")
    assert found["duckdb warehouse"][1].startswith("warehouse: It refused the credential.")
    assert found["postgres app_primary"][0] is True


def test_a_kind_that_nothing_reads_is_broken() -> None:
    def built(rules: Rules, settings: Settings) -> FakeSystems:
        return FakeSystems(readers={}, actuators={})

    _, found = examined(systems=built)
    assert found["dagster dagster"] == (False, "nothing reads it: this kind is not built in")


def test_mistakes_in_dw_yml_are_told_and_connections_left_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "dw.yml").write_text("version: 1\n")
    monkeypatch.setenv("DW_CONFIG", str(tmp_path / "dw.yml"))
    result, found = examined()
    assert result.exit_code == 1
    assert found["connections"] == (False, "not looked at: mend dw.yml first")
    assert found["work"][0] is True


@pytest.mark.parametrize(
    ("fields", "name", "ok", "says"),
    [
        (
            {"due": DueStats(waiting=3, oldest_seconds=90)},
            "work",
            None,
            "3 rows due, the oldest 90 s",
        ),
        ({"due": DueStats(waiting=3, oldest_seconds=900)}, "work", False, "is `dw run` running?"),
        (
            {"due": DueStats(waiting=0, oldest_seconds=0, poisoned=("show:DW-1:card",))},
            *("given up", False, "1 rows after too many tries: show:DW-1:card"),
        ),
        ({"kept_count": 2}, "unread", None, "2 messages arrived that could not be read"),
        (
            {"halted": [Stop(by="U0DEE", at=NIGHT, reason="wrong numbers")]},
            *("stop", None, "stopped by U0DEE at 2026-09-29 00:41 UTC (wrong numbers)"),
        ),
        (
            {"halted": [Stop(by="U0DEE", at=NIGHT, reason="", scope="connection:dagster")]},
            *("stop", None, "stopped dagster by U0DEE at 2026-09-29 00:41 UTC → an admin lifts"),
        ),
    ],
)
def test_the_work_in_the_database_is_looked_at(
    fields: dict[str, Any], name: str, ok: bool | None, says: str
) -> None:
    _, found = examined(**with_database(**fields))
    assert found[name][0] is ok
    assert says in found[name][1]


@pytest.mark.parametrize(
    ("have", "says"),
    [(None, "is empty"), ("0001", "has schema 0001, this version works with 0003 → `dw migrate`")],
)
def test_an_old_schema_wants_a_migration(have: str | None, says: str) -> None:
    async def schema(url: str) -> tuple[str | None, str]:
        return have, "0003"

    _, found = examined(schema=schema)
    assert found["database"][0] is None
    assert says in found["database"][1]


def test_a_database_that_is_gone_is_broken() -> None:
    async def schema(url: str) -> tuple[str | None, str]:
        raise StoreUnavailable("db.example.com was not reached.")

    _, found = examined(schema=schema)
    assert found["database"] == (False, "db.example.com was not reached.")


def test_looking_makes_no_database(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DW_DATABASE_URL", f"sqlite+aiosqlite:///{tmp_path}/dw.db")
    _, found = examined()
    assert found["database"][0] is None
    assert list(tmp_path.iterdir()) == []


def test_a_record_that_does_not_hold_is_broken(tmp_path: Path) -> None:
    heads = []

    async def record(url: str, head: tuple[int, str] | None) -> Sequence[str]:
        heads.append(head)
        return ["receipt 1: it was edited"]

    (receipt,) = chain(1)
    append(tmp_path / "anchor", receipt.number, receipt.hash, NIGHT)
    _, found = examined(record=record)
    assert found["record"] == (False, "receipt 1: it was edited")
    assert heads == [(1, receipt.hash)]


def test_a_record_without_an_anchor_wants_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DW_ANCHOR")
    assert examined()[1]["record"][0] is None


async def test_a_part_that_hangs_or_fails_keeps_nobody_else_from_answering() -> None:
    async def hangs() -> Sequence[Finding]:
        await asyncio.sleep(60)
        return []

    async def fails() -> Sequence[Finding]:
        raise KeyError("x")

    async def well() -> Sequence[Finding]:
        return [Finding(name="c", ok=True, says="")]

    found = await looked_at({"a": hangs, "b": fails, "c": well}, patience=0.05)
    assert [(f.name, f.ok, f.says) for f in found] == [
        ("a", False, "did not answer within 0.05 s"),
        ("b", False, "'x'"),
        ("c", True, ""),
    ]

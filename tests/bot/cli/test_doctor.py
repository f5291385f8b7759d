"""`dw doctor`: what is well, what wants a look, what is broken, each with its reason."""

import asyncio
import json
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import respx

from bot.cli.doctor.examination import looked_at
from bot.cli.doctor.slack import drift
from bot.health import Finding
from bot.ports import DueStats, Stop, StoreUnavailable
from bot.settings import Settings
from connectors.errors import Forbidden, Unreachable
from policies.rules import Rules
from tests.bot.cli.fakes import EXAMPLE, FakeDatabase, FakeSystems, Result, dw, fake_house, systems
from tests.clock import NIGHT

AT = "Tue, 29 Sep 2026 00:41:05 GMT"
SECRET = "hunter2-hunter2"


@pytest.fixture(autouse=True)
def _slack_is_there(monkeypatch: pytest.MonkeyPatch, respx_mock: respx.MockRouter) -> None:
    respx_mock.post("https://slack.com/api/api.test").respond(headers={"Date": AT})
    respx_mock._assert_all_called = False
    monkeypatch.setenv("DW_CONFIG", str(EXAMPLE))
    monkeypatch.setenv("DW_SLACK_BOT_TOKEN", f"xoxb-{SECRET}")
    monkeypatch.setenv("DW_SLACK_APP_TOKEN", f"xapp-{SECRET}")
    monkeypatch.setenv("DW_DATABASE_URL", f"postgresql+asyncpg://dw:{SECRET}@db.example.com/dw")
    monkeypatch.setenv("DW_APP_PRIMARY_PASSWORD", SECRET)


def examined(**rooms: Any) -> tuple[Result, dict[str, tuple[bool | None, str]]]:
    result = dw("doctor", "--json", house=fake_house(**rooms))
    told = json.loads(result.stdout)
    assert told["ok"] is (result.exit_code == 0)
    return result, {f["name"]: (f["ok"], f["says"]) for f in told["findings"]}


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
    assert output.endswith("14 ok, 0 to look at, 0 broken.\n")


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
            {"halted": Stop(by="U0DEE", at=NIGHT, reason="wrong numbers")},
            *("stop", None, "stopped by U0DEE at 2026-09-29 00:41 UTC (wrong numbers)"),
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


def test_missing_tokens_are_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DW_SLACK_BOT_TOKEN")
    _, found = examined()
    assert found["slack tokens"][0] is False
    assert found["slack tokens"][1].startswith("DW_SLACK_BOT_TOKEN: is not set")


def test_what_slack_says_of_the_scopes_is_passed_on() -> None:
    async def slack(settings: Settings, channels: Sequence[str]) -> Sequence[Finding]:
        return [Finding(name="slack scopes", ok=False, says="users:read.email is missing")]

    result, found = examined(slack=slack)
    assert (result.exit_code, found["slack scopes"][0]) == (1, False)


@pytest.mark.parametrize(
    ("url", "ok"),
    [
        ("https://slack.com/api/", True),
        ("http://127.0.0.1:7000/api/", None),
        ("https://proxy.example.com/api/", None),
        ("http://proxy.example.com/api/", False),
    ],
)
def test_the_address_of_slack(
    monkeypatch: pytest.MonkeyPatch, respx_mock: respx.MockRouter, url: str, ok: bool | None
) -> None:
    respx_mock.post(f"{url}api.test").respond(headers={"Date": AT})
    monkeypatch.setenv("DW_SLACK_BASE_URL", url)
    assert examined()[1]["slack address"][0] is ok


@pytest.mark.parametrize(
    ("seconds", "ok", "says"),
    [
        (60, True, "60 s behind Slack"),
        (-61, None, "61 s ahead of Slack → set its clock (NTP)"),
        (300, None, "300 s behind Slack"),
        (301, False, "301 s behind Slack → set its clock (NTP)"),
    ],
)
def test_a_clock_that_drifts(seconds: float, ok: bool | None, says: str) -> None:
    found = drift(timedelta(seconds=seconds))
    assert found.ok is ok
    assert says in found.says


def test_a_slack_that_is_not_reached(respx_mock: respx.MockRouter) -> None:
    respx_mock.post("https://slack.com/api/api.test").mock(
        side_effect=httpx.ConnectError("refused")
    )
    _, found = examined()
    assert found["clock"] == (
        False,
        "can't be compared: https://slack.com/api/ was not reached (ConnectError: refused)",
    )


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


def test_no_secret_is_ever_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Secrets stand everywhere they could stand, and everything fails with them in its message."""
    (tmp_path / "token").write_text(f"{SECRET}-in-a-file\n")
    (tmp_path / "dw.yml").write_text(
        EXAMPLE.read_text().replace("reader@primary", f"reader:{SECRET}@primary")
    )
    monkeypatch.setenv("DW_DAGSTER_TOKEN", SECRET)
    monkeypatch.setenv("DW_DAGSTER_ACT_TOKEN_FILE", str(tmp_path / "token"))
    monkeypatch.setenv("DW_DAGSTRE_TOKEN", SECRET)
    monkeypatch.setenv("DW_SLACK_SIGNING_SECRET", SECRET)

    def built(rules: Rules, settings: Settings) -> FakeSystems:
        raise ValueError(f"{settings.secrets_for('dagster')!r} {SECRET} {SECRET}-in-a-file")

    async def leaks(*anything: object) -> Any:
        raise RuntimeError(f"xoxb-{SECRET} postgresql://dw:{SECRET}@db/dw {anything!r}")

    shown = ""
    for config in (str(EXAMPLE), str(tmp_path / "dw.yml")):
        monkeypatch.setenv("DW_CONFIG", config)
        for args in (
            ("doctor",),
            ("doctor", "--json"),
            ("config", "check"),
            ("migrate",),
            ("run",),
        ):
            house = fake_house(systems=built, slack=leaks, schema=leaks)
            result = dw(*args, house=house)
            shown += result.output + result.stderr
    assert "broken." in shown
    assert "hunter2" not in shown + "".join(capfd.readouterr())

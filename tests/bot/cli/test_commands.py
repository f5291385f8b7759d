"""The commands of `dw`, as somebody types them."""

import json
from pathlib import Path

import pytest

from bot.cli.house import CannotStart
from bot.ports import StoreUnavailable
from bot.settings import Settings
from policies.rules import ChainLink, Rules
from policies.spans import span_text
from tests.bot.cli.fakes import EXAMPLE, dw, fake_house


@pytest.fixture
def ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DW_CONFIG", str(EXAMPLE))
    monkeypatch.setenv("DW_SLACK_BOT_TOKEN", "xoxb-hunter2")
    monkeypatch.setenv("DW_SLACK_APP_TOKEN", "xapp-hunter2")


def test_the_version_is_told() -> None:
    assert dw("--version").output.startswith("dw, version ")


def test_every_command_explains_itself() -> None:
    listed = dw("--help").output
    for command in ("run", "demo", "doctor", "migrate", "config", "receipts"):
        assert command in listed
        assert "Usage:" in dw(command, "--help").output


def test_a_wrong_command_is_exit_code_2() -> None:
    assert dw("rum").exit_code == 2


def test_a_good_config_is_counted() -> None:
    result = dw("config", "check", str(EXAMPLE))
    assert result.exit_code == 0
    assert "4 connections, 1 domain with 4 assets or patterns, 1 note." in result.output


def test_a_bad_config_is_exit_code_2_and_every_line_is_told(tmp_path: Path) -> None:
    (tmp_path / "dw.yml").write_text("version: 3\nadmin: [x]\n")
    result = dw("config", "check", str(tmp_path / "dw.yml"))
    assert result.exit_code == 2
    assert "dw.yml:1: version: 3 is none of the choices → write 1" in result.stderr
    assert "dw.yml:2: admin: there is no key 'admin' here → did you mean admins?" in result.stderr
    assert "Nothing was started." in result.stderr


def test_the_schema_is_one_an_editor_can_use() -> None:
    schema = json.loads(dw("config", "schema").output)
    assert set(schema["required"]) == {
        *("version", "alert_channels", "senders", "connections", "domains"),
    }
    within = schema["$defs"]["ChainLink"]["properties"]["within"]
    assert (within["type"], within["pattern"]) == ("string", r"^(\d+)\s*(s|m|h|d)$")
    assert schema["$defs"]["Domain"]["properties"]["act_within"]["default"] == "12h"


def test_a_span_is_written_as_it_is_read() -> None:
    for text in ("45s", "90s", "15m", "2h", "3d"):
        assert span_text(ChainLink(who="owner", within=text).within) == text  # type: ignore[arg-type]


def test_the_demo_is_played_with_its_options() -> None:
    assert dw("demo", "--auto", "--port", "7000").exit_code == 0
    assert dw("demo").exit_code == 1
    assert dw("demo", "--port", "70000").exit_code == 2


def test_a_migration_says_what_the_database_has_now() -> None:
    assert dw("migrate").output == "The database is up to date (schema 0003).\n"


def test_a_database_that_is_gone_is_exit_code_1_and_no_traceback() -> None:
    async def gone(url: str) -> None:
        raise StoreUnavailable("The database at postgresql://dw:hunter2@db was not reached.")

    result = dw("migrate", house=fake_house(migrate=gone))
    assert (result.exit_code, "was not reached" in result.stderr) == (1, True)
    assert "hunter2" not in result.output + result.stderr


def test_run_hands_settings_and_rules_to_the_bot_and_ends_with_its_code(ready: None) -> None:
    seen = []

    async def run(settings: Settings, rules: Rules) -> int:
        seen.append((settings.slack_mode, list(rules.domains)))
        return 7

    assert dw("run", house=fake_house(run=run)).exit_code == 7
    assert seen == [("socket", ["growth"])]


def test_run_starts_nothing_without_tokens_and_rules_and_says_all_of_it() -> None:
    result = dw("run")
    assert result.exit_code == 2
    assert [line.split(":")[0] for line in result.stderr.splitlines()[:3]] == [
        *("DW_SLACK_BOT_TOKEN", "DW_SLACK_APP_TOKEN", "dw.yml"),
    ]
    assert "3 mistakes. Nothing was started." in result.stderr


def test_run_needs_the_signing_secret_in_http_mode(
    ready: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DW_SLACK_MODE", "http")
    result = dw("run")
    assert (result.exit_code, "DW_SLACK_SIGNING_SECRET: is not set" in result.stderr) == (2, True)


def test_run_refuses_a_connection_secret_it_can_not_read(
    ready: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DW_WAREHOUSE_PASSWORD_FILE", "/nowhere/password")
    assert "DW_WAREHOUSE_PASSWORD_FILE: /nowhere/password could not be read" in dw("run").stderr


def test_run_says_which_variable_nobody_reads(ready: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DW_DAGSTRE_TOKEN", "hunter2")
    result = dw("run")
    assert result.exit_code == 0
    assert '"event": "setting_unknown"' in result.stderr
    assert "did you mean DW_DAGSTER_TOKEN?" in result.stderr
    assert "hunter2" not in result.stderr


def test_a_bot_that_can_not_start_says_why_and_no_traceback(ready: None) -> None:
    async def run(settings: Settings, rules: Rules) -> int:
        raise CannotStart("Slack does not take the bot token xoxb-hunter2.")

    result = dw("run", house=fake_house(run=run))
    assert (result.exit_code, result.stderr) == (
        1,
        "Slack does not take the bot token [secret].\n",
    )

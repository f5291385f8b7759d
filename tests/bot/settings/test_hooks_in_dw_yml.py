"""Webhooks that can't work or would let anybody in are refused before anything starts."""

from pathlib import Path

import pytest

from bot.settings import ConfigError, load_settings, read_rules
from policies.webhooks import secret_of
from tests.bot.cli.fakes import dw
from tests.bot.settings.typos import EXAMPLE, GOOD

SECRET = "planted-secret-of-a-hook"


def with_hooks(*lines: str) -> str:
    return GOOD + "\nwebhooks:\n" + "".join(f"  {line}\n" for line in lines)


def told(*lines: str) -> str:
    with pytest.raises(ConfigError) as caught:
        read_rules(with_hooks(*lines))
    return str(caught.value)


def test_a_good_one_is_read() -> None:
    rules = read_rules(with_hooks("plus: {kind: dagsterplus, connection: dagster}"))
    assert rules.webhooks["plus"].way == "bearer"
    assert secret_of("dbt-prod") == "DW_HOOK_DBT_PROD_SECRET"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("Plus!: {kind: generic, connection: dagster}", "this can't stand in an address"),
        ("x: {kind: generic, connection: dagstre}", "there is no connection 'dagstre'"),
        ("x: {kind: generic, connection: warehouse}", "a duckdb has nothing that generic"),
        ("x: {kind: dbt_cloud, connection: dagster}", "name a connection of kind dbt_cloud"),
        ("x: {kind: dbt_cloud, connection: dagster, auth: basic}", "dbt_cloud has no such proof"),
        ("x: {kind: generic, connection: dagster, timestamp_header: T}", "nothing signs a time"),
        ("x: {kind: github, connection: dagster}", "'github' is none of the choices"),
        ("x: {kind: generic, connection: dagster, secret: s}", "DW_"),
    ],
)
def test_a_mistake_is_told_with_what_to_write(line: str, says: str) -> None:
    assert says in told(line)


def test_two_may_not_share_a_secret() -> None:
    lines = [f"{name}: {{kind: generic, connection: dagster}}" for name in ("a-b", "a_b")]
    assert "DW_HOOK_A_B_SECRET would be read for it and for a-b too" in told(*lines)


@pytest.mark.parametrize(("secret", "says"), [("", "is not set"), ("zq12345", "shorter than 16")])
def test_without_a_long_secret_nothing_starts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, secret: str, says: str
) -> None:
    hook = "\nwebhooks: {x: {kind: generic, connection: dagster}}\n"
    (tmp_path / "dw.yml").write_text(EXAMPLE.read_text() + hook)
    monkeypatch.setenv("DW_CONFIG", str(tmp_path / "dw.yml"))
    monkeypatch.setenv("DW_SLACK_BOT_TOKEN", "xoxb-planted")
    monkeypatch.setenv("DW_SLACK_APP_TOKEN", "xapp-planted")
    monkeypatch.setenv("DW_HOOK_X_SECRET", secret)
    result = dw("run")
    assert result.exit_code == 2
    assert f"DW_HOOK_X_SECRET: {says}" in result.stderr


def test_its_secret_is_known_by_name_and_to_the_mask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DW_HOOK_X_SECRET", SECRET)
    monkeypatch.setenv("DW_HOOK_Y_SECRET", SECRET)
    settings = load_settings()
    assert settings.hook_secrets(["x"])["x"].get_secret_value() == SECRET
    assert SECRET in settings.secret_values()
    assert [line.split()[0] for line in settings.strangers([], ["x"])] == ["DW_HOOK_Y_SECRET"]

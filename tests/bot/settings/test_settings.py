"""Settings come from the environment or from files, and no error or repr shows a secret."""

from pathlib import Path

import pytest

from bot.settings import ConfigError, Secrets, load_settings

SECRET = "xoxb-hunter2-hunter2"


def refused(monkeypatch: pytest.MonkeyPatch, **variables: str) -> str:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ConfigError) as caught:
        load_settings()
    return str(caught.value)


def test_nothing_need_be_set_to_look_around() -> None:
    settings = load_settings()
    assert settings.database_url.get_secret_value() == "sqlite+aiosqlite:///dw.db"
    assert (settings.config, settings.port, settings.acting) == (Path("dw.yml"), 8080, True)


def test_what_is_set_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DW_SLACK_BOT_TOKEN", f" {SECRET}\n")
    monkeypatch.setenv("DW_ACTING", "off")
    monkeypatch.setenv("DW_PORT", "")
    settings = load_settings()
    assert settings.slack_bot_token is not None
    assert settings.slack_bot_token.get_secret_value() == SECRET
    assert (settings.acting, settings.port) == (False, 8080)


def test_a_secret_may_come_from_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(SECRET + "\n")
    monkeypatch.setenv("DW_SLACK_BOT_TOKEN_FILE", str(tmp_path / "token"))
    monkeypatch.setenv("DW_WAREHOUSE_PASSWORD_FILE", str(tmp_path / "token"))
    settings = load_settings()
    assert settings.slack_bot_token is not None
    assert settings.slack_bot_token.get_secret_value() == SECRET
    password = settings.secrets_for("warehouse").password
    assert password is not None
    assert password.get_secret_value() == SECRET


def test_a_connection_reads_and_acts_with_two_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DW_APP_PRIMARY_TOKEN", "read-this")
    monkeypatch.setenv("DW_APP_PRIMARY_ACT_TOKEN", "change-that")
    secrets = load_settings().secrets_for("app-primary")
    assert secrets.token is not None
    assert secrets.act_token is not None
    assert (secrets.token.get_secret_value(), secrets.act_token.get_secret_value()) == (
        "read-this",
        "change-that",
    )
    assert load_settings().secrets_for("other") == Secrets()


def test_no_repr_shows_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DW_SLACK_BOT_TOKEN", SECRET)
    monkeypatch.setenv("DW_DATABASE_URL", "postgresql+asyncpg://dw:hunter2@db/dw")
    monkeypatch.setenv("DW_DAGSTER_TOKEN", SECRET)
    settings = load_settings()
    shown = f"{settings!r} {settings} {settings.model_dump()} {settings.secrets_for('dagster')}"
    assert "hunter2" not in shown


def test_every_secret_is_known_to_the_mask(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "t").write_text("from-a-file\n")
    monkeypatch.setenv("DW_SLACK_BOT_TOKEN", SECRET)
    monkeypatch.setenv("DW_DATABASE_URL", "postgresql+asyncpg://dw:p%40ss@db/dw")
    monkeypatch.setenv("DW_ANYTHING_ACT_TOKEN", "of-no-connection")
    monkeypatch.setenv("DW_DAGSTER_TOKEN_FILE", str(tmp_path / "t"))
    known = {SECRET, "p%40ss", "p@ss", "of-no-connection", "from-a-file"}
    assert known <= set(load_settings().secret_values())


def test_every_wrong_variable_is_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    said = refused(
        monkeypatch,
        DW_PORT="http",
        DW_SLACK_MODE="sockets",
        DW_LOG="xml",
        DW_SLACK_BOT_TOKEN="xapp-hunter2",
        DW_SLACK_APP_TOKEN_FILE="/nowhere/token",
        DW_SLACK_BASE_URL="slack.com/api",
    )
    assert said.splitlines() == [
        "DW_LOG: 'xml' is none of the choices → write 'json' or 'console'",
        "DW_PORT: must be a whole number, not 'http' → write a whole number",
        (
            "DW_SLACK_APP_TOKEN_FILE: /nowhere/token could not be read (No such file or directory)"
            " → name a file that holds only the secret"
        ),
        "DW_SLACK_BASE_URL: is no address → write https://slack.com/api/",
        (
            "DW_SLACK_BOT_TOKEN: this token does not begin with xoxb-"
            " → take the right one from the Slack app"
        ),
        "DW_SLACK_MODE: 'sockets' is none of the choices → write 'socket' or 'http'",
    ]


@pytest.mark.parametrize(
    ("variables", "says"),
    [
        ({"DW_PORT": "70000"}, "DW_PORT: '70000' is too large → write 65535 or less"),
        ({"DW_ACTING": "perhaps"}, "DW_ACTING: must be true or false, not 'perhaps'"),
        (
            {"DW_SLACK_SIGNING_SECRET": "hunter2", "DW_SLACK_SIGNING_SECRET_FILE": "/x"},
            "DW_SLACK_SIGNING_SECRET: both it and DW_SLACK_SIGNING_SECRET_FILE are set",
        ),
        ({"DW_SLACK_SIGNING_SECRET": "pw"}, "DW_SLACK_SIGNING_SECRET: shorter than 4 characters"),
        ({"DW_DATABASE_URL": "mysql://dw:hunter2@db/dw"}, "DW_DATABASE_URL: no such database"),
    ],
)
def test_a_wrong_variable_says_what_to_write(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], says: str
) -> None:
    said = refused(monkeypatch, **variables)
    assert said.startswith(says)
    assert "hunter2" not in said


def test_a_wrong_secret_of_a_connection_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DW_DAGSTER_TOKEN_FILE", "/nowhere")
    monkeypatch.setenv("DW_DAGSTER_PASSWORD", "x")
    with pytest.raises(ConfigError) as caught:
        load_settings().secrets_for("dagster")
    assert len(caught.value.lines) == 2


def test_a_misspelt_variable_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DW_SLACK_BOT_TOKN", "DW_DAGSTER_TOKEN", "DW_DAGSTRE_TOKEN", "DW_LOG"):
        monkeypatch.setenv(name, "json")
    assert load_settings().strangers(["dagster"]) == (
        "DW_DAGSTRE_TOKEN is set, but nothing reads it → did you mean DW_DAGSTER_TOKEN?",
        "DW_SLACK_BOT_TOKN is set, but nothing reads it → did you mean DW_SLACK_BOT_TOKEN?",
    )


def test_a_file_that_is_no_text_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "token").write_bytes(b"\xff\xfe")
    said = refused(monkeypatch, DW_SLACK_APP_TOKEN_FILE=str(tmp_path / "token"))
    assert "could not be read (it is not text)" in said


def test_a_secret_that_can_not_be_read_is_masked_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DW_DAGSTER_TOKEN", "hunter2")
    monkeypatch.setenv("DW_DAGSTER_TOKEN_FILE", "/nowhere")
    assert "hunter2" in load_settings().secret_values()

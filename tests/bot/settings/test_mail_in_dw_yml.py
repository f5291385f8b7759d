"""Mail and login in dw.yml: half of it is a mistake, told with its line and what to write."""

from pathlib import Path

import pytest

from bot.settings import ConfigError, load_settings, read_rules
from tests.bot.cli.fakes import dw
from tests.bot.settings.typos import GOOD

WHOLE = """
public_url: https://dw.example.com
mail: {host: smtp.example.com, sender: dw@example.com, user: dw}
oidc: {issuer: "https://login.example.com", client_id: dw}
"""


def test_all_of_it_is_good_and_none_of_it_too() -> None:
    rules = read_rules(GOOD + WHOLE)
    assert rules.mail is not None
    assert (rules.mail.port, rules.mail.tls) == (587, "starttls")
    assert read_rules(GOOD).mail is None


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("public_url: https://dw.example.com", "", "no public_url, and its emails link to a page"),
        ("https://dw.example.com", "http://dw.example.com", "no address that is safe"),
        ("https://login.example.com", "ftp://login", "no address that is safe"),
        ("sender: dw@example.com", "sender: dw", "'dw' is no email address"),
        ("user: dw}", "user: dw, tls: none}", "its links could be read on the way"),
        ("user: dw}", "password: hunter2}", "a secret may not stand in this file"),
        ("client_id: dw", "client: dw", "did you mean client_id?"),
    ],
)
def test_a_mistake_is_told(old: str, new: str, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_rules(GOOD + WHOLE.replace(old, new))
    assert says in str(caught.value)
    assert "dw.yml:" in str(caught.value)


def test_secrets_that_are_missing_are_named_before_anything_starts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "dw.yml").write_text(GOOD + WHOLE)
    monkeypatch.setenv("DW_CONFIG", str(tmp_path / "dw.yml"))
    said = dw("run").output
    assert "DW_LINK_KEY: is not set" in said
    assert "DW_SMTP_PASSWORD: is not set" in said
    monkeypatch.setenv("DW_LINK_KEY", "too short")
    with pytest.raises(ConfigError, match="could be guessed"):
        load_settings()
    key = "planted-link-key-of-32-characters"
    monkeypatch.setenv("DW_LINK_KEY", key)
    monkeypatch.setenv("DW_SMTP_PASSWORD", "planted")
    settings = load_settings()
    assert settings.lacking(read_rules(GOOD + WHOLE)) == ()
    assert {key, "planted"} <= set(settings.secret_values())

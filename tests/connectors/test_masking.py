"""What looks like a secret does not leave; what does not, does."""

import pytest

from connectors.masking import holds_secret, masked


@pytest.mark.parametrize(
    "text",
    [
        "password=planted",
        'PGPASSWORD="planted words"',
        "'api_key': 'planted'",
        "token: planted",
        "Authorization: Basic cGxhbnRlZA==planted",
        "bearer planted-planted",
        "postgresql://etl:planted@db.example.com/x",
        "https://planted@example.com".replace("planted", "u:planted"),
        "xoxb-planted-planted",
        "ghp_planted0planted0planted0planted",
        "eyJplantedplanted.eyJplantedplanted.planted",
        "sk_live_plantedplanted",
        "-----BEGIN PRIVATE KEY-----\nplanted",
        "aws_secret_access_key = planted",
    ],
)
def test_a_secret_is_taken_out(text: str) -> None:
    assert "planted" not in masked(text)
    assert "***" in masked(text)


@pytest.mark.parametrize(
    "text",
    [
        'ValueError: column "org_id" does not exist',
        "rows of token_usage: 12",
        "select password_changed_at from users",
        "https://airflow.example.com/dags/x?run=1",
        "tokenised 14 rows",
    ],
)
def test_other_words_stay_as_they_are(text: str) -> None:
    assert masked(text) == text


def test_what_is_known_to_be_secret_is_taken_out_wherever_it_stands() -> None:
    assert masked("it said planted twice: planted", "planted", None) == "it said *** twice: ***"


@pytest.mark.parametrize(
    ("conf", "holds"),
    [
        ({"usage_date": "2026-11-29", "regions": ["eu"], "batch": 1}, False),
        ({"api_key": "x"}, True),
        ({"nested": {"db": {"password": "x"}}}, True),
        ({"urls": ["https://u:p4ss@example.com"]}, True),
        ({"tokens_per_day": 4}, False),
        (None, False),
    ],
)
def test_a_configuration_with_a_secret_in_it_is_known(conf: object, holds: bool) -> None:
    assert holds_secret(conf) is holds  # type: ignore[arg-type]

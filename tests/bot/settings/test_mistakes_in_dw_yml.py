"""Every mistake in dw.yml is told at once, with its line and what to write instead."""

from pathlib import Path

import pytest

from bot.settings import ConfigError, load_rules, read_rules
from tests.bot.settings.typos import EXAMPLE, GOOD, TYPOS, Typo


@pytest.mark.parametrize("typo", TYPOS.values(), ids=TYPOS.keys())
def test_a_mistake_is_told_with_its_line_and_what_to_write(typo: Typo) -> None:
    text = GOOD.replace(typo.old, typo.new, 1)
    if "quorum" in typo.on:
        text = text.replace("    level: L2", "    quorum: 2\n    level: L2", 1)
    assert text != GOOD
    with pytest.raises(ConfigError) as caught:
        read_rules(text)
    told = [line for line in caught.value.lines if typo.says in line]
    assert told, caught.value
    assert told[0].startswith(f"dw.yml:{typo.line(text)}: "), told[0]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("version: 1\n\tadmins: []\n\tx: 1\n", "dw.yml:2: is indented with a tab → use spaces"),
        ("version: 1\nadmins: [#ops]\n", 'write "#name" in quotes'),
        (
            "version: 1\nwho: @oncall\n",
            "dw.yml:2: can't be read as YAML → a value that begins with @",
        ),
        (
            "version: 1\nassets: [*_daily]\n",
            "dw.yml:2: can't be read as YAML → a value that begins",
        ),
        ('version: 1\nname: "open\n', "close the quotes"),
        ("version: 1\n- x\n", "dw.yml:2: can't be read as YAML → "),
        ("- version\n", "dw.yml:1: is not a mapping → begin it with `version: 1`"),
        ("", "dw.yml:1: is not a mapping → begin it with `version: 1`"),
        ("version: &v [*v]\n", "dw.yml:1: this holds itself → take out the *"),
        ("version: 1\nx: \x07\n", "dw.yml:2: a character that may not stand in YAML → delete it"),
        ("version: 1\n---\nversion: 1\n", "dw.yml:2: can't be read as YAML → "),
    ],
)
def test_what_is_no_yaml_is_told_with_its_line(text: str, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_rules(text)
    assert any(says in line for line in caught.value.lines), caught.value


def test_every_mistake_is_told_at_once_and_in_order() -> None:
    text = GOOD.replace("version: 1", "version: 2").replace("within: 5m", "within: soon")
    text = text.replace("raw_sessions: ana@example.com", "raw_sessions: ana")
    text = text.replace("replica: app_replica}", "replica: nowhere}")
    with pytest.raises(ConfigError) as caught:
        read_rules(text)
    lines = [int(line.split(":")[1]) for line in caught.value.lines]
    assert len(lines) == 4, caught.value
    assert lines == sorted(lines)


def test_no_secret_that_stands_in_the_file_is_shown() -> None:
    planted = "xoxb-hunter2-hunter2-hunter2"
    for key in ("level: L2  ", "within: 5m", "kind: dagster", "version: 1", 'due: "09:30"'):
        text = GOOD.replace(key, f"{key.split(':', maxsplit=1)[0]}: {planted}")
        with pytest.raises(ConfigError) as caught:
            read_rules(text)
        assert "hunter2" not in str(caught.value)


def test_the_example_is_good() -> None:
    rules = load_rules(EXAMPLE)
    assert rules.domain_of("fct_daily_active_users") == "growth"


def test_a_missing_file_says_what_to_copy(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"docs/dw\.example\.yml"):
        load_rules(tmp_path / "dw.yml")


def test_a_file_that_is_no_text_says_so(tmp_path: Path) -> None:
    (tmp_path / "dw.yml").write_bytes(b"version: 1\n\xff\xfe")
    with pytest.raises(ConfigError, match="not UTF-8"):
        load_rules(tmp_path / "dw.yml")


def test_yaml_is_read_the_plain_way() -> None:
    text = GOOD.replace('due: "09:30"', "due: 10:30").replace("level: L2  ", "level: L2  ")
    assert read_rules(text).notes[0].due == "10:30"


def test_shared_parts_may_be_written_once() -> None:
    text = GOOD.replace(
        "app_primary: {kind: postgres,", "app_primary: &pg {kind: postgres,", 1
    ).replace("app_replica: {kind: postgres,", "app_replica: {<<: *pg,", 1)
    assert read_rules(text).connections["app_replica"].kind == "postgres"


def test_what_belongs_to_two_domains_is_told() -> None:
    finance = """
  finance:
    channels: [C0FINANCE]
    assets: [fct_revenue, ledger]
    jobs: [sessions_job]
    owners: {ledger: ana@example.com}
    chain: [{who: "@data-oncall", within: 5m}]
    quorum: 3
    checks:
      - {name: twice, kind: asset_check, asset: ledger}
      - {name: twice, kind: asset_check, asset: ledger, check: balances}
"""
    with pytest.raises(ConfigError) as caught:
        read_rules(GOOD.replace("\nassets:\n", f"{finance}\nassets:\n", 1))
    said = [line.split(": ", 1)[1] for line in caught.value.lines]
    assert said == [
        (
            "domains.finance.assets[0]: fct_revenue already belongs to domain growth"
            " → keep it in one of the two"
        ),
        (
            "domains.finance.jobs[0]: sessions_job already belongs to domain growth"
            " → keep it in one of the two"
        ),
        (
            "domains.finance.checks[0]: asset_check needs to know which check"
            " → check: the name it has in the orchestrator"
        ),
        (
            "domains.finance.checks[1].name: a check of this name stands above"
            " → give each its own name"
        ),
    ]


def test_a_file_of_wrong_shapes_is_told_and_does_not_break_the_checks() -> None:
    text = """
version: 1
admins: {}
alert_channels: [1]
senders: dagster
connections: [dagster]
domains: {growth: nothing, finance: {owners: [x], chain: x, assets: {}, checks: [1]}}
assets: {a: {target: 1}}
notes: [1]
"""
    with pytest.raises(ConfigError) as caught:
        read_rules(text)
    assert len(caught.value.lines) > 10
    assert all(" → " in line for line in caught.value.lines)

"""Every mistake in dw.yml is told at once, with its line and what to write instead."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.settings import ConfigError, load_rules, read_rules

EXAMPLE = Path(__file__).parents[3] / "docs/dw.example.yml"
GOOD = EXAMPLE.read_text(encoding="utf-8")


@dataclass
class Typo:
    """One edit of the good file, and what must be said about the line it is on."""

    old: str
    new: str
    says: str
    on: str = ""

    def line(self, text: str) -> int:
        marked = (self.on or self.new).splitlines()[0]
        return text[: text.index(marked)].count("\n") + 1


CHAIN_OWNER = "      - {who: owner, within: 5m}\n"
APP_ID = "{app_id: A0DAGPLUS, system: dagsterplus, connection: dagster}"
PRIMARY = 'dsn: "postgresql://reader@primary.example.com:5432/shop"'
TYPOS = {
    "another version": Typo(
        "version: 1", "version: 2", "version: 2 is none of the choices → write 1"
    ),
    "unknown key at the top": Typo(
        "\nadmins:",
        "\nadmin:",
        "admin: there is no key 'admin' here → did you mean admins?",
        "admin: [",
    ),
    "nobody may lift a stop": Typo(
        "admins: [dee@example.com]", "admins: []", "admins: nobody could lift a stop → admins: [you"
    ),
    "an admin that is nobody": Typo(
        "admins: [dee@",
        "admins: [dee, dee@",
        "admins[0]: 'dee' names nobody → an email, or a Slack",
    ),
    "a channel without its #": Typo(
        'alert_channels: ["#data',
        'alert_channels: ["data',
        "alert_channels[0]: 'data-alerts' is no",
    ),
    "text where a list goes": Typo(
        'alert_channels: ["#data-alerts"]',
        'alert_channels: "#data-alerts"',
        "alert_channels: must be a list, not '#data-alerts' → write [a, b]",
    ),
    "an empty list": Typo(
        'alert_channels: ["#data-alerts"]',
        "alert_channels: []",
        "alert_channels: is empty → name at",
    ),
    "a # that begins a comment": Typo(
        'alert_channels: ["#data-alerts"]',
        "alert_channels: #data-alerts",
        "alert_channels: is empty → give it a value, or take the key out (text after a #",
    ),
    "a sender by words only": Typo(
        APP_ID, "{system: dagsterplus, connection: dagster}", "senders[0]: words are never enough"
    ),
    "a sender's misspelt connection": Typo(
        APP_ID, APP_ID.replace("n: dagster", "n: dagstre"), "there is no connection 'dagstre' → did"
    ),
    "a sender twice": Typo(
        APP_ID,
        f"{APP_ID}\n  - {APP_ID} # again",
        "A0DAGPLUS already speaks in senders[0]",
        "  - " + APP_ID + " # again",
    ),
    "a kind that is not built": Typo(
        "kind: dagster", "kind: airflow", "kind: 'airflow' is none of the choices → write 'dagster'"
    ),
    "a dagster without address": Typo(
        "    url: https://dagster.example.com\n",
        "",
        "a dagster needs url → url: http",
        "  dagster:",
    ),
    "an address of something else": Typo(
        "url: https://dagster", "url: postgresql://dagster", "url: this is no address of a dagster"
    ),
    "jobs of a database": Typo(
        "warehouse.duckdb, read_only: true",
        "warehouse.duckdb, jobs: {x: {}}",
        "a duckdb runs no jobs",
    ),
    "a password in an address": Typo(
        PRIMARY,
        PRIMARY.replace("reader@", "reader:hunter2hunter2@"),
        "dsn: a secret may not stand in this file → take it out, and set DW_APP_PRIMARY_PASSWORD",
    ),
    "a token in the file": Typo(
        "    kind: dagster\n",
        "    kind: dagster\n    token: hunter2hunter2\n",
        "token: a secret may not stand in this file → take it out, and set DW_DAGSTER_TOKEN",
        "    token: hunter2",
    ),
    "a Slack token under any name": Typo(
        "code: pipelines/raw_sessions.py",
        "code: xoxb-hunter2hunter2",
        "assets.raw_sessions.code: a secret may not stand in this file → take it out, and set DW_…",
    ),
    "names that share a variable": Typo(
        "  app_replica: {", "  app-primary: {", "DW_APP_PRIMARY_TOKEN would be read for it and for"
    ),
    "a yes that is no boolean": Typo(
        "warehouse.duckdb, read_only: true",
        "warehouse.duckdb, read_only: maybe",
        "connections.warehouse.read_only: must be true or false, not 'maybe'",
    ),
    "a level that does not exist": Typo(
        "level: L2  ",
        "level: L9  ",
        "level: 'L9' is none of the choices → write 'L0', 'L1' or 'L2'",
    ),
    "a chain in another shape": Typo(
        CHAIN_OWNER, "      - owner\n", "chain[0]: must be a mapping (key: value), not 'owner'"
    ),
    "a chain link without a time": Typo(
        CHAIN_OWNER, "      - {who: owner}\n", "chain[0].within: is missing → add `within: …`"
    ),
    "a span in words": Typo(
        "within: 5m",
        "within: five minutes",
        "within: 'five minutes' is no length of time → write it",
    ),
    "a span without a unit": Typo(
        "within: 5m", "within: 300", "300 is no length of time → write it"
    ),
    "a span of nothing": Typo(
        "within: 5m", "within: 0m", "'0m' is no length of time → write it as"
    ),
    "a chain that names nobody": Typo(
        'who: "@data-oncall"',
        "who: oncall",
        "chain[1].who: 'oncall' names nobody → owner, an email",
    ),
    "a chain that names somebody twice": Typo(
        'who: "@data-oncall"',
        "who: dee@example.com",
        "it names somebody twice → each",
        "    chain:",
    ),
    "more to say yes than are asked": Typo(
        CHAIN_OWNER + '      - {who: "@data-oncall", within: 3m}\n',
        "",
        "growth.quorum: 2 must say yes, but the chain asks 1 → lower it",
        "    quorum: 2",
    ),
    "a domain without owners": Typo(
        GOOD[GOOD.index("    owners:") : GOOD.index("    # Who is asked, one")],
        "",
        "domains.growth.owners: nobody owns anything here → owners: {raw_sessions: who@example",
        "  growth:",
    ),
    "an owner that is nobody": Typo(
        "raw_sessions: ana@example.com", "raw_sessions: ana", "'ana' names nobody → an email, or"
    ),
    "an owner of something else": Typo(
        "      raw_sessions: ana",
        "      raw_session: ana",
        "holds no such asset → did you mean raw_",
    ),
    "a check of something else": Typo(
        "asset: raw_sessions, tol",
        "asset: raw_session, tol",
        "no asset 'raw_session' → did you mean",
    ),
    "a tolerance below nothing": Typo(
        "tolerance: 0.005", "tolerance: -1", "tolerance: -1 is too small → write 0.0 or more"
    ),
    "a number in words": Typo(
        "weeks: 4", "weeks: four", "weeks: must be a whole number, not 'four'"
    ),
    "sql that asks for no day": Typo(
        "day = :day", "day = 1", "sql: it does not ask for :day → sql:"
    ),
    "a check without its source": Typo(
        "    source: {connection: app_primary, table: sessions, time: started_at, replica: app_replica}\n",
        "",
        "checks[0]: rows_match_source needs the source of raw_sessions → assets: {raw_sessions",
        "      - {name: rows_vs",
    ),
    "an asset of no domain": Typo(
        "  fct_daily_active_users:\n", "  dim_users:\n", "assets.dim_users: belongs to no domain"
    ),
    "a table in an orchestrator": Typo(
        "target: {connection: warehouse, table: raw",
        "target: {connection: dagster, table: raw",
        "dagster is a dagster: no tables there → one of app_primary, app_replica, warehouse",
    ),
    "an unknown replica": Typo(
        "replica: app_replica}", "replica: app_replic}", "no connection 'app_replic' → did you mean"
    ),
    "a time of day with am": Typo(
        'due: "09:30"', 'due: "9:30 am"', "'9:30 am' is no time of day →"
    ),
    "an unknown key far inside": Typo(
        "time: day}", "tiem: day}", "no key 'tiem' here → did you mean time"
    ),
    "a key twice": Typo(
        "    level: L2  ",
        "    level: L1\n    level: L2  ",
        "growth.level: this key stands above",
        "    level: L2  ",
    ),
}


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

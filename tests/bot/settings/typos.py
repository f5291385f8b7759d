"""Ways to get dw.yml wrong: one edit of the good file each, and what must be said about it."""

from dataclasses import dataclass
from pathlib import Path

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
        "kind: dagster", "kind: nifi", "kind: 'nifi' is none of the choices → write 'dagster'"
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

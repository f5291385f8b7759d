"""The dw.yml of the demo's team, and the environment its bot is started with."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from bot.sandbox.demo import seed

_GUARD = Path(__file__).parent / "guard.diff"


@dataclass(frozen=True, kw_only=True, slots=True)
class Places:
    """Where the demo's systems are."""

    dagster: str
    primary: str
    replica: str
    warehouse: Path


def write_rules(path: Path, places: Places) -> None:
    """Write the dw.yml."""
    text = yaml.safe_dump(rules(places), sort_keys=False, allow_unicode=True, width=100)
    path.write_text(f"# The growth team's rules in the demo; written anew at each start.\n{text}")


def rules(places: Places) -> dict[str, Any]:
    """The same as data."""
    return {
        "version": 1,
        "admins": ["dee@example.com"],
        "alert_channels": ["#data-alerts"],
        "senders": [{"app_id": seed.SENDER_APP, "system": "dagsterplus", "connection": "dagster"}],
        "connections": _connections(places),
        "domains": {"growth": _growth()},
        "assets": _assets(),
        "notes": [
            {
                "asset": "Hex: Growth standup",
                "kind": "notebook",
                "reads": ["agg_weekly_engagement"],
                "due": "09:30",
                "owner": "cleo@example.com",
            }
        ],
    }


def environment(workdir: Path, *, slack: str) -> Mapping[str, str]:
    """What the bot's process gets: SQLite, Socket Mode, and the local workspace in Slack's place.

    Dagster without its cloud has no tokens and ignores them; the bot asks for two all the same.
    """
    return {
        "DW_SLACK_BASE_URL": slack,
        "DW_SLACK_BOT_TOKEN": seed.BOT_TOKEN,
        "DW_SLACK_APP_TOKEN": seed.APP_TOKEN,
        "DW_SLACK_MODE": "socket",
        "DW_DATABASE_URL": f"sqlite+aiosqlite:///{workdir / 'dw.db'}",
        "DW_CONFIG": str(workdir / "dw.yml"),
        "DW_ANCHOR": str(workdir / "receipts.anchor"),
        "DW_PORT": "0",
        "DW_LOG": "console",
        "DW_DAGSTER_TOKEN": "demo-reads",
        "DW_DAGSTER_ACT_TOKEN": "demo-acts",
    }


def _connections(places: Places) -> dict[str, Any]:
    rollups = {"builds": ["agg_weekly_engagement"], "after": ["fct_daily_active_users"]}
    return {
        "dagster": {
            "kind": "dagster",
            "url": places.dagster,
            "jobs": {"growth_rollups_job": rollups},
        },
        "app_primary": {"kind": "postgres", "dsn": places.primary, "read_only": True},
        "app_replica": {"kind": "postgres", "dsn": places.replica, "read_only": True},
        "warehouse": {"kind": "duckdb", "url": str(places.warehouse), "read_only": True},
    }


def _growth() -> dict[str, Any]:
    dau = "select dau from fct_daily_active_users where day = :day"
    return {
        "level": "L2",
        "channels": ["#data-alerts"],
        "assets": ["raw_sessions", "stg_sessions", "fct_*", "agg_*"],
        "jobs": ["growth_rollups_job", "sessions_job"],
        "owners": {
            "raw_sessions": "ana@example.com",
            "stg_*": "bo@example.com",
            "fct_*": "bo@example.com",
        },
        "chain": [
            {"who": "owner", "within": "5m"},
            {"who": "@data-oncall", "within": "3m"},
            {"who": "dee@example.com", "within": "3m"},
        ],
        "checks": [
            {
                "name": "rows_vs_primary",
                "kind": "rows_match_source",
                "asset": "raw_sessions",
                "tolerance": 0.005,
            },
            {
                "name": "dau_vs_mondays",
                "kind": "within_baseline",
                "asset": "fct_daily_active_users",
                "sql": dau,
                "tolerance": 0.1,
                "weeks": 4,
            },
        ],
    }


def _assets() -> dict[str, Any]:
    target = {"connection": "warehouse", "table": "raw_sessions", "time": "started_at"}
    source = {
        "connection": "app_primary",
        "table": "sessions",
        "time": "started_at",
        "replica": "app_replica",
    }
    facts = {"connection": "warehouse", "table": "fct_daily_active_users", "time": "day"}
    return {
        "raw_sessions": {
            "target": target,
            "source": source,
            "code": "pipelines/raw_sessions.py",
            "code_owner": "bo@example.com",
            "guard": _GUARD.read_text(),
        },
        "fct_daily_active_users": {"target": facts},
    }

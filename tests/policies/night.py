"""The Monday night as data: what dw.yml says, what each system answers, and what that adds up to."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from policies.alert import Alert
from policies.blast_radius import draw
from policies.diagnosis import diagnose
from policies.evidence import Diagnosis, Evidence, Probe
from policies.incident import Incident
from policies.lifecycle import open_incident
from policies.lineage import Asset, Lineage
from policies.rules import Rules
from tests.building import NOW, an_alert, opened

RUN = "5f1d2c9e-9b0a-4c1f-8a77-1d2e3f4a5b6c"
DAY = "2026-09-28"
LOADED_AT = "2026-09-29T00:41:00+00:00"
GUARD = "--- a/pipelines/raw_sessions.py\n+++ b/pipelines/raw_sessions.py\n@@ -1 +1,2 @@\n+guard()\n load()\n"
SESSIONS = {"table": "sessions", "time": "started_at"}
RAW = {"table": "raw_sessions", "time": "started_at"}

Answer = Mapping[str, Any] | str
Answers = dict[tuple[str, str], Answer]


def assets() -> dict[str, Any]:
    return {
        "raw_sessions": {
            "target": {"connection": "warehouse", **RAW},
            "source": {"connection": "app_primary", "replica": "app_replica", **SESSIONS},
            "code": "pipelines/raw_sessions.py",
            "code_owner": "bo@example.com",
            "guard": GUARD,
        },
        "fct_daily_active_users": {
            "target": {
                "connection": "warehouse",
                "table": "fct_daily_active_users",
                "time": "day",
            }
        },
    }


def dw_yml(**changes: Any) -> dict[str, Any]:
    known: dict[str, Any] = {
        "version": 1,
        "alert_channels": ["#data-alerts"],
        "senders": [{"app_id": "A0DAGPLUS", "system": "dagsterplus", "connection": "dagster"}],
        "connections": {
            "dagster": {
                "kind": "dagster",
                "url": "http://127.0.0.1:3000",
                "jobs": {
                    "growth_rollups_job": {
                        "builds": ["agg_weekly_engagement"],
                        "after": ["fct_daily_active_users"],
                    }
                },
            },
            "app_primary": {"kind": "postgres", "dsn": "postgresql://reader@127.0.0.1:5432/shop"},
            "app_replica": {"kind": "postgres", "dsn": "postgresql://reader@127.0.0.1:5433/shop"},
            "warehouse": {"kind": "duckdb", "url": "warehouse.duckdb"},
        },
        "domains": {"growth": growth()},
        "assets": assets(),
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
    return {**known, **changes}


def growth(**changes: Any) -> dict[str, Any]:
    known: dict[str, Any] = {
        "level": "L2",
        "channels": ["#data-alerts"],
        "assets": ["raw_sessions", "stg_sessions", "fct_*", "agg_*"],
        "jobs": ["growth_rollups_job", "sessions_job"],
        "owners": {"raw_sessions": "ana@example.com", "stg_*": "bo@example.com"},
        "chain": [
            {"who": "owner", "within": "5m"},
            {"who": "@data-oncall", "within": "3m"},
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
                "sql": "select dau from fct_daily_active_users where day = :day",
                "tolerance": 0.1,
                "weeks": 4,
            },
        ],
    }
    return {**known, **changes}


def rules(**changes: Any) -> Rules:
    return Rules.model_validate(dw_yml(**changes))


def rules_for(**domain: Any) -> Rules:
    """The same dw.yml with another domain entry."""
    return rules(domains={"growth": growth(**domain)})


def with_asset(name: str, **changes: Any) -> Rules:
    """The same dw.yml with another asset entry."""
    assets = dw_yml()["assets"]
    return rules(assets={**assets, name: {**assets[name], **changes}})


def failed_run(**changes: Any) -> dict[str, Any]:
    known = {
        "run_id": RUN,
        "job": "sessions_job",
        "status": "FAILURE",
        "partition": DAY,
        "url": f"http://127.0.0.1:3000/runs/{RUN}",
        "started_at": "2026-09-29T00:30:00+00:00",
        "ended_at": "2026-09-29T00:41:30+00:00",
        "code_version": "c0ffee1200000000",
        "steps_failed": [
            {
                "step": "raw_sessions_raw_sessions_complete",
                "error": "DagsterAssetCheckFailedError: 1 blocking asset check failed",
            }
        ],
        "steps_not_run": ["stg_sessions", "fct_daily_active_users"],
        "assets_planned": ["raw_sessions", "stg_sessions", "fct_daily_active_users"],
        "assets_materialized": ["raw_sessions"],
        "checks": [
            {
                "asset": "raw_sessions",
                "check": "raw_sessions_complete",
                "passed": False,
                "severity": "ERROR",
                "blocking": True,
                "description": "23,100 rows against a trailing median of 28,400",
                "metadata": {"loaded_rows": 23100, "trailing_median": 28400},
            }
        ],
    }
    return {**known, **changes}


def answers(**changes: Answer) -> Answers:
    """What each system says, by (connection, probe). A string is the reason why it could not tell."""
    last = f"{DAY}T23:59:40+00:00"
    known: Answers = {
        ("dagster", "find_run"): {"run_id": RUN},
        ("dagster", "run_failure"): failed_run(),
        ("dagster", "asset_check"): {"passed": False, "severity": "ERROR", "run_id": RUN},
        ("dagster", "check_history"): {"results": []},
        ("dagster", "materialization"): {
            "at": LOADED_AT,
            "run_id": RUN,
            "partition": DAY,
            "metadata": {"rows": 23100, "source_replayed_to": f"{DAY}T21:05:12+00:00"},
        },
        ("dagster", "last_success"): {"run_id": "aaaa", "code_version": "c0ffee1200000000"},
        ("app_primary", "rows_of_day"): {"rows": 28300, "last": last},
        ("app_replica", "rows_of_day"): {"rows": 28300, "last": last},
        ("app_replica", "replication"): {"paused": False, "unreplayed_bytes": 0},
        ("warehouse", "rows_of_day"): {"rows": 23100, "last": f"{DAY}T21:05:10+00:00"},
        ("warehouse", "daily_rows"): {
            "values": {f"2026-09-{day:02}": 28250 + 50 * (day % 7) for day in range(14, 28)}
        },
    }
    return known | {tuple(key.split("__", 1)): told for key, told in changes.items()}  # type: ignore[misc]


def answer(probe: Probe, number: int, told: Answers) -> Evidence:
    said = told.get((probe.connection, probe.name), "no such reader")
    silent = isinstance(said, str)
    return Evidence(
        id=f"E{number}",
        probe=probe,
        at=NOW,
        value={} if isinstance(said, str) else said,
        problem=said if silent else None,  # type: ignore[arg-type]
    )


def incident(alert: Alert | None = None) -> Incident:
    event = replace(opened(), alert=alert or an_alert(url=f"http://127.0.0.1:3000/runs/{RUN}"))
    return open_incident("DW-3", event, datetime(2026, 9, 29, 0, 44, tzinfo=UTC))


def think(
    start: Incident, told: Answers, known: Rules | None = None
) -> tuple[Diagnosis, tuple[Evidence, ...]]:
    """Plays the worker: puts every probe to the table of answers until the diagnosis is content."""
    thought = diagnose(start, known or rules())
    found: list[Evidence] = []
    try:
        probes = next(thought)
        while True:
            told_now = tuple(answer(p, len(found) + n, told) for n, p in enumerate(probes, 1))
            found += told_now
            probes = thought.send(told_now)
    except StopIteration as end:
        return end.value, tuple(found)


def diagnosed(
    told: Answers | None = None, known: Rules | None = None, alert: Alert | None = None
) -> Incident:
    """The incident with its evidence and diagnosis."""
    start = incident(alert)
    diagnosis, evidence = think(start, answers() if told is None else told, known)
    return replace(start, evidence=evidence, diagnosis=diagnosis)


def lineage(*more: tuple[str, str], **owners: str) -> Lineage:
    """raw → stg → fct → agg as Dagster tells it, and any further edges."""
    chain = ("raw_sessions", "stg_sessions", "fct_daily_active_users", "agg_weekly_engagement")
    edges = {*pairwise(chain), *more}
    keys = dict.fromkeys((*chain, *(key for edge in more for key in edge)))
    assets = {
        key: Asset(key=key, said_by="dagster", owner=owners.get(key), owner_said_by="dagster")
        for key in keys
    }
    return Lineage(assets=assets, edges=frozenset(edges))


def states(**built: str | None) -> dict[str, Any]:
    """Every asset was last built the night before, unless said otherwise."""
    night_before = {"at": "2026-09-28T00:45:00+00:00", "run_id": "x", "partition": "2026-09-27"}
    keys = ("stg_sessions", "fct_daily_active_users", "agg_weekly_engagement")
    told: dict[str, Any] = dict.fromkeys(keys, night_before)
    for key, at in built.items():
        told[key] = {"at": at, "run_id": "y", "partition": None} if at else None
    return told


def with_radius(
    start: Incident,
    whole: Lineage | None = None,
    known: Rules | None = None,
    built: Mapping[str, Any] | None = None,
) -> Incident:
    told = known or rules()
    radius = draw(start, whole or lineage(), told.notes, states() if built is None else built)
    return replace(start, radius=radius)
